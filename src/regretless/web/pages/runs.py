# SPDX-License-Identifier: MIT
"""`/runs`: runs with their status and live curves; start, stop and resume."""

import asyncio
from collections.abc import Callable
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError
from regretless.runs.run_record import AXES, RunRecord
from regretless.web.pages.frame import WAIT, frame, keep_focus, sections
from regretless.web.pages.run_curves import (
    ENDS,
    all_measures,
    chart_options,
    first_measures,
    measure_title,
)
from regretless.web.pages.start_recipe import StartRecipe
from regretless.web.parts.elements import fields, html_place, lines_of, note, tells_errors
from regretless.web.parts.html import dim, link, row, scrolled, table, tag
from regretless.web.parts.texts import figure_text, seconds_text
from regretless.web.run_states import RunState
from regretless.web.services import Services

_MOST_SHOWN = 6  # runs that are drawn without being asked for
_EVERY_SECONDS = 1.0
_GOING_ON = ("running", "stopping")
_HEAD = ("run", "game", "algorithm", "seed", "status", "step", "seconds", "last measure", "")
_PRESS = """(event) => {
  const button = event.target.closest('button[data-act]');
  if (button) emit([button.dataset.act, button.dataset.run]);
}"""


def add(services: Services) -> None:
    @ui.page("/runs", response_timeout=WAIT)
    async def runs(run: str = "") -> None:
        with frame("Runs"):
            sections("Runs")
            keep_focus()
            await RunsPage(services, run).show()


class RunsPage:
    """One visitor's view. Runs and measures follow what there is until the visitor chooses."""

    def __init__(self, services: Services, first: str) -> None:
        self.services, self.first = services, first
        self.states: dict[str, RunState] = {}
        self.charts: dict[str, ui.echart] = {}
        self.chosen: list[str] = []  # runs
        self.has_chosen = False
        self.wanted: list[str] = []  # measures, unless the visitor chose others

    @property
    def records(self) -> dict[str, RunRecord]:
        """The records of runs that have one."""
        return {id: each.record for id, each in self.states.items() if each.record is not None}

    async def read(self) -> None:
        found = await self.services.work(self.services.trainings.states)
        self.states = {each.id: each for each in found}

    async def show(self) -> None:
        await self.read()
        await StartRecipe(self.services, self._look_at).show()
        self.table = html_place(self._table_html())
        self.table.on("click", self._press, js_handler=_PRESS)
        ids = list(self.records)
        self.chosen = [self.first] if self.first in ids else ids[-_MOST_SHOWN:]
        self.wanted = first_measures(self._chosen_records())
        with fields():
            self.runs = ui.select(ids, multiple=True, label="runs", value=self.chosen)
            self.runs.on_value_change(self._choose_runs)
            titles, wanted = self._titles(), self.wanted
            self.measures = ui.select(titles, multiple=True, label="measures", value=wanted)
            for select in (self.runs, self.measures):
                select.props("use-chips").classes("min-w-60")
            self.axis = ui.select(list(AXES), label="against", value="seconds").classes("min-w-32")
            self.as_one = ui.checkbox("Average over seeds", value=True)
            for field in (self.measures, self.axis, self.as_one):
                field.on_value_change(self.curves.refresh)
        self.curves()
        ui.timer(_EVERY_SECONDS, self._again, immediate=False)

    @ui.refreshable_method
    def curves(self) -> None:
        with ui.element("div").classes("curves gap-4 w-full"):
            self.charts = {
                measure: ui.echart(self._options(measure)).classes("w-full h-64")
                for measure in self.measures.value
            }

    async def _again(self) -> None:
        try:
            await self.read()
        except InputError:  # the server is busy; the next time will do
            return
        self.table.content = self._table_html()
        if (known := self.runs.options) != (ids := list(self.records)):
            new = [id for id in ids if id not in known]
            self.chosen = [id for id in self.chosen if id in ids] + [
                id for id in new if id == self.first or not self.has_chosen
            ]
            self.chosen = self.chosen[-_MOST_SHOWN:]
            self.runs.set_options(ids, value=self.chosen)
        if self.measures.options != (titles := self._titles()):
            self.measures.set_options(titles)
        wanted = first_measures(self._chosen_records())
        if self.measures.value == self.wanted != wanted:
            self.wanted = self.measures.value = wanted
        for measure, chart in self.charts.items():
            options = self._options(measure)
            if options["series"] != chart.options["series"]:
                chart.options["series"] = options["series"]
                chart.options["yAxis"] = options["yAxis"]
                chart.update()

    def _choose_runs(self) -> None:
        if self.runs.value != self.chosen:
            self.chosen, self.has_chosen = self.runs.value, True
            self.curves.refresh()

    async def _look_at(self, id: str) -> None:
        """Shows the curves of a new run alone."""
        self.first, self.chosen = id, []
        ui.notify(f"{id} started", type="info", color="#005a8f")
        await self._again()

    async def _press(self, event: events.GenericEventArguments) -> None:
        act, id = event.args
        if act == "stop":
            await self._do(self.services.trainings.stop, id)
        elif id in self.states:
            self._ask_resume(self.states[id])

    @tells_errors
    async def _do(self, act: Callable[..., RunState], *arguments: Any) -> None:
        await self.services.work(act, *arguments)
        await asyncio.sleep(0.1)
        await self._again()

    def _ask_resume(self, state: RunState) -> None:
        """Asks for changes of the config, such as a larger budget."""
        with ui.dialog(value=True) as dialog, ui.card().classes("gap-3"):
            ui.label(f"Resume {state.id}").classes("text-lg")
            if state.status == "done":
                note("Its budget is spent: set a larger one.")
            field = ui.textarea("changes, one per line", placeholder="budget.steps=20000")
            field.props("autogrow autofocus").classes("w-80")

            async def go_on() -> None:
                dialog.close()
                await self._do(self.services.trainings.resume, state.id, lines_of(field.value))

            with ui.row().classes("gap-3"):
                ui.button("Resume", on_click=go_on)
                ui.button("Cancel", on_click=dialog.close).props("outline")

    def _titles(self) -> dict[str, str]:
        return {name: measure_title(name) for name in all_measures([*self.records.values()])}

    def _chosen_records(self) -> list[RunRecord]:
        return [self.records[id] for id in self.chosen if id in self.records]

    def _options(self, measure: str) -> dict[str, Any]:
        records = {id: self.records[id] for id in self.chosen if id in self.records}
        # A mean goes as far as the shortest of its runs: one that goes on would cut the others off.
        is_one = self.as_one.value
        apart = [id for id in records if not is_one or self.states[id].status in _GOING_ON]
        return chart_options(measure, records, self.axis.value, apart=apart)

    def _table_html(self) -> str:
        if not self.states:
            return dim("There are no runs yet: start one above.")
        return scrolled(table(_HEAD, map(_row, self.states.values())), "runs")


def _row(state: RunState) -> str:
    record, name = state.record, escape(state.id)
    facts, measured = ["", "", ""], ""
    if record is not None:
        name = link(state.id, f"/explore/{quote(state.id)}")
        facts = [escape(record.game), escape(record.algorithm), str(record.seed)]
        measured = escape(_measured(record))
    seconds = "" if state.seconds is None else seconds_text(state.seconds)
    reached = [state.status, f"{state.step:,}", seconds, measured]
    line = row([name, *facts, *reached, _button(state)], data_run=state.id)
    if state.is_ours and state.notes:
        told = escape("; ".join(state.notes))
        line += tag("tr", tag("td", told, class_="dim note", colspan=len(_HEAD)))
    if state.error is not None:
        line += tag("tr", tag("td", escape(state.error), colspan=len(_HEAD), role="alert"))
    return line


def _measured(record: RunRecord) -> str:
    for each in reversed(record.metrics):
        found = [key for key in each if key.startswith("eval/") and not key.endswith(ENDS)]
        if found:
            return f"{found[0].removeprefix('eval/')} {figure_text(each[found[0]])}"
    return ""


def _button(state: RunState) -> str:
    if state.is_ours and state.status != "stopping":
        act = "Stop"
    elif state.record is not None and state.status in ("stopped", "failed", "done"):
        act = "Resume"
    else:
        return ""
    asked = {"data_act": act.lower(), "data_run": state.id, "aria_label": f"{act}: {state.id}"}
    return tag("button", act, class_="act", **asked)

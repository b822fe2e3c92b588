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
from regretless.web.pages.dashboard import figure_text, keep_focus, seconds_text, sections
from regretless.web.pages.frame import WAIT, frame, tells_errors
from regretless.web.pages.run_curves import (
    ENDS,
    all_measures,
    chart_options,
    first_measures,
    measure_title,
)
from regretless.web.pages.start_recipe import StartRecipe, lines_of
from regretless.web.parts.html_place import html_place, html_row
from regretless.web.parts.node_tables import scrolled
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
            page = RunsPage(services, run)
            await page.read()
            await page.start.read()
            page.show()


class RunsPage:
    """One visitor's view."""

    def __init__(self, services: Services, first: str) -> None:
        self.services = services
        self.states: dict[str, RunState] = {}
        self.first = first
        self.chosen: list[str] = []
        self.measures: list[str] = []
        self.has_chosen_runs = self.has_chosen_measures = False
        self.axis = "seconds"
        self.as_one = True
        self.charts: dict[str, ui.echart] = {}
        self.start = StartRecipe(services, self._look_at)

    @property
    def records(self) -> dict[str, RunRecord]:
        """The records of runs that have one."""
        return {id: each.record for id, each in self.states.items() if each.record is not None}

    async def read(self) -> None:
        found = await self.services.work(self.services.trainings.states)
        self.states = {each.id: each for each in found}

    def show(self) -> None:
        ids = list(self.records)
        self.chosen = [self.first] if self.first in ids else ids[-_MOST_SHOWN:]
        self.measures = first_measures(self._chosen_records())
        self.start.show()
        self.table = html_place(self._table_html())
        self.table.on("click", self._press, js_handler=_PRESS)
        with ui.row().classes("w-full items-end gap-4"):
            self.run_select = ui.select(ids, multiple=True, label="runs", value=self.chosen)
            self.run_select.on_value_change(self._choose_runs)
            titles, first = self._titles(), self.measures
            self.measure_select = ui.select(titles, multiple=True, label="measures", value=first)
            self.measure_select.on_value_change(self._choose_measures)
            for select in (self.run_select, self.measure_select):
                select.props("use-chips").classes("min-w-60")
            axis = ui.select(list(AXES), label="against").bind_value(self, "axis")
            axis.classes("min-w-32").on_value_change(self.curves.refresh)
            as_one = ui.checkbox("Average over seeds").bind_value(self, "as_one")
            as_one.on_value_change(self.curves.refresh)
        self.curves()
        ui.timer(_EVERY_SECONDS, self._again, immediate=False)

    @ui.refreshable_method
    def curves(self) -> None:
        self.charts = {}
        with ui.element("div").classes("curves gap-4 w-full"):
            for measure in self.measures:
                self.charts[measure] = ui.echart(self._options(measure)).classes("w-full h-64")

    async def _again(self) -> None:
        try:
            await self.read()
        except InputError:  # the server is busy; the next time will do
            return
        self.table.content = self._table_html()
        if (known := self.run_select.options) != (ids := list(self.records)):
            new = [id for id in ids if id not in known]
            self.chosen = [id for id in self.chosen if id in ids] + [
                id for id in new if id == self.first or not self.has_chosen_runs
            ]
            self.chosen = self.chosen[-_MOST_SHOWN:]
            self.run_select.set_options(ids, value=self.chosen)
        if self.measure_select.options != (titles := self._titles()):
            self.measure_select.set_options(titles)
        if not self.has_chosen_measures:
            wanted = first_measures(self._chosen_records())
            if wanted != self.measures:
                self.measures = wanted
                self.measure_select.value = wanted
                self.curves.refresh()
        for measure, chart in self.charts.items():
            options = self._options(measure)
            if options["series"] != chart.options["series"]:
                chart.options["series"] = options["series"]
                chart.options["yAxis"] = options["yAxis"]
                chart.update()

    async def _look_at(self, id: str) -> None:
        """Shows the curves of a new run alone."""
        self.first, self.chosen = id, []
        ui.notify(f"{id} started", type="info", color="#005a8f")
        await self._again()

    async def _press(self, event: events.GenericEventArguments) -> None:
        act, id = event.args
        if act == "stop":
            await self._do(lambda: self.services.trainings.stop(id))
        elif id in self.states:
            self._ask_resume(self.states[id])

    @tells_errors
    async def _do(self, act: Callable[[], RunState]) -> None:
        await self.services.work(act)
        await asyncio.sleep(0.1)
        await self._again()

    def _ask_resume(self, state: RunState) -> None:
        """Asks for changes of the config, such as a larger budget."""
        with ui.dialog(value=True) as dialog, ui.card().classes("gap-3"):
            ui.label(f"Resume {state.id}").classes("text-lg")
            if state.status == "done":
                ui.label("Its budget is spent: set a larger one.").classes("dim")
            field = ui.textarea("changes, one per line", placeholder="budget.steps=20000")
            field.props("autogrow autofocus").classes("w-80")

            async def go_on() -> None:
                dialog.close()
                overrides = lines_of(field.value)
                await self._do(lambda: self.services.trainings.resume(state.id, overrides))

            with ui.row().classes("gap-3"):
                ui.button("Resume", on_click=go_on).props("no-caps")
                ui.button("Cancel", on_click=dialog.close).props("no-caps outline")

    def _choose_runs(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if list(event.value) != self.chosen:
            self.chosen = list(event.value)
            self.has_chosen_runs = True
            self.curves.refresh()

    def _choose_measures(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if list(event.value) != self.measures:
            self.measures = list(event.value)
            self.has_chosen_measures = True
            self.curves.refresh()

    def _titles(self) -> dict[str, str]:
        return {name: measure_title(name) for name in all_measures([*self.records.values()])}

    def _chosen_records(self) -> list[RunRecord]:
        return [self.records[id] for id in self.chosen if id in self.records]

    def _options(self, measure: str) -> dict[str, Any]:
        records = {id: self.records[id] for id in self.chosen if id in self.records}
        # A mean goes as far as the shortest of its runs: one that goes on would cut the others off.
        apart = [id for id in records if not self.as_one or self.states[id].status in _GOING_ON]
        return chart_options(measure, records, self.axis, apart=apart)

    def _table_html(self) -> str:
        if not self.states:
            return '<p class="dim">There are no runs yet: start one above.</p>'
        head = "".join(f'<th scope="col">{each}</th>' for each in _HEAD[:-1]) + "<td></td>"
        rows = "".join(map(_row, self.states.values()))
        return scrolled(f'<table class="plain"><tr>{head}</tr>{rows}</table>', "runs")


def _row(state: RunState) -> str:
    record, name = state.record, escape(state.id)
    link, facts, measured = name, ["", "", ""], ""
    if record is not None:
        link = f'<a class="plainlink" href="/explore/{quote(state.id)}">{name}</a>'
        facts = [escape(record.game), escape(record.algorithm), str(record.seed)]
        measured = escape(_measured(record))
    seconds = "" if state.seconds is None else seconds_text(state.seconds)
    reached = [f"{state.step:,}", seconds]
    cells = [link, *facts, state.status, *reached, measured, _button(state)]
    line = html_row(cells, f'data-run="{name}"')
    if state.is_ours and state.notes:
        told = escape("; ".join(state.notes))
        line += f'<tr><td class="dim note" colspan="{len(cells)}">{told}</td></tr>'
    if state.error is not None:
        line += f'<tr><td colspan="{len(cells)}" role="alert">{escape(state.error)}</td></tr>'
    return line


def _measured(record: RunRecord) -> str:
    for row in reversed(record.metrics):
        found = [key for key in row if key.startswith("eval/") and not key.endswith(ENDS)]
        if found:
            return f"{found[0].removeprefix('eval/')} {figure_text(row[found[0]])}"
    return ""


def _button(state: RunState) -> str:
    if state.is_ours and state.status != "stopping":
        act = "stop"
    elif state.record is not None and state.status in ("stopped", "failed", "done"):
        act = "resume"
    else:
        return ""
    name = escape(state.id)
    return (
        f'<button class="act" data-act="{act}" data-run="{name}" '
        f'aria-label="{act.capitalize()}: {name}">{act.capitalize()}</button>'
    )

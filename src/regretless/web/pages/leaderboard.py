# SPDX-License-Identifier: MIT
"""`/leaderboard`: the runs of each game, best first, with the seeds of one setup as one row."""

from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError
from regretless.runs.run_groups import EXPLOITABILITY, Standing
from regretless.web.pages.frame import WAIT, frame, keep_focus, sections
from regretless.web.pages.run_curves import all_measures, measure_title
from regretless.web.parts.elements import html_place, note, on_point
from regretless.web.parts.html import link, row, scrolled, tag
from regretless.web.parts.texts import figure_text, seconds_text
from regretless.web.services import Services

_EVERY_SECONDS = 5.0
_COLUMNS = ("run", "algorithm", "best", "last", "iterations", "nodes", "seconds")


def add(services: Services) -> None:
    @ui.page("/leaderboard", response_timeout=WAIT)
    async def leaders(measure: str = "") -> None:
        with frame("Leaderboard"):
            sections("Leaderboard")
            keep_focus()
            page = LeaderboardPage(services, measure)
            await page.read()
            page.show()


class LeaderboardPage:
    """One visitor's view."""

    def __init__(self, services: Services, measure: str) -> None:
        self.services, self.measure = services, measure
        self.measures: list[str] = []
        self.found: dict[str, list[Standing]] = {}
        self.order: tuple[str, bool] | None = None
        """The column and whether it ascends; None for the best first."""

    async def read(self) -> None:
        trainings = self.services.trainings
        names = all_measures([*(await self.services.work(trainings.records)).values()])
        self.measures = [name for name in names if name.startswith("eval/")]
        if self.measure not in self.measures and self.measures:
            has_first = EXPLOITABILITY in self.measures
            self.measure = EXPLOITABILITY if has_first else self.measures[0]
        self.found = await self.services.work(trainings.standings, self.measure)

    def show(self) -> None:
        if not self.measures:
            ui.label("There are no measures yet: start a recipe under Runs.")
            return
        titles = {name: measure_title(name) for name in self.measures}
        select = ui.select(titles, label="measure", value=self.measure).classes("w-72")
        select.on_value_change(self._choose)
        self.tables = on_point(html_place(self._html()), "sort", self._sort)
        note(
            "Best and last value of the measure. In brackets: the 95 % interval of the last value, "
            "or the range over several seeds."
        ).classes("text-sm")
        ui.timer(_EVERY_SECONDS, self._again, immediate=False)

    async def _again(self) -> None:
        try:
            await self.read()
        except InputError:  # the server is busy; the next time will do
            return
        self.tables.content = self._html()

    async def _choose(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self.measure = event.value
        await self._again()

    def _sort(self, column: str) -> None:
        if column in _COLUMNS:
            is_up = self.order is None or self.order[0] != column or not self.order[1]
            self.order = (column, is_up)
            self.tables.content = self._html()

    def _html(self) -> str:
        return "".join(self._game_html(game, rows) for game, rows in self.found.items())

    def _game_html(self, game: str, rows: list[Standing]) -> str:
        head = "".join(self._heading(game, each) for each in _COLUMNS)
        lines = "".join(self._row(each) for each in self._sorted(rows))
        table = tag("table", tag("tr", head) + lines, class_="plain")
        return tag("h2", escape(game), class_="text-lg mt-4") + scrolled(table, f"runs of {game}")

    def _heading(self, game: str, column: str) -> str:
        sort, arrow = None, ""
        if self.order is not None and self.order[0] == column:
            sort, arrow = ("ascending", " ▲") if self.order[1] else ("descending", " ▼")
        label = f"sort {game} by {column}"
        button = tag("button", column + arrow, data_sort=column, aria_label=label)
        return tag("th", button, scope="col", aria_sort=sort)

    def _sorted(self, rows: list[Standing]) -> list[Standing]:
        if self.order is None:
            return rows
        column, is_up = self.order
        known = [row for row in rows if getattr(row, column) is not None]
        known.sort(key=lambda row: getattr(row, column), reverse=not is_up)
        return known + [row for row in rows if getattr(row, column) is None]

    def _row(self, each: Standing) -> str:
        last = figure_text(each.last)
        if each.low != each.high:
            last += f" ({figure_text(each.low)} to {figure_text(each.high)})"
        cells = [
            link(each.run, f"/runs?run={quote(each.runs[0])}"),
            escape(each.algorithm),
            figure_text(each.best),
            last,
            *(_count(number) for number in (each.iterations, each.nodes)),
            "–" if each.seconds is None else seconds_text(each.seconds),
        ]
        return row(cells)


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"

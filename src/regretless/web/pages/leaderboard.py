# SPDX-License-Identifier: MIT
"""`/leaderboard`: the runs of each game, best first, with the seeds of one setup as one row."""

from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError
from regretless.runs.run_groups import EXPLOITABILITY, Standing
from regretless.web.pages.dashboard import figure_text, keep_focus, seconds_text, sections
from regretless.web.pages.frame import WAIT, frame
from regretless.web.pages.run_curves import all_measures, measure_title
from regretless.web.parts.html_place import html_place, html_row, on_point
from regretless.web.parts.node_tables import scrolled
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
        ui.label(
            "Best and last value of the measure. In brackets: the 95 % interval of the last value, "
            "or the range over several seeds."
        ).classes("dim text-sm")
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
        table = f'<table class="plain"><tr>{head}</tr>{lines}</table>'
        return f'<h2 class="text-lg mt-4">{escape(game)}</h2>{scrolled(table, f"runs of {game}")}'

    def _heading(self, game: str, column: str) -> str:
        is_sorted = self.order is not None and self.order[0] == column
        up = bool(self.order and self.order[1])
        sort = f' aria-sort="{"ascending" if up else "descending"}"' if is_sorted else ""
        arrow = (" ▲" if up else " ▼") if is_sorted else ""
        return (
            f'<th scope="col"{sort}><button data-sort="{column}" '
            f'aria-label="sort {escape(game)} by {column}">{column}{arrow}</button></th>'
        )

    def _sorted(self, rows: list[Standing]) -> list[Standing]:
        if self.order is None:
            return rows
        column, is_up = self.order
        known = [row for row in rows if getattr(row, column) is not None]
        known.sort(key=lambda row: getattr(row, column), reverse=not is_up)
        return known + [row for row in rows if getattr(row, column) is None]

    def _row(self, row: Standing) -> str:
        last = figure_text(row.last)
        if row.low != row.high:
            last += f" ({figure_text(row.low)} to {figure_text(row.high)})"
        cells = [
            f'<a class="plainlink" href="/runs?run={quote(row.runs[0])}">{escape(row.run)}</a>',
            escape(row.algorithm),
            figure_text(row.best),
            last,
            *(_count(each) for each in (row.iterations, row.nodes)),
            "–" if row.seconds is None else seconds_text(row.seconds),
        ]
        return html_row(cells)


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"

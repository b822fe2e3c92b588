# SPDX-License-Identifier: MIT
"""`/runs`: runs with their status and curves, which grow while they are trained."""

from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError
from regretless.storage.run_record import AXES, RunRecord, read_run
from regretless.storage.run_status import run_status
from regretless.web.library import Entry
from regretless.web.pages.frame import WAIT, frame
from regretless.web.pages.node_tables import number_text
from regretless.web.pages.palette import LINES
from regretless.web.services import Services

_MOST_POINTS = 400
_MOST_SHOWN = 6  # runs and measures that are drawn without being asked for
_EVERY_SECONDS = 2.0
_ENDS = ("/low", "/high")


def add(services: Services) -> None:
    @ui.page("/runs", response_timeout=WAIT)
    async def runs(run: str = "") -> None:
        with frame("Runs"):
            page = RunsPage(services, run)
            await page.read()
            page.show()


class RunsPage:
    """What one visitor looks at."""

    def __init__(self, services: Services, first: str) -> None:
        self.services = services
        self.records: dict[str, RunRecord] = {}
        self.statuses: dict[str, str] = {}
        self.first = first
        self.chosen: list[str] = []
        self.measures: list[str] = []
        self.axis = "seconds"
        self.charts: dict[str, ui.echart] = {}

    async def read(self) -> None:
        """All runs anew."""
        found = await self.services.work(self._read)
        self.records = {entry.id: record for entry, record, _ in found}
        self.statuses = {entry.id: status for entry, _, status in found}

    def _read(self) -> list[tuple[Entry, RunRecord, str]]:
        found: list[tuple[Entry, RunRecord, str]] = []
        for entry in self.services.library.entries():
            if entry.kind == "run":
                try:
                    found.append((entry, read_run(entry.path), run_status(entry.path)))
                except InputError:
                    continue  # a directory that is being made
        return found

    def show(self) -> None:
        if not self.records:
            ui.label("There are no runs here. `regretless train CONFIG` makes one.")
            return
        ids = list(self.records)
        self.chosen = [self.first] if self.first in ids else ids[-_MOST_SHOWN:]
        self.measures = self._default_measures()
        self.table = ui.html(self._table_html(), sanitize=False).classes("w-full")
        with ui.row().classes("w-full items-end gap-4"):
            ui.select(ids, multiple=True, label="runs", value=self.chosen).props(
                "use-chips"
            ).classes("min-w-60").on_value_change(self._choose_runs)
            self.measure_select = (
                ui.select(
                    self._all_measures(), multiple=True, label="measures", value=self.measures
                )
                .props("use-chips")
                .classes("min-w-60")
                .on_value_change(self._choose_measures)
            )
            ui.select(list(AXES), label="against", value=self.axis).classes(
                "min-w-32"
            ).on_value_change(self._choose_axis)
        self.curves()
        ui.timer(_EVERY_SECONDS, self._again, immediate=False)

    @ui.refreshable_method
    def curves(self) -> None:
        self.charts = {}
        with ui.element("div").classes("grid grid-cols-1 md:grid-cols-2 gap-4 w-full"):
            for measure in self.measures:
                self.charts[measure] = ui.echart(self._options(measure)).classes("w-full h-64")

    async def _again(self) -> None:
        await self.read()
        self.table.content = self._table_html()
        if self.measure_select.options != (names := self._all_measures()):
            is_first = not self.measure_select.options
            self.measure_select.set_options(names)
            if is_first:  # nothing had been measured yet
                self.measure_select.value = self._default_measures()
        for measure, chart in self.charts.items():
            options = self._options(measure)
            if options["series"] != chart.options["series"]:
                chart.options["series"] = options["series"]
                chart.update()

    def _choose_runs(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self.chosen = list(event.value)
        self.curves.refresh()

    def _choose_measures(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self.measures = list(event.value)
        self.curves.refresh()

    def _choose_axis(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self.axis = event.value
        self.curves.refresh()

    def _all_measures(self) -> list[str]:
        names = {key for record in self.records.values() for row in record.metrics for key in row}
        names -= {"step", *(key for keys in AXES.values() for key in keys)}
        return sorted(name for name in names if not name.endswith(_ENDS))

    def _default_measures(self) -> list[str]:
        """What was measured first, then losses and speed."""
        rows = [r for id in self.chosen for r in self.records[id].metrics]
        names = [name for name in self._all_measures() if any(name in row for row in rows)]
        wanted = [name for name in names if name.startswith("eval/")]
        wanted += [name for name in names if "loss" in name]
        wanted += [name for name in names if "per_second" in name or name.startswith("memory/")]
        return wanted[:_MOST_SHOWN]

    def _options(self, measure: str) -> dict[str, Any]:
        series: list[dict[str, Any]] = []
        is_positive = True
        for number, id in enumerate(self.chosen):
            if id not in self.records:
                continue
            points = self.records[id].curve(measure, self.axis)
            points = points[:: max(1, len(points) // _MOST_POINTS)]
            if not points:
                continue
            is_positive &= all(point.value > 0 for point in points)
            colour = LINES[number % len(LINES)]
            shown = {"type": "line", "showSymbol": len(points) < 2, "color": colour}
            series.append({**shown, "name": id, "data": [[p.where, p.value] for p in points]})
            if any(point.low < point.high for point in points):
                for end in ("low", "high"):
                    data = [[p.where, getattr(p, end)] for p in points]
                    style = {"type": "dotted", "width": 1}
                    series.append({**shown, "name": id, "data": data, "lineStyle": style})
        is_log = is_positive and "exploitability" in measure
        return {
            "animation": False,
            "title": {
                "text": measure,
                "left": 0,
                "textStyle": {"fontSize": 13, "color": "#7a7a7a"},
            },
            "legend": {"top": 24, "type": "scroll", "textStyle": {"color": "#7a7a7a"}},
            "tooltip": {"trigger": "axis"},
            "grid": {"left": 70, "right": 20, "top": 62, "bottom": 40},
            "xAxis": {"type": "value", "name": self.axis, "nameLocation": "middle", "nameGap": 24},
            "yAxis": {"type": "log" if is_log else "value", "scale": True},
            "series": series,
        }

    def _table_html(self) -> str:
        head = "<tr>" + "".join(
            f'<th scope="col">{each}</th>'
            for each in ("run", "game", "algorithm", "status", "step", "seconds", "last measure")
        )
        rows = "".join(_row(id, each, self.statuses[id]) for id, each in self.records.items())
        return (
            '<div class="scroll" tabindex="0" role="region" aria-label="runs">'
            f'<table class="plain">{head}</tr>{rows}</table></div>'
        )


def _row(id: str, record: RunRecord, status: str) -> str:
    last = record.metrics[-1] if record.metrics else {}
    measured = ""
    for row in reversed(record.metrics):
        found = [key for key in row if key.startswith("eval/") and not key.endswith(_ENDS)]
        if found:
            measured = f"{found[0].removeprefix('eval/')} {number_text(row[found[0]])}"
            break
    name = f'<a class="plainlink" href="/explore/{quote(id)}">{escape(id)}</a>'
    seconds = last.get("time/seconds")
    cells = [
        name,
        escape(record.game),
        escape(record.algorithm),
        status,
        f"{last.get('step', 0):,}",
        "" if seconds is None else f"{seconds:,.1f}",
        escape(measured),
    ]
    return "<tr>" + "".join(f"<td>{each}</td>" for each in cells) + "</tr>"

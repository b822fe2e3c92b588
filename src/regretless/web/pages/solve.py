# SPDX-License-Identifier: MIT
"""`/solve`: a hold'em spot or a small game: the form, the estimate, the progress, the result."""

import time
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import ui

from regretless.errors import InputError
from regretless.explorer.locks import parse_lock
from regretless.pictures.colours import BLUE
from regretless.runs.room import size_text
from regretless.solving.solution import Solution, default_algorithm
from regretless.solving.spot_options import SpotOptions
from regretless.web.jobs import ENDED, Job
from regretless.web.pages.frame import WAIT, frame, small_button, tells_errors
from regretless.web.parts.card_picker import card_picker
from regretless.web.parts.node_tables import number_text, share_text
from regretless.web.parts.range_editor import RangeEditor
from regretless.web.play.seating import known_games
from regretless.web.services import Services
from regretless.web.solves import SPOTS, Wish, foresee, save_solution, start_solve

_DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
_MOST_BOARD = 5
_SMALL_DICE = "liars-dice-1x"  # names of games that are small enough begin so
_EXAMPLE = ("AA,KQs,JTs,99,AQ:0.5,76s", "22+,A9s+,KTs+")


def add(services: Services) -> None:
    @ui.page("/solve", response_timeout=WAIT)
    async def solve() -> None:
        with frame("Solve"):
            SolvePage(services).show()


class SolvePage:
    """One visitor's spot."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.game = "nlhe"
        self.board = "QsJh2h8d3c"
        self.pot: float | None = 100
        self.stack: float | None = 200
        self.stack_ip: float | None = None
        self.bets, self.raises = SpotOptions.bets, SpotOptions.raises
        self.target: float | None = 0.5
        self.seconds: float | None = 60
        self.locks = ""
        self.name = ""
        self.editors: list[RangeEditor] = []
        self.job: Job | None = None
        self.points: list[tuple[int, float]] = []
        self.free: tuple[Wish, tuple[float, float]] | None = None
        """The last solve without locks, and the EV of each seat in it."""
        self.wish: Wish | None = None
        self.forecast_text = ""
        self.saved = ""
        self.chart: ui.echart | None = None

    def show(self) -> None:
        small = ("kuhn", "leduc", *(each for each in known_games() if each.startswith(_SMALL_DICE)))
        games = [*SPOTS, *(each for each in known_games() if each in small)]
        with ui.row().classes("items-end gap-4"):
            select = ui.select(games, label="game").bind_value(self, "game").classes("min-w-40")
            select.on_value_change(self.spot.refresh)
            _number("target, % of the pot or units").bind_value(self, "target").classes("w-48")
            _number("seconds at most").bind_value(self, "seconds").classes("w-36")
        self.spot()
        with ui.row().classes("gap-2 items-center"):
            ui.button("Estimate", on_click=self._estimate).props("no-caps outline")
            ui.button("Solve", on_click=self._begin).props("no-caps").mark("solve")
            ui.label().bind_text_from(self, "forecast_text").mark("forecast")
        with ui.row().classes("items-center gap-3"):
            self.status = ui.label().mark("status").props("role=status")
            self.actions()
        self.chart_place = ui.column().classes("w-full")
        self.found()
        ui.timer(0.3, self._look)

    @ui.refreshable_method
    def spot(self) -> None:
        self.editors = []
        if self.game not in SPOTS:
            return
        with ui.row().classes("items-end gap-4"):
            board = ui.input("board").bind_value(self, "board").classes("w-40")
            board.on_value_change(self.cards.refresh)
            _number("pot", _is_chips).bind_value(self, "pot").classes("w-24")
            _number("stacks", _is_chips).bind_value(self, "stack").classes("w-24")
            field = _number("stack of IP, if different", lambda v: v is None or _is_chips(v))
            field.bind_value(self, "stack_ip").classes("w-40")
            ui.input("bets").bind_value(self, "bets").classes("w-40")
            ui.input("raises").bind_value(self, "raises").classes("w-40")
        self.cards()
        with ui.row().classes("w-full gap-6 items-start"):
            self.editors = [
                RangeEditor(name, text) for name, text in zip(("OOP", "IP"), _EXAMPLE, strict=True)
            ]
        locks = ui.textarea("locks, one per line: x b50 = f 0.6, c 0.4").bind_value(self, "locks")
        locks.classes("w-full max-w-xl").props("rows=2 autogrow")

    @ui.refreshable_method
    def cards(self) -> None:
        chosen = [self.board[i : i + 2] for i in range(0, len(self.board) - 1, 2)]

        def pick(card: str) -> None:
            if card in chosen:
                chosen.remove(card)
            elif len(chosen) < _MOST_BOARD:
                chosen.append(card)
            self.board = "".join(chosen)
            self.cards.refresh()

        with ui.expansion("Choose cards").props("dense"):
            card_picker(_DECK, chosen, pick)

    def _wish(self) -> Wish:
        """InputError names what is wrong."""
        target = _positive("target", self.target)
        seconds = _positive("seconds", self.seconds)
        if self.game not in SPOTS:
            return Wish(self.game, SpotOptions(), default_algorithm(False), None, target, seconds)
        options = SpotOptions(
            board=self.board.strip(),
            pot=_whole("pot", self.pot),
            stack=_whole("stacks", self.stack),
            stack_ip=None if self.stack_ip is None else _whole("stack of IP", self.stack_ip),
            range_oop=self.editors[0].read(),
            range_ip=self.editors[1].read(),
            bets=self.bets,
            raises=self.raises,
        )
        if not options.board:
            raise InputError("board: 3, 4 or 5 cards are needed")
        locks = tuple(parse_lock(line) for line in self.locks.splitlines() if line.strip())
        return Wish(self.game, options, default_algorithm(True), None, target, seconds, locks)

    @tells_errors
    async def _estimate(self) -> None:
        await self._foresee(self._wish())

    async def _foresee(self, wish: Wish) -> None:
        limits = self.services.settings.limits
        found = await self.services.work(lambda: foresee(wish, limits))
        free = "" if found.free_bytes is None else f" of {size_text(found.free_bytes)} free"
        self.forecast_text = (
            f"{found.decisions:,} decisions, memory {size_text(found.memory_bytes)}{free}, about "
            f"{found.iteration_seconds:.2g} s per iteration"
        )

    @tells_errors
    async def _begin(self) -> None:
        if self.job is not None and self.job.status not in ENDED:
            ui.notify("A solve is running; cancel it first.")
            return
        wish = self._wish()
        await self._foresee(wish)
        if self.free is not None:
            before, values = self.free
            if (wish.game, wish.spot) == (before.game, before.spot):
                wish = replace(wish, free=values)
        self.job = start_solve(self.services.jobs, self.services.settings.limits, wish)
        self.wish, self.points, self.saved = wish, [], ""
        if self.chart is not None:
            self._draw()
        stamp = time.strftime("%H%M%S")
        self.name = f"{wish.game}-{wish.spot.board}-{stamp}".replace("--", "-")
        self.status.text = _status(self.job)
        self.actions.refresh()
        self.found.refresh()

    def _look(self) -> None:
        """Shows the progress; called several times a second while the page is open."""
        job = self.job
        if job is None or self.saved == job.id:
            return
        points = [point for point in job.progress.get("curve", []) if point[1] > 0]
        if points != self.points:
            self.points = points
            self._draw()
        self.status.text = _status(job)
        if job.status in ENDED:
            self.saved = job.id
            result = job.result or {}
            if self.wish is not None and not self.wish.locks and "ev_oop" in result:
                self.free = (self.wish, (result["ev_oop"], result["ev_ip"]))
            self.actions.refresh()
            self.found.refresh()

    def _draw(self) -> None:
        if self.chart is None:  # kept: removing a chart before it is drawn is an error
            with self.chart_place:
                self.chart = ui.echart(
                    {
                        "animation": False,
                        "grid": {"left": 70, "right": 30, "top": 40, "bottom": 40},
                        "xAxis": {"type": "value", "name": "iterations", "nameLocation": "middle"},
                        "yAxis": {"type": "log", "name": "exploitability"},
                        "series": [{"type": "line", "data": [], "color": BLUE}],
                    }
                ).classes("w-full max-w-2xl h-56")
        self.chart.options["series"][0]["data"] = [list(each) for each in self.points]
        self.chart.update()

    @ui.refreshable_method
    def actions(self) -> None:
        job = self.job
        if job is None:
            return
        if job.status not in ENDED:
            small_button("Cancel", lambda: self.services.jobs.cancel(job))
        if job.status not in ENDED or isinstance(job.made, Solution):
            target = f"/explore/solve/{job.id}"
            ui.link("Open in the explorer", target, new_tab=True).classes("plainlink")

    @ui.refreshable_method
    def found(self) -> None:
        job = self.job
        if job is None or job.result is None:
            return
        ui.html(_result_html(job.result), sanitize=False).mark("found")
        if costs := job.result.get("lock_cost"):
            each = (f"{seat.upper()} {number_text(cost)} chips" for seat, cost in costs.items())
            ui.label(f"The locks cost {', '.join(each)}.").mark("lock-cost")
        if not isinstance(job.made, Solution):
            return
        with ui.row().classes("items-end gap-3"):
            ui.input("name").bind_value(self, "name").classes("w-72")
            ui.button("Save and explore", on_click=self._save).props("no-caps")

    @tells_errors
    async def _save(self) -> None:
        assert self.job is not None
        solution, folder = self.job.made, self.services.settings.bundles
        path = await self.services.work(lambda: save_solution(solution, folder, self.name))
        ui.navigate.to(f"/explore/{quote(self.services.library.id_of(path))}")


def _number(name: str, is_right: Callable[[float | None], bool] | None = None) -> ui.number:
    """A field that turns red for a number that makes no sense; without a check, empty is right."""
    if is_right is not None:
        return ui.number(name, validation={"a whole number above 0": is_right})
    return ui.number(name, validation={"above 0, or empty": lambda v: v is None or v > 0})


def _is_chips(value: float | None) -> bool:
    return value is not None and value == int(value) and 1 <= value <= 1e9


def _whole(name: str, value: float | None) -> int:
    if value is None or not _is_chips(value):
        raise InputError(f"{name}: must be a whole number of chips above 0")
    return int(value)


def _positive(name: str, value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise InputError(f"{name}: must be above 0, or empty for no limit")
    return value


def _status(job: Job) -> str:
    if job.status in ENDED:
        return job.outcome
    reached = job.progress
    if reached.get("exploitability") is None:
        return f"{job.status}: {reached.get('what', '')}"
    measured = f"{reached['exploitability']:.3g} {reached['exploitability_unit']}"
    return f"{job.status}: {reached['iterations']:,} iterations, {measured}"


def _result_html(result: dict[str, Any]) -> str:
    rows = {
        "iterations": f"{result['iterations']:,}",
        f"exploitability, {result['exploitability_unit']}": number_text(result["exploitability"]),
    }
    if "ev_oop" in result:
        rows["EV of OOP, chips"] = number_text(result["ev_oop"])
        rows["EV of IP, chips"] = number_text(result["ev_ip"])
        rows["equity of OOP"] = share_text(result["equity_oop"])
        rows |= {f"OOP: {text}": share_text(p) for text, p in result["root_mix"].items()}
    else:
        rows["value of the first player"] = number_text(result["value"])
    lines = "".join(
        f'<tr><th scope="row">{escape(key)}</th><td>{escape(value)}</td></tr>'
        for key, value in rows.items()
    )
    return f'<table class="plain" style="max-width: 28rem">{lines}</table>'

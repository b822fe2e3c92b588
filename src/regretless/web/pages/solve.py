# SPDX-License-Identifier: MIT
"""`/solve`: a hold'em spot or a small game: the form, the estimate, the progress, the result."""

import contextlib
import math
import re
import time
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import quote

from fastapi import Request
from nicegui import ui

from regretless.errors import InputError
from regretless.explorer.locks import parse_lock
from regretless.pictures.colours import BLUE
from regretless.runs.room import size_text
from regretless.solving.solution import default_algorithm
from regretless.solving.spot_options import SpotOptions
from regretless.web.jobs import ENDED, Job
from regretless.web.pages.frame import WAIT, frame
from regretless.web.parts.elements import fields, lines_of, tells_errors
from regretless.web.parts.grids import RangeEditor, card_picker, toggled
from regretless.web.parts.html import tag
from regretless.web.parts.job_panel import JobPanel, check_free, lock_cost_text
from regretless.web.parts.texts import number_text, share_text
from regretless.web.play.seating import known_games
from regretless.web.services import Services
from regretless.web.solves import SPOTS, Wish, foresee, save_solution, start_solve
from regretless.web.trees import address_of

_DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
_MOST_BOARD = 5
_FORECAST_SECONDS = 0.5  # between two looks at the form
_SMALL = re.compile("kuhn|leduc|liars-dice-1x.*")  # games that are small enough


def _is_chips(value: float | None) -> bool:
    return value is not None and value == int(value) and 1 <= value <= 1e9


_Checks = dict[str, Callable[[Any], bool]]
_LIMIT: _Checks = {"must be above 0, or empty for no limit": lambda v: v is None or v > 0}
_CHIPS: _Checks = {"must be a whole number above 0": _is_chips}
_CHIPS_OR_NONE: _Checks = {"must be a whole number above 0": lambda v: v is None or _is_chips(v)}
_EXAMPLE = {"OOP": "AA,KQs,JTs,99,AQ:0.5,76s", "IP": "22+,A9s+,KTs+"}
_AGGRESSORS = ("oop", "ip", "none")
# Rarer options of a spot: fields of `SpotOptions` with their labels.
_SIZES = {
    "bets_flop": "bets on the flop",
    "bets_turn": "bets on the turn",
    "bets_river": "bets on the river",
    "bets_oop": "bets of OOP, if different",
    "donks": "donk bets, or none",
}
_NUMBERS = {
    "add_all_in": "add all-in up to (pots)",
    "force_all_in": "force all-in below (pots behind)",
    "merge": "merge sizes closer than (pots)",
    "rake": "rake, % of the pot",
    "rake_cap": "most rake, chips",
}
_MOST_TEXT = 4000  # characters of a field in an address


def add(services: Services) -> None:
    @ui.page("/solve", response_timeout=WAIT)
    async def solve(request: Request) -> None:
        with frame("Solve"):
            SolvePage(services, dict(request.query_params)).show()


class SolvePage:
    """One visitor's spot."""

    def __init__(self, services: Services, given: dict[str, str]) -> None:
        """`given` are values of fields by name, as the address has them."""
        self.services, self.given = services, given
        self.form: dict[str, Any] = {}  # fields whose values are in the address
        self.firsts: dict[str, Any] = {}  # and their values without one
        self.panel = JobPanel(services, self._look)
        self.wish: Wish | None = None  # the solve of the panel
        self.foreseen: Wish | None = None  # the solve of the forecast
        self.free: tuple[Wish, tuple[float, float]] | None = None
        """The last solve without locks, and the EV of each seat in it."""
        self.chart: ui.echart | None = None
        self.points: list[tuple[int, float]] = []

    def show(self) -> None:
        games = [*SPOTS, *filter(_SMALL.fullmatch, known_games())]
        with fields():
            self.game = ui.select(games, label="game", value=SPOTS[0]).classes("min-w-40")
            what = "target, % of the pot or units"
            self.target = ui.number(what, value=0.5, validation=_LIMIT).classes("w-48")
            self.seconds = ui.number("seconds at most", value=60, validation=_LIMIT).classes("w-36")
            most = self.services.settings.limits.solve_threads
            self.threads = ui.select([*range(1, most + 1)], label="threads", value=1)
            self.threads.classes("min-w-20")
        spot = ui.column().classes("w-full gap-4")
        with spot.bind_visibility_from(self.game, "value", lambda game: game in SPOTS):
            self._show_spot()
        for name in ("game", "target", "seconds", "threads"):
            self._keep(name, getattr(self, name))
        for name, editor in zip(("range_oop", "range_ip"), self.editors, strict=True):
            editor.on_change = self._remember
            self._keep(name, editor.field, editor.read)
        with ui.row().classes("gap-2 items-center"):
            ui.button("Solve", on_click=self._begin).mark("solve")
        self.panel.show()
        self.chart_place = ui.column().classes("w-full")
        self.found()

    def _show_spot(self) -> None:
        with fields():
            self.board = ui.input("board", value="QsJh2h8d3c").classes("w-40")
            self.board.on_value_change(self.cards.refresh)
            self.pot = ui.number("pot", value=100, validation=_CHIPS).classes("w-24")
            self.stack = ui.number("stacks", value=200, validation=_CHIPS).classes("w-24")
            self.stack_ip = ui.number("stack of IP, if different", validation=_CHIPS_OR_NONE)
            self.stack_ip.classes("w-40")
            self.bets = ui.input("bets, empty for the usual").classes("w-48")
            self.raises = ui.input("raises, empty for the usual").classes("w-48")
            self.forecast = ui.label("estimating ...").classes("text-sm").mark("forecast")
        for name in ("board", "pot", "stack", "stack_ip", "bets", "raises"):
            self._keep(name, getattr(self, name))
        self._show_rarer()
        ui.timer(_FORECAST_SECONDS, self._foresee_changes)
        self.cards()
        with ui.row().classes("w-full gap-6 items-start"):
            self.editors = [RangeEditor(name, text) for name, text in _EXAMPLE.items()]
        self.locks = ui.textarea("locks, one per line: x b50 = f 0.6, c 0.4")
        self.locks.classes("w-full max-w-xl").props("rows=2 autogrow")
        self._keep("locks", self.locks)

    def _show_rarer(self) -> None:
        """Sizes by street, donk bets, all-in rules and rake."""
        names = (*_SIZES, *_NUMBERS, "aggressor")
        is_open = any(name in self.given for name in names)
        with ui.expansion("More options", value=is_open).props("dense"), fields():
            for name, label in _SIZES.items():
                self._keep(name, ui.input(label).classes("w-44"))
            for name, label in _NUMBERS.items():
                first = getattr(SpotOptions, name)
                self._keep(name, ui.number(label, value=first, min=0).classes("w-56"))
            self.aggressor = ui.select(list(_AGGRESSORS), value=SpotOptions.aggressor)
            self.aggressor.props('label="aggressor before the board"').classes("w-56")
            self._keep("aggressor", self.aggressor)

    def _keep(self, name: str, field: Any, read: Callable[[], object] | None = None) -> None:
        """Takes the value of a field from the address, and keeps it there."""
        self.form[name], self.firsts[name] = field, field.value
        text = self.given.get(name)
        if text is not None and len(text) <= _MOST_TEXT:
            with contextlib.suppress(ValueError, InputError):
                value = _of_address(field, text)
                if not isinstance(field, ui.select) or value in field.options:
                    field.value = value
                    if read is not None:
                        read()
        if isinstance(field, ui.select):
            field.on_value_change(self._remember)
        else:
            field.on("blur", self._remember)

    def _remember(self) -> None:
        """Puts what differs from the first values into the address."""
        differ = {
            name: field.value
            for name, field in self.form.items()
            if field.value not in (None, "", self.firsts[name])
        }
        ui.navigate.history.replace(address_of("/solve", **differ))

    @ui.refreshable_method
    def cards(self) -> None:
        board = self.board.value
        chosen = [board[i : i + 2] for i in range(0, len(board) - 1, 2)]

        def pick(card: str) -> None:
            self.board.value = "".join(toggled(chosen, card)[:_MOST_BOARD])
            self._remember()

        with ui.expansion("Choose cards").props("dense"):
            card_picker(_DECK, chosen, pick)

    def _wish(self) -> Wish:
        """InputError names what is wrong."""
        is_spot = self.game.value in SPOTS
        rest = (default_algorithm(is_spot), None, _read(self.target), _read(self.seconds))
        if not is_spot:
            return Wish(self.game.value, SpotOptions(), *rest, threads=self.threads.value)
        options = SpotOptions(
            board=self.board.value.strip(),
            pot=_chips(self.pot),
            stack=_chips(self.stack),
            stack_ip=_chips(self.stack_ip),
            range_oop=self.editors[0].read(),
            range_ip=self.editors[1].read(),
            bets=self.bets.value or None,
            raises=self.raises.value or None,
            aggressor=self.aggressor.value,
            rake_cap=_chips(self.form["rake_cap"]),
        )
        rarer: dict[str, Any] = {name: self.form[name].value.strip() or None for name in _SIZES}
        rarer |= {name: _read(self.form[name]) or 0 for name in _NUMBERS if name != "rake_cap"}
        options = replace(options, **rarer)
        if not options.board:
            raise InputError("board: 3, 4 or 5 cards are needed")
        locks = tuple(map(parse_lock, lines_of(self.locks.value)))
        return Wish(self.game.value, options, *rest, locks, threads=self.threads.value)

    async def _foresee_changes(self) -> None:
        """Shows what the spot takes, as the user types it, or why it cannot be solved."""
        try:
            wish = self._wish()
            if wish == self.foreseen:
                return
            self.foreseen = wish
            await self._foresee(wish)
        except InputError as error:
            self.foreseen, self.forecast.text = None, str(error)

    async def _foresee(self, wish: Wish) -> None:
        found = await self.services.work(foresee, wish, self.services.settings.limits)
        free = "" if found.free_bytes is None else f" of {size_text(found.free_bytes)} free"
        most = "" if wish.seconds is None else f", {wish.seconds:g} s at most"
        self.forecast.text = (
            f"{found.decisions:,} decisions, memory {size_text(found.memory_bytes)}{free} in "
            f"{found.bits} bits, about {found.iteration_seconds:.2g} s per iteration "
            f"(measures come on top){most}"
        )

    @tells_errors
    async def _begin(self) -> None:
        check_free(self.panel.job)
        self._remember()
        wish = self._wish()
        await self._foresee(wish)
        if self.free is not None:
            before, values = self.free
            if (wish.game, wish.spot) == (before.game, before.spot):
                wish = replace(wish, free=values)
        self.wish = wish
        self.panel.begin(start_solve(self.services.jobs, self.services.settings.limits, wish))
        self.found.refresh()

    def _look(self, job: Job) -> None:
        points = [point for point in job.progress.get("curve", []) if point[1] > 0]
        if points != self.points:
            self.points = points
            self._draw()
        if job.status in ENDED:
            result = job.result or {}
            if self.wish is not None and not self.wish.locks and "ev_oop" in result:
                self.free = (self.wish, (result["ev_oop"], result["ev_ip"]))
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
    def found(self) -> None:
        job = self.panel.job
        if job is None or job.result is None:
            return
        ui.html(_result_html(job.result), sanitize=False).mark("found")
        if costs := job.result.get("lock_cost"):
            ui.label(lock_cost_text(costs)).mark("lock-cost")
        if job.made is None or self.wish is None:
            return
        first = f"{self.wish.game}-{self.wish.spot.board}-{time.strftime('%H%M%S')}"
        with ui.row().classes("items-end gap-3"):
            name = ui.input("name", value=first.replace("--", "-")).classes("w-72")
            ui.button("Save and explore", on_click=lambda: self._save(job, name.value))

    @tells_errors
    async def _save(self, job: Job, name: str) -> None:
        folder = self.services.settings.bundles
        path = await self.services.work(save_solution, job.made, folder, name)
        ui.navigate.to(f"/explore/{quote(self.services.library.id_of(path))}")


def _of_address(field: Any, text: str) -> Any:
    """The value of a field from its text in an address; ValueError if it is none."""
    if isinstance(field, ui.number) or (
        isinstance(field, ui.select) and isinstance(field.value, int)
    ):
        number = float(text)
        if not math.isfinite(number):
            raise ValueError
        return int(number) if number == int(number) else number
    return text


def _read(field: ui.number) -> Any:
    """The number of a field; InputError if the field is red."""
    if not field.validate():
        raise InputError(f"{field.label}: {field.error}")
    return field.value


def _chips(field: ui.number) -> int | None:
    return None if (value := _read(field)) is None else int(value)


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
        tag("tr", tag("th", escape(key), scope="row") + tag("td", escape(value)))
        for key, value in rows.items()
    )
    return tag("table", lines, class_="plain", style="max-width: 28rem")

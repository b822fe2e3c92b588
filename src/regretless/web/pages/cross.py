# SPDX-License-Identifier: MIT
"""`/cross`: a round-robin of strategies and bots as a matrix."""

from html import escape
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig
from regretless.pictures.colours import BLUE, VERMILION
from regretless.web.jobs import ENDED, Job
from regretless.web.pages.dashboard import sections
from regretless.web.pages.frame import WAIT, frame, small_button, tells_errors
from regretless.web.parts.html_place import html_place
from regretless.web.parts.node_tables import scrolled
from regretless.web.play.cross_matches import begin_cross
from regretless.web.play.seating import Wanted, known_games
from regretless.web.services import Services

_EVERY_SECONDS = 0.5
_BOT = "bot: "
_MOST_PLAYERS = 10
_DEEPEST = 55  # percent of the colour of the largest win


def add(services: Services) -> None:
    @ui.page("/cross", response_timeout=WAIT)
    async def cross() -> None:
        entries = await services.work(services.library.entries)
        with frame("Cross-play"):
            sections("Cross-play")
            CrossPage(services, [each.id for each in entries]).show()


class CrossPage:
    """One visitor's matrix."""

    def __init__(self, services: Services, strategies: list[str]) -> None:
        self.services, self.strategies = services, strategies
        self.chosen: list[str] = []
        self.game = "leduc"
        self.seats: float | None = 2
        self.hands: float | None = 20_000
        self.aivat = False
        self.job: Job | None = None
        self.shown = ""  # the id of the job whose matrix is on the page

    def show(self) -> None:
        players = [*self.strategies, *(f"{_BOT}{name}" for name in BOTS)]
        with ui.row().classes("w-full items-end gap-4"):
            chosen = ui.select(players, multiple=True, label="players", value=[])
            chosen.bind_value(self, "chosen").props("use-chips").classes("min-w-72 grow")
            game = ui.select(known_games(), label="game, for bots only").bind_value(self, "game")
            seats = ui.number("seats", min=2, max=_MOST_PLAYERS, precision=0)
            seats.bind_value(self, "seats")
            for field, width in ((game, "w-44"), (seats, "w-20")):
                field.classes(width).bind_enabled_from(
                    self, "chosen", lambda chosen: not _has_strategy(chosen)
                )
            hands = ui.number("hands per pair", min=2, precision=0).classes("w-36")
            hands.bind_value(self, "hands")
            ui.checkbox("Reduce luck (AIVAT)").bind_value(self, "aivat")
            ui.button("Play", on_click=self._play).props("no-caps")
        self.progress()
        self.matrix()
        ui.timer(_EVERY_SECONDS, self._look)

    @tells_errors
    async def _play(self) -> None:
        if self.job is not None and self.job.status not in ENDED:
            ui.notify("A round-robin is running; cancel it first.", color="#005a8f")
            return
        wanted = self._wanted()
        await self.services.work(lambda: self.services.seating.check(wanted))
        config = MatchConfig(self._hands())
        self.job = begin_cross(self.services, wanted, *self._table(), config, aivat=self.aivat)
        self.progress.refresh()

    def _wanted(self) -> tuple[Wanted, ...]:
        if not 2 <= len(self.chosen) <= _MOST_PLAYERS:
            raise InputError(f"players: choose 2 to {_MOST_PLAYERS}")
        return tuple(
            Wanted("bot", each.removeprefix(_BOT))
            if each.startswith(_BOT)
            else Wanted("strategy", each)
            for each in self.chosen
        )

    def _table(self) -> tuple[str | None, int | None]:
        """The game and the seats; None where a strategy has its own."""
        if _has_strategy(self.chosen):
            return None, None
        if self.seats is None or not 2 <= self.seats <= _MOST_PLAYERS:
            raise InputError(f"seats: must be 2 to {_MOST_PLAYERS}")
        return self.game, int(self.seats)

    def _hands(self) -> int:
        most = self.services.settings.limits.match_hands
        if self.hands is None or not 1 <= self.hands <= most:
            raise InputError(f"hands: must be 1 to {most:,}")
        return int(self.hands)

    @ui.refreshable_method
    def progress(self) -> None:
        job = self.job
        if job is None:
            ui.label(
                "Choose two or more players of one game. Every pair plays the same deals."
            ).classes("dim")
            return
        with ui.row().classes("items-center gap-3"):
            self.status = ui.label(_status(job)).mark("status").props("role=status")
            if job.status not in ENDED:
                small_button("Cancel", lambda: self.services.jobs.cancel(job))

    @ui.refreshable_method
    def matrix(self) -> None:
        if self.job is not None and self.job.result is not None:
            html_place(matrix_html(self.job.result))

    def _look(self) -> None:
        """Shows the progress; called several times a second while the page is open."""
        job = self.job
        if job is None or self.shown == job.id:
            return
        if job.status in ENDED:
            self.shown = job.id
            self.progress.refresh()
            self.matrix.refresh()
        else:
            self.status.text = _status(job)


def matrix_html(result: dict[str, Any]) -> str:
    """`cross_json` as a table: blue wins, orange loses, pale cells are within their intervals."""
    names, matrix = result["names"], result["matrix"]
    most = max((abs(each["bb_per_100"]) for row in matrix for each in row if each), default=0.0)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = ""
    for name, row, mean in zip(names, matrix, result["mean_bb_per_100"], strict=True):
        cells = "".join(_cell(each, most) for each in row)
        rows += f'<tr><th scope="row">{escape(name)}</th>{cells}<td><b>{mean:+,.1f}</b></td></tr>'
    table = (
        '<table class="plain cross"><tr><th scope="col">row against column</th>'
        f'{head}<th scope="col">mean</th></tr>{rows}</table>'
    )
    note = f'<p class="dim text-sm">{escape(_what(result))}</p>'
    return scrolled(table, "cross-play") + note


def _cell(won: dict[str, Any] | None, most: float) -> str:
    if won is None:
        return '<td aria-label="itself">·</td>'
    mean, half = won["bb_per_100"], won["bb_per_100_half_width"]
    told = f"{mean:+,.1f}<small>± {half:,.1f}</small>" if half is not None else f"{mean:+,.1f}"
    is_sure = half is not None and abs(mean) > half
    share = _DEEPEST * (abs(mean) / most) ** 0.5 if is_sure and most > 0 else 0.0
    colour = BLUE if mean > 0 else VERMILION
    style = f"background: color-mix(in srgb, {colour} {share:.0f}%, transparent)"
    return f'<td style="{style}">{told}</td>'


def _what(result: dict[str, Any]) -> str:
    unit = "bb/100" if result["unit"] == "big blinds" else f"{result['unit']} per 100 hands"
    luck = ", with AIVAT" if result["aivat"] else ""
    return (
        f"{result['game']}, {result['players']} at a table: {unit} with 95 % intervals over "
        f"{result['hands']:,} hands per pair{luck}. Blue wins, orange loses; a pale cell is within "
        "its interval of 0. The mean gives each opponent the same weight."
    )


def _status(job: Job) -> str:
    told = job.progress
    if job.status in ENDED:
        return job.outcome
    share = told.get("share")
    done = "" if share is None else f", {share:.0%} done"
    return f"{job.status}: {told.get('what', '')}{done}"


def _has_strategy(chosen: list[str]) -> bool:
    return any(not each.startswith(_BOT) for each in chosen)

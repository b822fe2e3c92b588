# SPDX-License-Identifier: MIT
"""`/cross`: a round-robin of strategies and bots as a matrix."""

from html import escape
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig
from regretless.pictures.colours import BLUE, VERMILION
from regretless.web.jobs import Job
from regretless.web.pages.frame import WAIT, frame, sections
from regretless.web.parts.elements import fields, html_place, note, tells_errors
from regretless.web.parts.html import scrolled, table, tag
from regretless.web.parts.job_panel import JobPanel, check_free
from regretless.web.play.seating import Wanted, known_games
from regretless.web.services import Services

_BOT = "bot: "
_MOST_PLAYERS = 10
_DEEPEST = 55  # percent of the colour of the largest win


def add(services: Services) -> None:
    @ui.page("/cross", response_timeout=WAIT)
    async def cross() -> None:
        entries = await services.work(services.library.entries)
        with frame("Cross-play"):
            sections("Cross-play")
            CrossPage(services).show([each.id for each in entries])


class CrossPage:
    """One visitor's matrix."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.panel = JobPanel(services, self._look)

    def show(self, strategies: list[str]) -> None:
        players = [*strategies, *(f"{_BOT}{name}" for name in BOTS)]
        with fields():
            self.players = ui.select(players, multiple=True, label="players", value=[])
            self.players.props("use-chips").classes("min-w-72 grow")
            self.game = ui.select(known_games(), label="game, for bots only", value="leduc")
            self.seats = ui.number("seats", value=2, min=2, max=_MOST_PLAYERS, precision=0)
            for field, width in ((self.game, "w-44"), (self.seats, "w-20")):
                field.classes(width).bind_enabled_from(
                    self.players, "value", lambda chosen: not _has_strategy(chosen)
                )
            self.hands = ui.number("hands per pair", value=20_000, min=2, precision=0)
            self.hands.classes("w-36")
            self.aivat = ui.checkbox("Reduce luck (AIVAT)")
            ui.button("Play", on_click=self._play)
        self.hint = note("Choose two or more players of one game. Every pair plays the same deals.")
        self.panel.show()
        self.matrix = html_place()

    @tells_errors
    async def _play(self) -> None:
        check_free(self.panel.job)
        chosen = self.players.value
        if not 2 <= len(chosen) <= _MOST_PLAYERS:
            raise InputError(f"players: choose 2 to {_MOST_PLAYERS}")
        wanted = [
            Wanted("bot" if name.startswith(_BOT) else "strategy", name.removeprefix(_BOT))
            for name in chosen
        ]
        await self.services.work(self.services.seating.check, wanted)
        game, seats = None, None  # those of the strategies
        if not _has_strategy(chosen):
            game, seats = self.game.value, _within("seats", self.seats.value, 2, _MOST_PLAYERS)
        most = self.services.settings.limits.match_hands
        config = MatchConfig(_within("hands", self.hands.value, 1, most))
        begin, asked = self.services.seating.begin_cross, (wanted, game, seats, config)
        self.panel.begin(begin(self.services.jobs, *asked, aivat=self.aivat.value))
        self.hint.visible = False

    def _look(self, job: Job) -> None:
        self.matrix.content = matrix_html(job.result) if job.result is not None else ""


def matrix_html(result: dict[str, Any]) -> str:
    """`cross_json` as a table: blue wins, orange loses, pale cells are within their intervals."""
    names, matrix = result["names"], result["matrix"]
    most = max((abs(each["bb_per_100"]) for row in matrix for each in row if each), default=0.0)
    rows = []
    for name, row, mean in zip(names, matrix, result["mean_bb_per_100"], strict=True):
        cells = "".join(_cell(each, most) for each in row)
        rows.append(
            tag("tr", f'<th scope="row">{escape(name)}</th>{cells}<td><b>{mean:+,.1f}</b></td>')
        )
    found = table(["row against column", *names, "mean"], rows, class_="plain cross")
    return scrolled(found, "cross-play") + tag("p", escape(_what(result)), class_="dim text-sm")


def _cell(won: dict[str, Any] | None, most: float) -> str:
    if won is None:
        return tag("td", "·", aria_label="itself")
    mean, half = won["bb_per_100"], won["bb_per_100_half_width"]
    told = f"{mean:+,.1f}<small>± {half:,.1f}</small>" if half is not None else f"{mean:+,.1f}"
    is_sure = half is not None and abs(mean) > half
    share = _DEEPEST * (abs(mean) / most) ** 0.5 if is_sure and most > 0 else 0.0
    colour = BLUE if mean > 0 else VERMILION
    style = f"background: color-mix(in srgb, {colour} {share:.0f}%, transparent)"
    return tag("td", told, style=style)


def _what(result: dict[str, Any]) -> str:
    unit = "bb/100" if result["unit"] == "big blinds" else f"{result['unit']} per 100 hands"
    luck = ", with AIVAT" if result["aivat"] else ""
    return (
        f"{result['game']}, {result['players']} at a table: {unit} with 95 % intervals over "
        f"{result['hands']:,} hands per pair{luck}. Blue wins, orange loses; a pale cell is within "
        "its interval of 0. The mean gives each opponent the same weight."
    )


def _within(name: str, value: float | None, least: int, most: int) -> int:
    if value is None or not least <= value <= most:
        raise InputError(f"{name}: must be {least} to {most:,}")
    return int(value)


def _has_strategy(chosen: list[str]) -> bool:
    return any(not each.startswith(_BOT) for each in chosen)

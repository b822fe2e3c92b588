# SPDX-License-Identifier: MIT
"""`regretless match`: policies play each other over duplicate deals."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.table import Table

from regretless import _native
from regretless.cli.clusters import ClusterName, WorkerCount, played_on
from regretless.cli.field_options import takes
from regretless.cli.output import (
    BotFile,
    GameName,
    JsonFlag,
    PhhFile,
    console,
    estimate_text,
    print_json,
    print_note,
    print_table,
)
from regretless.cli.progress import Telling
from regretless.errors import InputError
from regretless.games import Game
from regretless.histories.phh import PhhsFile
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, MatchResult, PlayedDeals, distinct, replays
from regretless.matches.round_robin import CrossPlay
from regretless.matches.seatings import seat_of
from regretless.seats.contestants import (
    are_of,
    find_contestants,
    find_game,
    find_table,
    may_try,
    off_menu_players,
    shipped_players,
)
from regretless.seats.matches import cross_contestants, cross_json, match_json, play_contestants
from regretless.seats.strategies import Strategy
from regretless.watch import trial_seconds

BESIDE = ("random", "caller", "tight-aggressive")  # bots in a table of shipped bundles

Policies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POLICIES...",
        help=f"Bundles, runs, .onnx files, bot.py:Name, cmd:PROGRAM, or bots: {', '.join(BOTS)}.",
    ),
]


@takes(MatchConfig)
def match(
    policies: Policies = None,
    game: GameName = None,
    *,
    config: MatchConfig,
    cross: Annotated[
        bool, typer.Option("--round-robin", help="Play each policy against each other.")
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(help="Seats at a table of a round-robin, if no bundle or run has them."),
    ] = None,
    shipped: Annotated[
        bool,
        typer.Option(
            "--shipped", help=f"Add all shipped bundles of the game and {', '.join(BESIDE)}."
        ),
    ] = False,
    aivat: Annotated[
        bool,
        typer.Option("--aivat", help="Reduce variance with AIVAT (small games, hold'em for two)."),
    ] = False,
    phh: PhhFile = None,
    cluster: ClusterName = None,
    workers: WorkerCount = None,
    from_file: BotFile = None,
    json: JsonFlag = False,
) -> None:
    """Play policies against each other, every deal once in each seating."""
    named = list(policies or [])
    if cluster is not None:
        _refuse({"--phh": phh, "--aivat": aivat or None}, "matches without --cluster")
    if cross:
        _refuse({"--phh": phh}, "one match, not to a round-robin")
        named += _shipped(named, game, players) if shipped else []
    else:
        given = {"--players": players, "--shipped": shipped or None}
        _refuse(given, "a round-robin, not to one match")
    with Telling("loading", for_programs=json):
        found, real = _find(named, game, players, cross, from_file)
    _check_seats(real, players)
    write = _HandWriter(real, phh, [each.policy.name for each in found], config.seed)
    with (
        played_on(cluster, workers, config.threads) as plays,
        Telling(for_programs=json, forecasts=True) as telling,
    ):
        if plays is None and not aivat:
            _forecast(telling, found, real, config, cross)
        start, watch = time.perf_counter(), telling.watch()
        if cross:
            table = cross_contestants(found, named, config, aivat, watch, plays)
        else:
            hears = partial(play_contestants, on_piece=write.pieces, on_hand=write.hand)
            result = hears(found, config, real, aivat=aivat, watch=watch, plays=plays)
            rate = result.hands / (time.perf_counter() - start)
    if cross:
        print_json(cross_json(table)) if json else print_table(_cross_table(table))
    else:
        print_json(match_json(result, config, rate)) if json else _show(result, rate)


def _forecast(
    telling: Telling, found: Sequence[Strategy], game: Game, config: MatchConfig, cross: bool
) -> None:
    """Prints what the match will take, unless its players may notice a trial."""

    def trial(hands: int) -> None:
        short = replace(config, hands=hands)
        if cross:
            cross_contestants(found, [each.policy.name for each in found], short)
        else:
            play_contestants(found, short, game)

    if all(may_try(each.policy) for each in found):
        telling.forecast("match", trial_seconds(trial, config.hands, 256), config.hands)


def _check_seats(game: Game, players: int | None) -> None:
    if players not in (None, game.num_players):
        raise InputError(f"--players: {game.name} is for {game.num_players} here, not {players}")


def _refuse(options: Mapping[str, object | None], belongs: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise InputError(f"{name} belongs to {belongs}")


def _shipped(named: list[str], game: str | None, players: int | None) -> list[str]:
    """The shipped bundles of the game and the bots, without players that are named already."""
    if game is None:
        raise InputError("--shipped: needs --game")
    asked = find_game(game, players)
    bundles = shipped_players(asked)
    if not bundles:
        raise InputError(
            f"--shipped: no bundle of {asked.name} for {asked.num_players} players ships "
            "(`regretless bundle list`)"
        )
    return [each for each in (*bundles, *BESIDE) if each not in named]


def _note_menus(players: Sequence[Strategy], real: Game) -> None:
    """Notes that players of other menus map each other's bets, and stacks that they do not know."""
    if are_of(real, players):
        return
    print_note(f"menus or stacks differ: played as {real.name}, each maps the others' bets")
    for note in (each.note for each in off_menu_players(players, real)):
        if note is not None:
            print_note(note)


def _find(
    named: Sequence[str], game: str | None, players: int | None, cross: bool, bots: Path | None
) -> tuple[list[Strategy], Game]:
    """The players, and the game that they play; in a round-robin all know it."""
    if len(named) < 2:
        raise InputError("a match needs two policies or more")
    if cross:
        found = find_contestants(named, game, players, bots, print_note)
        return found, found[0].game
    found, real = find_table(named, game, len(named), bots, print_note)
    _note_menus(found, real)
    return found, real


class _HandWriter:
    """Writes hand histories to a file, if there is one."""

    def __init__(self, game: Game, path: Path | None, names: Sequence[str], seed: int) -> None:
        self.game, self.names, self.seed = game, distinct(names), seed
        self.file = None if path is None else PhhsFile(game, path)

    def hand(self, episode: _native.PokerEpisode, number: int) -> None:
        if self.file is not None:
            count = len(self.names)
            players = [self.names[seat_of(seat, number, count)] for seat in range(count)]
            self.file.add(episode, players)

    @property
    def pieces(self) -> Callable[[PlayedDeals], None] | None:
        return None if self.file is None else self._piece

    def _piece(self, piece: PlayedDeals) -> None:
        first = piece.first_deal * len(self.names)
        for number, episode in enumerate(replays(self.game, piece, self.seed), first):
            self.hand(episode, number)


def _show(result: MatchResult, rate: float) -> None:
    print_table(_table(result))
    if result.players[0].style is not None:
        print_table(_style_table(result))
    console.print(f"{result.hands:,} hands, {rate:,.0f} a second", highlight=False)


def _table(result: MatchResult) -> Table:
    title = f"{result.game}, 95 % intervals over {result.players[0].won.count:,} deals"
    with_aivat = result.players[0].aivat is not None
    headings = ["bb/100", "mbb/g", *(["AIVAT bb/100"] if with_aivat else [])]
    table = _columns("player", headings, title)
    for player in result.players:
        cells = [estimate_text(player.won, 100), estimate_text(player.won, 1000)]
        if player.aivat is not None:
            cells.append(estimate_text(player.aivat, 100))
        table.add_row(player.name, *cells)
    return table


def _style_table(result: MatchResult) -> Table:
    table = _columns("style", ["VPIP", "PFR", "AF", "WTSD", "W$SD"])
    for player in result.players:
        if (style := player.style) is not None:
            showdowns = f"{style.went_to_showdown:.1%}", f"{style.won_at_showdown:.1%}"
            entered = f"{style.vpip:.1%}", f"{style.pfr:.1%}"
            table.add_row(player.name, *entered, f"{style.aggression:.2f}", *showdowns)
    return table


def _columns(first: str, headings: Iterable[str], title: str | None = None) -> Table:
    table = Table(title=title, box=SIMPLE)
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _cross_table(cross: CrossPlay) -> Table:
    how = ", AIVAT" if cross.aivat else ""
    others = "" if cross.players == 2 else f" on the other {cross.players - 1} seats"
    title = (
        f"{cross.game}: bb/100 of the row against the column{others}, "
        f"{cross.hands:,} hands each{how}"
    )
    table = _columns("", (*cross.names, "mean"), title)
    for number, (name, row) in enumerate(zip(cross.names, cross.won, strict=True)):
        cells = ["" if cell is None else estimate_text(cell, 100) for cell in row]
        table.add_row(name, *cells, f"{100 * cross.mean(number):+,.1f}")
    return table

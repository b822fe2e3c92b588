# SPDX-License-Identifier: MIT
"""`match`, `cross_play` and `evaluate`: players, by any name, play or are measured."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.evaluation.measures import Effort, Evaluation
from regretless.evaluation.measures import evaluate as measure
from regretless.games import Game
from regretless.matches.across_menus import OnHand, play_across
from regretless.matches.aivat import match_luck
from regretless.matches.intervals import Estimate
from regretless.matches.match import (
    MatchConfig,
    MatchResult,
    PlayedDeals,
    PlayerResult,
    Plays,
    play_match,
)
from regretless.matches.round_robin import CrossPlay, round_robin
from regretless.pictures.progress_bar import ProgressBar
from regretless.policies.policy import Policy
from regretless.seats.contestants import (
    Player,
    are_of,
    find_contestants,
    find_table,
    off_menu_players,
)
from regretless.seats.strategies import Strategy, names_strategy
from regretless.watch import UNWATCHED, Watch


def match(
    *players: Player,
    game: str | Path | Game | None = None,
    hands: int = 100_000,
    seed: int = 0,
    threads: int = 1,
    aivat: bool = False,
    bot_file: str | Path | None = None,
    progress: bool | None = None,
) -> MatchResult:
    """Let players play each other over duplicate deals: `match("runs/leduc", "caller")`.

    A player is a bundle, a run, a .onnx file, the name of a bot, `module:Name`, `bot.py:Name`,
    `cmd:PROGRAM` or a policy. The game is that of the bundles and runs; `game` is needed where
    there are none, and is that of .onnx files or no-limit hold'em if it is not given. `hands` are
    the episodes in all. `aivat` takes luck off. `progress` shows a bar, by default in a notebook.
    Strategies whose menus, stacks or chips differ meet in one game, and each maps the bets of the
    others to its menu.
    """
    if len(players) < 2:
        raise InputError("a match needs two policies or more")
    config = MatchConfig(hands, seed, threads)
    found, real = find_table(players, game, len(players), bot_file)
    with ProgressBar(progress) as bar:
        return play_contestants(found, config, real, aivat=aivat, watch=bar.watch(UNWATCHED))


def cross_play(
    *players: Player,
    game: str | Path | Game | None = None,
    seats: int | None = None,
    hands: int = 100_000,
    seed: int = 0,
    threads: int = 1,
    aivat: bool = False,
    watch: Watch = UNWATCHED,
    progress: bool | None = None,
) -> CrossPlay:
    """Everybody against everybody, two of them at a table, `hands` for each pair.

    At a table of more `seats` one has the one player, all others the other. `aivat` takes luck off.
    `progress` shows a bar, by default in a notebook.
    """
    config = MatchConfig(hands, seed, threads)
    found, names = find_contestants(players, game, seats), [str(each) for each in players]
    with ProgressBar(progress) as bar:
        return cross_contestants(found, names, config, aivat, bar.watch(watch))


def cross_contestants(
    players: Sequence[Strategy],
    named: Sequence[str],
    config: MatchConfig,
    aivat: bool = False,
    watch: Watch = UNWATCHED,
    plays: Plays | None = None,
) -> CrossPlay:
    """A round-robin of players that were found, all of one game.

    What was `named` by a path is called by the directory or the file, others as their policies
    call themselves.
    """
    names = [_called(text, each.policy) for text, each in zip(named, players, strict=True)]
    policies = [each.policy for each in players]
    return round_robin(
        players[0].game, policies, config, names=names, aivat=aivat, watch=watch, plays=plays
    )


def _called(text: str, policy: Policy) -> str:
    if not names_strategy(text):
        return policy.name
    path = Path(text)
    within_a_run = path.name in ("bundle", "best") and path.parent.name
    return path.parent.name if within_a_run else path.name or text


def play_contestants(
    players: Sequence[Strategy],
    config: MatchConfig,
    game: Game,
    *,
    aivat: bool = False,
    on_piece: Callable[[PlayedDeals], None] | None = None,
    on_hand: OnHand = lambda episode, number: None,
    watch: Watch = UNWATCHED,
    plays: Plays | None = None,
) -> MatchResult:
    """A match of a game between players that were found; `plays` as in `play_match`.

    Players with games of their own play it by translation (`across_menus.py`); `on_hand` is then
    called in place of `on_piece`.
    """
    if not are_of(game, players):
        if aivat or plays is not None:
            what = "--aivat" if aivat else "--cluster"
            raise InputError(f"{what}: needs players of one menu; these map each other's bets")
        across = off_menu_players(players, game, config.seed)
        return play_across(across, config, on_hand=on_hand, watch=watch)
    policies = [each.policy for each in players]
    luck = match_luck(game, policies, config, watch=watch) if aivat else None
    return play_match(
        game, policies, config, luck=luck, on_piece=on_piece, watch=watch, plays=plays
    )


def evaluate(
    player: Player,
    game: str | Path | Game | None = None,
    *,
    hands: int = Effort.hands,
    lbr_hands: int = Effort.lbr_hands,
    networks: int | None = None,
    seed: int = 0,
    threads: int = 1,
    device: str | None = None,
    progress: bool | None = None,
) -> Evaluation:
    """Measure a bundle, a run, a .onnx file, a bot or a policy: exactly where the game is small.

    Else by local best response over `lbr_hands`, a lower bound, and by matches of `hands` against
    each bot, no bound. The game of a bundle or a run is its own; of others it is `game`. Of a
    player who draws one of many networks local best response meets the average of `networks` of
    them, an approximation, or of all. `device` is that of the networks of bundles and runs.
    `progress` shows a bar, by default in a notebook.
    """
    (found,) = find_contestants([player], game, device=device)
    effort = Effort(hands, lbr_hands, networks, seed, threads)
    with ProgressBar(progress) as bar:
        return measure(found.game, found.policy, effort, bar.watch(UNWATCHED))


def match_json(result: MatchResult, config: MatchConfig, rate: float) -> dict[str, Any]:
    """A match as numbers and texts; `rate` is in hands a second."""
    return {
        "game": result.game,
        "hands": result.hands,
        "deals": result.players[0].won.count,
        "seed": config.seed,
        "hands_per_second": rate,
        "players": [_player_json(player) for player in result.players],
    }


def cross_json(cross: CrossPlay) -> dict[str, Any]:
    """A round-robin as numbers and texts."""
    return {
        "game": cross.game,
        "players": cross.players,
        "hands": cross.hands,
        "aivat": cross.aivat,
        "names": list(cross.names),
        "matrix": [
            [None if cell is None else _estimate_json(cell) for cell in row] for row in cross.won
        ],
        "mean_bb_per_100": [100 * cross.mean(row) for row in range(len(cross.names))],
    }


def _player_json(player: PlayerResult) -> dict[str, Any]:
    row: dict[str, Any] = {"name": player.name, **_estimate_json(player.won)}
    if player.aivat is not None:
        row["aivat"] = _estimate_json(player.aivat)
    if player.style is not None:
        row |= {name: _finite(value) for name, value in vars(player.style).items()}
    return row


def _estimate_json(won: Estimate) -> dict[str, Any]:
    return {
        "bb_per_100": 100 * won.mean,
        "bb_per_100_half_width": _finite(100 * won.half_width),
        "mbb_per_game": 1000 * won.mean,
        "mbb_per_game_half_width": _finite(1000 * won.half_width),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None

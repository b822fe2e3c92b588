# SPDX-License-Identifier: MIT
"""Who plays, and which game: from paths, names of bots, own bots and policies to one table."""

from collections.abc import Callable, Sequence
from pathlib import Path

from regretless.errors import InputError
from regretless.evaluation.bots import BOTS
from regretless.evaluation.policies import load_policy
from regretless.games import Game, load_game
from regretless.games.rules_record import rules_record
from regretless.players.own_bots import is_own_bot, load_own_bot
from regretless.players.strategies import Strategy, find_strategy
from regretless.policy import Policy
from regretless.storage.run_record import find_bundle
from regretless.storage.shipped import shipped_names, strategy_directory

Player = str | Path | Policy
"""A bundle, a run, a shipped bundle or a bot by name, `module:Name`, `bot.py:Name`, or a policy."""

DEFAULT_GAME = "nlhe"  # of a match whose players do not say
# Shipped bundles that sit down to play where nobody else is asked for, and bring their own rules.
OPPONENTS = {"nlhe": "hunl-deep-cfr", "hunl-100bb": "hunl-deep-cfr"}


def find_opponent(
    text: str | Path,
    game: Game,
    bot_file: str | Path | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Policy:
    """The policy that `text` names; InputError if there is none, or none for this game.

    Names that are no bot of ours are looked for in `bot_file`. `note` is called with a line about
    each checkpoint that is damaged.
    """
    text = str(text)
    if strategy_directory(text) is not None:
        found = find_strategy(text, note)
        _check_same_game(text, found.game, "the table", game)
        return found.policy
    if is_own_bot(text):
        return load_own_bot(text, game)
    if bot_file is not None and text not in BOTS:
        return load_own_bot(f"{bot_file}:{text}", game)
    if "/" in text:
        raise InputError(f"{text}: no such directory")
    return load_policy(text, game)


def find_contestants(
    players: Sequence[Player],
    game: str | Game | None = None,
    seats: int | None = None,
    bot_file: str | Path | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> list[Strategy]:
    """The strategy of each player, all of one game.

    Bundles and runs know their game. Without any it is `game`, by default no-limit hold'em, for
    `seats` players. `note` is called with a line about each checkpoint that is damaged.
    """
    known = {
        number: find_strategy(player, note)
        for number, player in enumerate(players)
        if isinstance(player, str | Path) and strategy_directory(player) is not None
    }
    named = [(str(players[number]), strategy.game) for number, strategy in known.items()]
    agreed = _agreed_game(named, game, seats)
    return [
        known[number] if number in known else _bot(player, agreed, bot_file)
        for number, player in enumerate(players)
    ]


def shipped_players(game: Game) -> list[str]:
    """The bundles that ship with the package and play this game, by name."""
    rules = rules_record(game)
    return [name for name in shipped_names() if rules_record(_shipped_game(name)) == rules]


def _shipped_game(name: str) -> Game:
    directory = strategy_directory(name)
    bundle = None if directory is None else find_bundle(directory)
    if bundle is None:
        raise InputError(f"{name}: a directory of this name is at hand, and is no bundle")
    return bundle.game


def _bot(player: Player, game: Game, bot_file: str | Path | None) -> Strategy:
    if isinstance(player, str | Path):
        player = find_opponent(player, game, bot_file)
    policy: Policy = player
    return Strategy(game, policy, policy.name, "bot", None, [])


def find_game(game: str | Game | None, players: int | None = None) -> Game:
    """The game itself, or that of a name or file."""
    if game is None or isinstance(game, str):
        return load_game(game or DEFAULT_GAME, **({} if players is None else {"players": players}))
    return game


def _agreed_game(named: list[tuple[str, Game]], game: str | Game | None, seats: int | None) -> Game:
    """The one game of these names, or the one asked for."""
    if not named:
        return find_game(game, seats)
    (first, agreed), *others = named
    if game is not None:
        others.append(("the game asked for", find_game(game, seats)))
    for name, other in others:
        _check_same_game(first, agreed, name, other)
    return agreed


def _check_same_game(first: str, game: Game, second: str, other: Game) -> None:
    if rules_record(game) == rules_record(other):
        return
    if game.name == other.name:
        raise InputError(f"{first} and {second}: both {game.name}, but with other rules or menus")
    raise InputError(f"{first} is for {game.name}, and {second} is {other.name}: not one game")

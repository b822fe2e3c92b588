# SPDX-License-Identifier: MIT
"""Players by path, by the name of a bot or as a policy, and the one game that they agree on."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from regretless.bundles.onnx_file import names_onnx, open_onnx
from regretless.bundles.shipped import shipped_names, strategy_directory
from regretless.custom_code import is_custom_code
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.face import face, require_poker, rules_record
from regretless.matches.bots import BOTS, load_policy
from regretless.matches.off_menu import OffMenuPlayer, why_not_alike
from regretless.policies.policy import ActsInChips, Policy
from regretless.policies.spiel_policy import is_spiel_policy, spiel_game, spiel_policy
from regretless.runs.run_record import require_bundle
from regretless.seats.custom_bots import CustomBot, checked, is_of_this_package, load_custom_bot
from regretless.seats.program_bots import is_program, start_program
from regretless.seats.searchers import names_search, search_strategy
from regretless.seats.strategies import Strategy, find_strategy, names_strategy, onnx_strategy

Player = str | Path | Policy
"""A bundle, a run or a .onnx file, a shipped bundle or a bot by name, `search` (`searchers.py`),
`module:Name`, `bot.py:Name`, `cmd:PROGRAM`, or a policy; one of OpenSpiel is a policy, too."""

DEFAULT_GAME = "nlhe"  # of a match whose players name no game
# Shipped bundles that are default opponents, with their own rules.
OPPONENTS = {"nlhe": "hunl-deep-cfr", "hunl-100bb": "hunl-deep-cfr"}
BOT_VARIABLE = "REGRETLESS_BOT"
"""The environment variable that names another default opponent, for any game."""


def find_default_opponent(
    name: str,
    players: int | None = None,
    bot_file: str | Path | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> tuple[str, Strategy]:
    """The default opponent for a game, and its name.

    It is the player of REGRETLESS_BOT, else a shipped bundle, else random play. `nlhe` takes
    blinds, stacks and bets from a strategy for heads-up no-limit hold'em.
    """
    shipped = OPPONENTS.get(name) if players is None else None
    bot = os.environ.get(BOT_VARIABLE) or shipped or "random"
    game = find_game(name, players)
    if name == DEFAULT_GAME and players is None and names_strategy(bot):
        found = find_strategy(bot, note)
        if _is_same_poker(found.game, game):
            return bot, found
    (found,) = find_contestants([bot], game, players, bot_file, note)
    return bot, found


def find_contestants(
    players: Sequence[Player],
    game: str | Path | Game | None = None,
    seats: int | None = None,
    bot_file: str | Path | None = None,
    note: Callable[[str], None] = lambda _: None,
    *,
    device: str | None = None,
) -> list[Strategy]:
    """The strategy of each player, all of one game.

    Bundles and runs know their game. Without any it is `game`, else that of .onnx files, which
    also play games like theirs, else that of the blueprint of a searching player, else no-limit
    hold'em for `seats` players. Names that are no bot
    of this package are looked up in `bot_file`. `note` is called with a line about each checkpoint
    that is damaged. `device` is that of networks, as in `find_strategy`.
    """
    found, real = find_table(players, game, seats, bot_file, note, device=device)
    agreed_game([(str(name), each.game) for name, each in zip(players, found, strict=True)], real)
    return found


def find_table(
    players: Sequence[Player],
    game: str | Path | Game | None = None,
    seats: int | None = None,
    bot_file: str | Path | None = None,
    note: Callable[[str], None] = lambda _: None,
    *,
    device: str | None = None,
) -> tuple[list[Strategy], Game]:
    """The strategies, as `find_contestants`, and the game that is played.

    Strategies may have games of their own that differ in stacks, menus and the worth of a chip
    alone. The game is then the one asked for, else that with the smallest chips.
    """
    if device is not None:
        from regretless.networks.placement import find_placement  # which imports torch

        find_placement(device, "float32")
    if game is None:
        game = next((spiel_game(each) for each in players if is_spiel_policy(each)), None)
    paths = {
        number: each
        for number, each in enumerate(players)
        if isinstance(each, str | Path) and not is_program(str(each)) and not names_search(each)
    }
    known = {
        number: find_strategy(path, note, device=device)
        for number, path in paths.items()
        if strategy_directory(path) is not None
    }
    files = {n: open_onnx(Path(path)) for n, path in paths.items() if names_onnx(path)}
    named = [(str(players[number]), strategy.game) for number, strategy in known.items()]
    if not named and game is None:
        named = [(file.place, file.game) for file in files.values()]
    searchers = {n: str(each) for n, each in enumerate(players) if _is_search(each)}
    if not named and game is None:
        named = [(text, search_strategy(text).game) for text in searchers.values()]
    wanted = None if named and game is None else find_game(game, seats)
    real = _game_of_all(named, wanted)
    for number, file in files.items():
        is_alike = file.game.action_names == real.action_names
        known[number] = onnx_strategy(
            file, real if is_alike or not _alike(file.game, real) else None
        )
    for number, text in searchers.items():
        known[number] = search_strategy(text, real, device=device)
    found = [
        known[number] if number in known else _bot(player, real, bot_file)
        for number, player in enumerate(players)
    ]
    return found, real


def may_try(policy: Policy) -> bool:
    """Whether a few hands more or less change nothing: bots of others may count them."""
    return not isinstance(policy, CustomBot | ActsInChips)


def _is_search(player: Player) -> bool:
    return isinstance(player, str | Path) and names_search(player)


def _game_of_all(named: Sequence[tuple[str, Game]], wanted: Game | None) -> Game:
    """The one game of all; if they are alike, the one asked for or that with the smallest chips."""
    try:
        agreed = agreed_game(named, wanted)
        assert agreed is not None
        return agreed
    except InputError:
        games = [each for _, each in named] + ([] if wanted is None else [wanted])
        real = wanted or max(games, key=lambda each: each.unit)
        if not all(_alike(each, real) for each in games):
            raise
        return real


def _alike(game: Game, other: Game) -> bool:
    mine, others = face(game).poker, face(other).poker
    return mine is not None and others is not None and why_not_alike(mine, others) is None


def shipped_players(game: Game) -> list[str]:
    """The bundles that ship with the package and play this game, by name."""
    rules = rules_record(game)
    return [name for name in shipped_names() if rules_record(require_bundle(name).game) == rules]


def _bot(player: Player, game: Game, bot_file: str | Path | None) -> Strategy:
    if isinstance(player, str | Path):
        policy = _named_bot(str(player), game, bot_file)
    elif is_spiel_policy(player):
        policy = spiel_policy(player, game)
    elif is_of_this_package(player):
        policy = player
    else:
        policy = checked(player, str(getattr(player, "name", type(player).__name__)), game)
    return Strategy(game, policy, policy.name, "bot", None, [])


def _named_bot(text: str, game: Game, bot_file: str | Path | None) -> Policy:
    """The policy of a program, of custom code or of a bot of this package."""
    if is_program(text):
        return start_program(text, game)
    if is_custom_code(text):
        return load_custom_bot(text, game)
    if bot_file is not None and text not in BOTS:
        return load_custom_bot(f"{bot_file}:{text}", game)
    if "/" in text:
        raise InputError(f"{text}: no such directory")
    return load_policy(text, game)


def find_game(game: str | Path | Game | None, players: int | None = None) -> Game:
    """The game itself, or that of a name or file."""
    if game is None or isinstance(game, str | Path):
        return load_game(game or DEFAULT_GAME, **({} if players is None else {"players": players}))
    face(game)  # TypeError for what is no game
    return game


def agreed_game(named: Sequence[tuple[str, Game]], wanted: Game | None) -> Game | None:
    """The one game of these players and of the request; None without any."""
    if not named:
        return wanted
    (first, agreed), *others = named
    if wanted is not None:
        others.append(("the game asked for", wanted))
    for name, other in others:
        _check_same_game(first, agreed, name, other)
    return agreed


def are_of(game: Game, players: Sequence[Strategy]) -> bool:
    """Whether all players know the rules and the menu of the game."""
    record = rules_record(game)
    return all(rules_record(each.game) == record for each in players)


def off_menu_players(players: Sequence[Strategy], real: Game, seed: int = 0) -> list[OffMenuPlayer]:
    """Each player with its own menu at tables of the `real` game; InputError if one cannot play."""
    problem = "menus differ, and only bets of poker are translated"
    table = require_poker(real, problem)
    return [
        OffMenuPlayer(each.policy, require_poker(each.game, problem), seed + number, table)
        for number, each in enumerate(players)
    ]


def _is_same_poker(game: Game, other: Game) -> bool:
    """Whether two games differ in chips and bets at most."""
    keys = ("players", "deck", "hole_cards", "board_cards", "limit", "showdown")
    mine, others = (rules_record(each).get("poker", {}) for each in (game, other))
    return all(key in mine and mine[key] == others.get(key) for key in keys)


def _check_same_game(first: str, game: Game, second: str, other: Game) -> None:
    if rules_record(game) == rules_record(other):
        return
    if game.name == other.name:
        raise InputError(f"{first} and {second}: both {game.name}, but with other rules or menus")
    raise InputError(f"{first} is for {game.name}, and {second} is {other.name}: not one game")

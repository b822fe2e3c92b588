# SPDX-License-Identifier: MIT
"""`load_game`: games from a name, a file of rules or a custom class."""

import re
from inspect import signature
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.custom_code import at_home, code_sha256, is_custom_code, load_custom, naming
from regretless.errors import InputError
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.explicit_tree import enumerate_game
from regretless.games.face import Game
from regretless.games.poker_rules import make_poker
from regretless.games.variants import VARIANTS, Variant, make_variant
from regretless.notation.text_file import read_yaml

OPEN_SPIEL = "openspiel:"
_LIARS_DICE = re.compile(r"liars-dice-([0-9]{1,2})x([0-9]{1,2})f(?:-([0-9]{1,2})p)?")
_MEMBERS = ("num_players", "root", "actor", "actions", "next", "chance", "infoset", "payoffs")
LIARS_DICE_EXAMPLES = ("liars-dice-1x4f", "liars-dice-1x5f", "liars-dice-1x6f", "liars-dice-2x3f")


def game_names() -> list[str]:
    """The names of games; Liar's Dice comes in any size (`liars-dice-2x6f-3p`)."""
    return [*VARIANTS, *LIARS_DICE_EXAMPLES]


def load_game(name: str | Path, **options: Any) -> Game:
    """Loads a game by its name, from a file of rules, or from a custom class.

    Files are `.yaml` variants and `.game` ACPC definitions. A class is `my_game.py:MyGame` or
    `package.module:MyGame` (docs/python_games.md), and `openspiel:NAME` a game of OpenSpiel; both
    become explicit trees. Options override the keys of a poker variant: `load_game("nlhe",
    players=6, stacks=20_000, menu="33%,75%,a")`. Liar's Dice takes only `players`, a class the
    arguments of its constructor. InputError names the problem.
    """
    name = str(name)
    if name.startswith(OPEN_SPIEL):
        return _load_open_spiel(name, options)
    if is_custom_code(name):
        return _load_custom(name, options)
    if name.endswith((".yaml", ".yml")):
        return make_poker(read_variant(Path(name), **options), name)
    if name.endswith(".game"):
        from regretless.games.game_definition import read_game_definition

        return make_poker(read_game_definition(Path(name), **options), name)
    if name.startswith("liars-dice"):
        return _load_liars_dice(name, options)
    if name not in VARIANTS:
        raise InputError.unknown(f"unknown game {name!r}", name, game_names())
    return make_poker(named_variant(name, **options), name)


def play_at_table(game: Any, name: str, source: str = "") -> ExplicitGame:
    """The explicit game of an object with the members of a `PythonGame`."""
    missing = [each for each in _MEMBERS if not hasattr(game, each)]
    if missing:
        said = f"is no game: it has no {', '.join(missing)} (docs/python_games.md)"
        raise InputError(f"{source or name}: {said}")
    with naming(source or name, "enumerating it"):
        tree, hands = enumerate_game(game)
        return ExplicitGame(tree, name, hands)


def _load_custom(source: str, options: dict[str, Any]) -> ExplicitGame:
    make = load_custom(source, "game", "my_game.py:MyGame")
    name, players = source.rpartition(":")[2], None
    if "players" in options and not signature(make).parameters:  # whose game has so many as it has
        players = options.pop("players")
    with naming(source, f"{name}({', '.join(f'{key}={options[key]!r}' for key in options)})"):
        game = make(**options)
    found = play_at_table(game, name, source)
    if players not in (None, found.num_players):
        raise InputError(f"{source}: is for {found.num_players} players, not {players}")
    home = at_home(source, Path.cwd())
    found.origin = {"name": home, "options": options, "sha256": code_sha256(home)}
    return found


def _load_open_spiel(name: str, options: dict[str, Any]) -> ExplicitGame:
    from regretless.explicit.open_spiel import OpenSpielGame

    text = name.removeprefix(OPEN_SPIEL)
    if options:
        given = ",".join(f"{key}={value}" for key, value in options.items())
        if "(" in text:
            raise InputError(f"{name}: give options in the name or apart, not both")
        text = f"{text}({given})"
    found = play_at_table(OpenSpielGame(text), text, name)
    found.origin = {"name": f"{OPEN_SPIEL}{text}", "options": {}}
    return found


def named_variant(name: str, **options: Any) -> Variant:
    """The row of a named variant with options laid over it."""
    row = {"name": name, **VARIANTS[name], **options}
    if name == "kuhn" and row.get("players") == 3 and "deck" not in options:
        row["deck"] = {"ranks": "JQKA", "suits": 1}
    return make_variant(row, name)


def read_variant(path: str | Path, **options: Any) -> Variant:
    """A variant from a YAML file; `base: nlhe` starts from a named one."""
    place = str(path)
    row = read_yaml(path)
    if not isinstance(row, dict):
        raise InputError(f"{place}: must be a mapping of keys such as players, stacks, menu")
    base = row.pop("base", None)
    if base is not None:
        if not isinstance(base, str) or base not in VARIANTS:
            raise InputError(f"{place}: base: unknown variant {base!r}")
        row = {**VARIANTS[base], **row}
    row.setdefault("name", Path(path).stem)
    return make_variant({**row, **options}, place)


def _load_liars_dice(name: str, options: dict[str, Any]) -> Game:
    match = _LIARS_DICE.fullmatch(name)
    if not match:
        raise InputError(
            f"{name!r}: Liar's Dice is named by dice x faces, as in liars-dice-1x6f, -2x3f-3p"
        )
    players = options.pop("players", int(match[3]) if match[3] else 2)
    if options:
        raise InputError(f"{name}: unknown option {next(iter(options))!r}; there is only players")
    try:
        return _native.LiarsDice(int(match[1]), int(match[2]), players)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: {str(error).splitlines()[0]}") from None

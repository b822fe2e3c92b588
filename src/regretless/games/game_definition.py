# SPDX-License-Identifier: MIT
"""ACPC game definitions (`*.game`): `GAMEDEF`, one `key = values` a line, `END GAMEDEF`.

Keys may be in any case; `#` begins a comment. Missing keys have the defaults of the ACPC dealer.
Stacks are at most 100,000,000 chips, also where the dealer has no bound.
The ACPC takes small decks from the top: three ranks are Q, K and A.
"""

import re
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games.variants import Variant, make_variant
from regretless.notation.cards import RANKS
from regretless.notation.text_file import read_text

Values = dict[str, list[int]]

_KEYS = {
    key.lower(): key
    for key in (
        *("stack", "blind", "raiseSize", "numPlayers", "numRounds", "firstPlayer", "maxRaises"),
        *("numSuits", "numRanks", "numHoleCards", "numBoardCards"),
    )
}
_NO_STACK_BOUND = 2**31 - 1
_MAX_STACK = 100_000_000
_NO_RAISE_CAP = 255


def read_game_definition(path: str | Path, **options: Any) -> Variant:
    """The variant that a `.game` file defines; options override its keys (`menu="33%,a"`)."""
    return parse_game_definition(read_text(path), str(path), name=Path(path).stem, **options)


def parse_game_definition(text: str, place: str = "game definition", **options: Any) -> Variant:
    """Reads a variant from the text of a `.game` file; errors name the `place`."""
    is_no_limit, values = _read_lines(text, place)
    players = _one(values, "numPlayers", place)
    rounds = _one(values, "numRounds", place)
    hole_cards = _one(values, "numHoleCards", place)
    board_cards = _several(values, "numBoardCards", rounds, place)
    blinds = _several(values, "blind", players, place, default=0)
    stacks = _several(values, "stack", players, place, default=_NO_STACK_BOUND)
    first = _several(values, "firstPlayer", rounds, place, default=1)
    caps = _several(values, "maxRaises", rounds, place, default=_NO_RAISE_CAP)
    if not all(1 <= seat <= players for seat in first):
        raise InputError(f"{place}: firstPlayer: must be 1 to {players}, not {first}")
    if not any(blinds):
        raise InputError(f"{place}: blind: somebody must post one")
    row = {
        "name": "acpc",
        "players": players,
        "deck": _deck(values, place),
        "hole_cards": hole_cards,
        "board_cards": board_cards,
        "limit": "none" if is_no_limit else "fixed",
        "bets": None if is_no_limit else _several(values, "raiseSize", rounds, place),
        "max_raises": [_native.NO_RAISE_CAP if cap >= _NO_RAISE_CAP else cap for cap in caps],
        "blinds": blinds,
        "stacks": [_MAX_STACK if stack == _NO_STACK_BOUND else stack for stack in stacks],
        "first_actors": [seat - 1 for seat in first],
        "showdown": _showdown(hole_cards, sum(board_cards), place),
        "unit": max(blinds, default=0) or 1,
    }
    return make_variant({**row, **options}, place)


def _read_lines(text: str, place: str) -> tuple[bool, Values]:
    """Returns whether the game is no-limit, and the values by key."""
    is_no_limit, has_begun, values = False, False, Values()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].lower().split()
        if not words:
            continue
        if words == ["end", "gamedef"] and has_begun:
            return is_no_limit, values
        if not has_begun and words != ["gamedef"]:
            raise InputError(f"{place}: line {number}: must begin with GAMEDEF")
        if words == ["limit"] or words == ["nolimit"]:
            is_no_limit = words == ["nolimit"]
        elif has_begun:
            _read_line(line.split("#")[0], values, f"{place}: line {number}")
        has_begun = True
    raise InputError(f"{place}: END GAMEDEF is missing")


def _read_line(line: str, values: Values, place: str) -> None:
    match = re.fullmatch(r"\s*([A-Za-z]+)[\s=]+([0-9][0-9\s]*)", line)
    if not match:
        raise InputError(f"{place}: must be a key and whole numbers, not {line.strip()!r}")
    key = _KEYS.get(match[1].lower())
    if key is None:
        known = ", ".join(["limit", "nolimit", *_KEYS.values()])
        raise InputError(f"{place}: unknown key {match[1]!r}; there are {known}")
    if key in values:
        raise InputError(f"{place}: {key} is given twice")
    numbers = match[2].split()
    values[key] = [int(number.lstrip("0")[:11] or 0) for number in numbers]
    most = max(values[key])
    if most > _MAX_STACK and not (key == "stack" and most == _NO_STACK_BOUND):
        raise InputError(f"{place}: {key}: must be at most {_MAX_STACK}, not {most}")


def _one(values: Values, key: str, place: str) -> int:
    return _several(values, key, 1, place)[0]


def _several(
    values: Values, key: str, count: int, place: str, default: int | None = None
) -> list[int]:
    if key in values:
        if len(values[key]) != count:
            raise InputError(f"{place}: {key}: needs {count} values, not {len(values[key])}")
        return values[key]
    if default is None:
        raise InputError(f"{place}: {key} is missing")
    if count > 10:
        raise InputError(f"{place}: {key}: at most 10 values")
    return [default] * count


def _deck(values: Values, place: str) -> dict[str, Any]:
    suits, ranks = _one(values, "numSuits", place), _one(values, "numRanks", place)
    if not 1 <= suits <= 4:
        raise InputError(f"{place}: numSuits: must be 1 to 4, not {suits}")
    if not 1 <= ranks <= len(RANKS):
        raise InputError(f"{place}: numRanks: must be 1 to 13, not {ranks}")
    return {"ranks": RANKS[-ranks:], "suits": suits}


def _showdown(hole_cards: int, board_cards: int, place: str) -> str:
    if hole_cards == 1 and board_cards <= 1:
        return "pair"
    if hole_cards == 2 and 3 <= board_cards <= 5:
        return "holdem"
    raise InputError(
        f"{place}: numHoleCards, numBoardCards: must be 1 with at most 1 on the board, "
        f"or 2 with 3 to 5, not {hole_cards} with {board_cards}"
    )

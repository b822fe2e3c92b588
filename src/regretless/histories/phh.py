# SPDX-License-Identifier: MIT
"""Hand histories in the PHH format (TOML): one hand a `.phh` file, several in a `.phhs` file.

Variants: NT and FT (no-limit and fixed-limit hold'em), NS (short deck) and PO (Omaha with four
cards). PO5 (five cards), FO (fixed limit) and PT (pot-limit hold'em) are codes of this package,
which other readers refuse. Small games have no code and cannot be written.

Players are the seats in order, `p1` being seat 0. Heads-up, the format lists antes and blinds
with the button first, that is, opposite to the players and stacks.

Amounts are whole chips; `scale` says how many chips one unit of the file is, and is found by itself
unless it is given: dollars are read as cents. Unknown hole cards are `????`, unknown stacks `inf`;
board cards must be known.
"""

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.games.poker_rules import make_poker
from regretless.games.variants import make_variant
from regretless.histories.phh_actions import AllInError, format_actions, replay
from regretless.histories.phh_fields import CODES, FIXED_LIMIT, HandFields, first_actor, turned
from regretless.histories.recorded_hand import RecordedHand
from regretless.notation.text_file import read_text
from regretless.storage.files import require_place, told_on_failure


def write_phh(episode: _native.PokerEpisode, players: Sequence[str] | None = None) -> str:
    """The episode so far as a hand history; InputError if the format has no code for the game.

    The stacks at the end are added if they are known: only they show the rake.
    """
    rules = episode.game.rules
    code = game_code(rules)
    lines = [f"variant = '{code}'"]
    if any(rules.antes):
        lines.append("ante_trimming_status = true")  # an ante that nobody matches goes back
    lines.append(f"antes = {turned(rules.antes)}")
    lines.append(f"blinds_or_straddles = {turned(rules.blinds)}")
    if code in FIXED_LIMIT:
        lines += [f"small_bet = {rules.bets[0]}", f"big_bet = {rules.bets[-1]}"]
    else:
        lines.append(f"min_bet = {rules.bets[0]}")
    lines.append(f"starting_stacks = {rules.stacks}")
    lines += ["actions = [", *(f"  '{action}'," for action in format_actions(episode)), "]"]
    if players is not None:
        lines.append(f"players = [{', '.join(_quote(name) for name in players)}]")
    if episode.is_terminal and _is_settled(episode):
        stacks = [s + p for s, p in zip(rules.stacks, episode.payoffs, strict=True)]
        lines.append(f"finishing_stacks = {stacks}")
    return "\n".join(lines) + "\n"


def format_fields(fields: Mapping[str, Any]) -> str:
    """Fields as the text of a hand history, in their order."""
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal | float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quote(key)} = {_toml(each)}' for key, each in value.items())}}}"
    return str(value)  # a number, a date or a time


class PhhsFile:
    """A .phhs file that is complete after every hand."""

    def __init__(self, game: Game, path: Path) -> None:
        """Checks that hands of the game can be written, before anything is played."""
        if path.suffix != ".phhs":
            raise InputError(f"{path}: must end in .phhs, as it holds several hands")
        require_place(path)
        write_phh(require_poker(game, "PHH is for poker only").episode())
        self._path, self._hands = path, 0
        with told_on_failure(path):
            path.write_text("")

    def add(self, episode: Episode, players: Sequence[str]) -> None:
        poker = view(episode).poker
        assert poker is not None
        self._hands += 1
        with told_on_failure(self._path), self._path.open("a", encoding="utf-8") as file:
            file.write(f"[{self._hands}]\n{write_phh(poker, players)}\n")


def write_phhs(episodes: Iterable[_native.PokerEpisode]) -> str:
    """Several hand histories as the text of one `.phhs` file."""
    return "\n".join(f"[{i}]\n{write_phh(episode)}" for i, episode in enumerate(episodes, 1))


def read_phh(
    text: str, place: str = "hand history", scale: int | None = None, **options: Any
) -> _native.PokerEpisode:
    """The episode of a hand history, in a game made from its fields.

    Options override the keys of the game's variant (`menu="33%,a"`); `place` is what errors name.
    Fixed limit allows four raises on every street, the first too, unless `max_raises` is given.
    TypeError for anything but a text.
    """
    if not isinstance(text, str):
        raise TypeError(f"{place}: must be a text, not {type(text).__name__}")
    return read_phh_hand(text, place, scale, **options).episode


def read_phh_file(
    path: str | Path, scale: int | None = None, **options: Any
) -> list[_native.PokerEpisode]:
    """The episodes of a `.phh` or `.phhs` file."""
    text, place = read_text(path), str(path)
    if not place.endswith(".phhs"):
        return [read_phh(text, place, scale, **options)]
    hands = read_phhs(text.splitlines(keepends=True), place, scale, **options)
    return [hand.episode for hand in hands]


_TABLE = re.compile(r"\[\s*([A-Za-z0-9_-]+)\s*\]\s*(?:#.*)?")
_LINE = re.compile(r"\(at line ([0-9]+)")


def read_phhs(
    lines: Iterable[str], place: str = "hand histories", scale: int | None = None, **options: Any
) -> Iterator[RecordedHand]:
    """The hands of a `.phhs` file one after the other, with the names of their players.

    Only one hand is held at a time.
    """
    for _, read in phhs_pieces(lines, place, **options):
        yield read(scale)


def phhs_pieces(
    lines: Iterable[str], place: str, **options: Any
) -> Iterator[tuple[int, Callable[[int | None], RecordedHand]]]:
    """The line of each table of a `.phhs` file, and the call that reads its hand in a scale."""
    for name, first, text in _tables(lines, place):
        table = f"{place}: [{name}]"
        yield first, partial(read_phh_hand, text, table, first=first, **options)


def _tables(lines: Iterable[str], place: str) -> Iterator[tuple[str, int, str]]:
    """The tables of a file: name, lines before the text, and the text."""
    name, first, kept, seen = "", 0, list[str](), set[str]()
    for number, line in enumerate(lines, 1):
        match = _TABLE.fullmatch(line.strip()) if line.startswith("[") else None
        if match is None:
            if not name and line.split("#")[0].strip():
                raise InputError(f"{place}: line {number}: must stand in a table such as [1]")
            kept.append(line)
            continue
        if name:
            yield name, first, "".join(kept)
        name, first, kept = match[1], number, []
        if name in seen:
            raise InputError(f"{place}: line {number}: [{name}] comes twice")
        seen.add(name)
    if name:
        yield name, first, "".join(kept)


_NUMBER = r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,9})?"
_TEXTS = r"'[^'\x00-\x1f\x7f]*+'", r'"[^"\\\x00-\x1f\x7f]*+"'
_LISTS = [rf"\[((?:\s*+{each}\s*+(?:,|(?=\s*\])))*+)\s*+\]" for each in _TEXTS]
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_FIELD = re.compile(  # one group for each kind of value
    rf"([a-z_]+) = (?:({'|'.join(_TEXTS)})|({_NUMBER})|(true|false)|({_TIME})"
    rf"|{'|'.join(_LISTS)}|\[({_NUMBER}(?:, {_NUMBER})*+)\])(?:\n++|\Z)"
)


def _number(text: str) -> int | Decimal:
    return Decimal(text) if "." in text else int(text)


_READERS: list[Callable[[str], Any]] = [
    lambda text: text[1:-1],
    _number,
    lambda text: text == "true",
    time.fromisoformat,
    lambda text: text.split("'")[1::2],
    lambda text: text.split('"')[1::2],
    lambda text: [*map(_number, text.split(", "))],
]


def _plain_fields(text: str) -> dict[str, Any] | None:
    """The fields as tomllib reads them, much faster; None unless all are of a plain form."""
    fields, at = dict[str, Any](), 0
    while (found := _FIELD.match(text, at)) and found[1] not in fields:
        kind = found.lastindex or 0
        fields[found[1]] = _READERS[kind - 2](found[kind])
        at = found.end()
    return fields if at == len(text) else None


def _read_toml(text: str, place: str, first: int) -> dict[str, Any]:
    """Reads the fields; `first` lines of the file come before the text."""
    if fields := _plain_fields(text):
        return fields
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        whole = _LINE.sub(lambda found: f"(at line {int(found[1]) + first}", str(error))
        raise InputError(f"{place}: {whole}") from None
    except RecursionError:
        raise InputError(f"{place}: nested too deeply") from None
    except (ArithmeticError, ValueError):
        raise InputError(f"{place}: a number has too many digits") from None


def read_phh_hand(
    text: str, place: str, scale: int | None = None, *, first: int = 0, **options: Any
) -> RecordedHand:
    """The hand of a text, with the names of its players; `first` lines of a file come before."""
    return play_fields(_read_toml(text, place, first), place, scale, **options)


def play_fields(
    fields: dict[str, Any], place: str, scale: int | None = None, **options: Any
) -> RecordedHand:
    """Plays the hand that the fields of a hand history describe; InputError names the field."""
    hand = HandFields(fields, place, scale)
    actions, given = list(hand.texts("actions")), dict[int, int]()
    for _ in range(11):  # a stack that is found lets the hand begin again
        row, moved = hand.row(given)
        game = _game(row, options, place)
        episode = _native.PokerEpisode(game, [])
        try:
            folded = replay(episode, actions, f"{place}: actions", hand.scale, hand.unknown)
            break
        except AllInError as found:
            extra = moved[found.seat] if moved else 0
            if given.get(found.seat) == found.stack - extra:
                raise InputError(f"{place}: actions: p{found.seat + 1} does not act") from None
            given[found.seat] = found.stack - extra
    else:
        raise InputError(f"{place}: starting_stacks: none fit the actions")
    players = hand.texts("players") if "players" in fields else None
    if players is not None and len(players) != game.num_players:
        raise InputError(f"{place}: players: must be {game.num_players} names")
    fields = {**fields, "actions": actions}
    recorded = RecordedHand(episode, players, 0, fields, hand.scale, folded, moved)
    won = _won_at_end(recorded, hand) if "finishing_stacks" in fields else None
    return replace(recorded, won=_winnings(recorded, hand) if won is None else won)


def _game(row: dict[str, Any], options: dict[str, Any], place: str) -> _native.Poker:
    """The game of a row; without options all but its chips is made once."""
    if options:
        return make_poker(make_variant({**row, **options}, place), place)
    with refusing(place):
        kind = _kind_of_game(row["name"], row["players"])
        rules = kind.rules  # a copy
        for name in ("stacks", "antes", "blinds", "bets", "first_actors", "unit"):
            setattr(rules, name, row[name])
        return _native.Poker(rules, kind.menu)


@cache
def _kind_of_game(name: str, players: int) -> _native.Poker:
    code = next(row for row in CODES.values() if row["name"] == name)
    row = {**code, "players": players, "blinds": [2, 1]}
    return make_poker(make_variant(row, name), name)


def _won_at_end(recorded: RecordedHand, hand: HandFields) -> tuple[int, ...] | None:
    """Chips that each seat took from the pot, by the final stacks; None with unknown stacks.

    InputError if they contradict cards and bets.
    """
    place, given = f"{hand.place}: finishing_stacks", hand.amounts("finishing_stacks")
    stacks = [stack for stack in hand.stacks if stack is not None]
    if hand.unknown:
        return None
    if len(given) != len(stacks):
        raise InputError(f"{place}: must be a list with an amount for each player")
    if not recorded.is_over:
        raise InputError(f"{place}: the hand is not over")
    left = [stack - paid for stack, paid in zip(stacks, recorded.put_in, strict=True)]
    if sum(given) > sum(left) + sum(recorded.episode.paid):
        raise InputError(f"{place}: {sum(given)} chips in all, of {sum(stacks)} at the start")
    won = tuple(end - each for end, each in zip(given, left, strict=True))
    if (wrong := recorded.mismatch(won)) is not None:
        seat, least, most = wrong
        due = f"{left[seat] + least}" + (f" to {left[seat] + most}" if most > least else "")
        raise InputError(f"{place}[{seat}]: p{seat + 1} ends with {due}, not {given[seat]}")
    return won


def _winnings(recorded: RecordedHand, hand: HandFields) -> tuple[int, ...] | None:
    """The field `winnings`, if cards and bets allow it: many files have zeros there."""
    if "winnings" not in hand.fields or not recorded.is_over:
        return None
    try:
        won = hand.amounts("winnings")
    except InputError:
        return None
    if len(won) != recorded.episode.game.num_players or not any(won):
        return None
    if recorded.mismatch(won) is not None:  # some sites count the bet that nobody called as won
        won = [each - back for each, back in zip(won, recorded.uncalled, strict=True)]
    return tuple(won) if recorded.mismatch(won) is None else None


def game_code(rules: _native.PokerRules) -> str:
    """The code of the game; InputError if a hand history would lose part of it."""
    kind = (rules.limit.name, rules.showdown.name, rules.num_hole_cards)
    code = next((code for code, row in CODES.items() if _kind(row) == kind), None)
    if code is None:
        raise InputError(
            f"{rules.name}: PHH has no code for this game; there are {', '.join(CODES)}"
        )
    if rules.board_cards != [0, 3, 1, 1]:
        raise InputError(f"{rules.name}: PHH is for games with a flop, a turn and a river")
    streets = [0, 0, 2, 2] if code in FIXED_LIMIT else [0] * 4
    if rules.bets != [rules.bets[i] for i in streets]:
        raise InputError(f"{rules.name}: PHH has no way to write bets of {rules.bets}")
    chips = (rules.antes, rules.blinds, rules.stacks)
    first = first_actor(*chips, first=rules.first_actors[0])
    if first != first_actor(*chips) or any(rules.first_actors[1:]):
        raise InputError(f"{rules.name}: PHH has no way to write who speaks first")
    return code


def _kind(row: dict[str, Any]) -> tuple[str, str, int]:
    """The names of the limit and of the showdown of a variant, and the number of hole cards."""
    showdown = row.get("showdown", "holdem").upper().replace("-", "_")
    return row.get("limit", "none").upper(), showdown, row.get("hole_cards", 2)


def _is_settled(episode: _native.PokerEpisode) -> bool:
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    return len(live) == 1 or all(episode.hole(seat) for seat in live)


def _quote(name: str) -> str:
    if name.isprintable() and not ('"' in name or "\\" in name):
        return f'"{name}"'
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")

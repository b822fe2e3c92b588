# SPDX-License-Identifier: MIT
"""Hand histories in the PHH format (TOML): one hand a `.phh` file, several in a `.phhs` file.

Variants: NT and FT (no-limit and fixed-limit hold'em), NS (short deck) and PO (Omaha with four
cards). The format has no code for five-card Omaha and small games, so these cannot be written.

Players are the seats in order, `p1` being seat 0. Heads-up, the format lists antes and blinds
with the button first, that is, opposite to the players and stacks.

Amounts are whole chips; `scale` says how many chips one unit of the file is, so that `scale=100`
reads dollars as cents. Unknown hole cards are `????`; board cards must be known.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.games.poker_rules import make_poker
from regretless.games.variants import make_variant
from regretless.histories.hand_log import RecordedHand
from regretless.histories.phh_actions import format_actions, replay, to_chips
from regretless.notation.text_file import read_text
from regretless.storage.files import require_place, told_on_failure

_CODES: dict[str, dict[str, Any]] = {
    "FT": {"name": "limit-holdem", "limit": "fixed", "max_raises": 4},
    "NT": {"name": "nlhe"},
    "NS": {"name": "short-deck", "deck": {"ranks": "6789TJQKA"}, "showdown": "short-deck"},
    "PO": {"name": "plo4", "limit": "pot", "hole_cards": 4, "showdown": "omaha"},
}


def write_phh(episode: _native.PokerEpisode, players: Sequence[str] | None = None) -> str:
    """The episode so far as a hand history; InputError if the format has no code for the game.

    The stacks at the end are added if they are known: only they show the rake.
    """
    rules = episode.game.rules
    code = _code(rules)
    lines = [f"variant = '{code}'"]
    if any(rules.antes):
        lines.append("ante_trimming_status = true")  # an ante that nobody matches goes back
    lines.append(f"antes = {_turned(rules.antes)}")
    lines.append(f"blinds_or_straddles = {_turned(rules.blinds)}")
    if code == "FT":
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
    text: str, place: str = "hand history", scale: int = 1, **options: Any
) -> _native.PokerEpisode:
    """The episode of a hand history, in a game made from its fields.

    Options override the keys of the game's variant (`menu="33%,a"`); `place` is what errors name.
    Fixed limit allows four raises on every street, the first too, unless `max_raises` is given.
    TypeError for anything but a text.
    """
    if not isinstance(text, str):
        raise TypeError(f"{place}: must be a text, not {type(text).__name__}")
    return read_phh_hand(text, place, scale, **options).episode


def read_phh_file(path: str | Path, scale: int = 1, **options: Any) -> list[_native.PokerEpisode]:
    """The episodes of a `.phh` or `.phhs` file."""
    text, place = read_text(path), str(path)
    if not place.endswith(".phhs"):
        return [read_phh(text, place, scale, **options)]
    hands = read_phhs(text.splitlines(keepends=True), place, scale, **options)
    return [hand.episode for hand in hands]


_TABLE = re.compile(r"\[\s*([A-Za-z0-9_-]+)\s*\]\s*(?:#.*)?")
_LINE = re.compile(r"\(at line ([0-9]+)")


def read_phhs(
    lines: Iterable[str], place: str = "hand histories", scale: int = 1, **options: Any
) -> Iterator[RecordedHand]:
    """The hands of a `.phhs` file one after the other, with the names of their players.

    Only one hand is held at a time.
    """
    for name, first, text in _tables(lines, place):
        yield read_phh_hand(text, f"{place}: [{name}]", scale, first=first, **options)


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


def _read_toml(text: str, place: str, first: int) -> dict[str, Any]:
    """Reads the fields; `first` lines of the file come before the text."""
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
    text: str, place: str, scale: int = 1, *, first: int = 0, **options: Any
) -> RecordedHand:
    """The hand of a text, with the names of its players; `first` lines of a file come before."""
    fields = _read_toml(text, place, first)
    hand = _Fields(fields, place, scale)
    game = make_poker(make_variant({**_variant(hand), **options}, place), place)
    episode = _native.PokerEpisode(game, [])
    replay(episode, hand.texts("actions"), f"{place}: actions", scale)
    if "finishing_stacks" in fields:
        _check_end(episode, hand)
    players = hand.texts("players") if "players" in fields else None
    if players is not None and len(players) != game.num_players:
        raise InputError(f"{place}: players: must be {game.num_players} names")
    return RecordedHand(episode, players)


def _check_end(episode: _native.PokerEpisode, hand: "_Fields") -> None:
    """Checks the final stacks, if given, as far as the actions determine them.

    Winners may have less, as the rake is no field of the format, and a few odd chips more or less
    where several win: not every engine gives them to the same seat.
    """
    rules, paid = episode.game.rules, episode.paid
    place, given = f"{hand.place}: finishing_stacks", hand.amounts("finishing_stacks")
    if len(given) != rules.num_players:
        raise InputError(f"{place}: must be a list with an amount for each player")
    if not episode.is_terminal:
        raise InputError(f"{place}: the hand is not over")
    if sum(given) > sum(rules.stacks):
        raise InputError(f"{place}: {sum(given)} chips in all, of {sum(rules.stacks)} at the start")
    lost = [stack - paid[seat] for seat, stack in enumerate(rules.stacks)]
    if not _is_settled(episode):
        won = [(0, episode.pot if is_live else 0) for is_live in episode.live]
    else:
        wins = [payoff + paid[seat] for seat, payoff in enumerate(episode.payoffs)]
        rake = max(0, sum(lost) + sum(wins) - sum(given))
        odd = rules.num_players**2 if sum(win > 0 for win in wins) > 1 else 0
        won = [(max(0, win - rake - odd), win + odd) if win else (0, 0) for win in wins]
    for seat, (least, most) in enumerate(won):
        if not lost[seat] + least <= given[seat] <= lost[seat] + most:
            due = f"{lost[seat] + least}" + (f" to {lost[seat] + most}" if most > least else "")
            raise InputError(f"{place}[{seat}]: p{seat + 1} ends with {due}, not {given[seat]}")


def _variant(hand: "_Fields") -> dict[str, Any]:
    """The row of the game that the fields describe."""
    code = hand.get("variant")
    if not isinstance(code, str) or code not in _CODES:
        raise InputError(f"{hand.place}: variant: no code {code!r}; there are {', '.join(_CODES)}")
    stacks = hand.amounts("starting_stacks")
    if not 2 <= len(stacks) <= 10:
        raise InputError(f"{hand.place}: starting_stacks: must be 2 to 10 players")
    antes = hand.amounts("antes", len(stacks))
    blinds = hand.amounts("blinds_or_straddles", len(stacks), may_be_negative=True)
    names = ["small_bet", "small_bet", "big_bet", "big_bet"] if code == "FT" else ["min_bet"] * 4
    posted = {min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)}
    if len(posted) > 1 and hand.fields.get("ante_trimming_status") is not True:
        raise InputError(
            f"{hand.place}: antes: differ between players; only with ante_trimming_status = true, "
            "where what nobody matches goes back, can these be played"
        )
    return {
        **_CODES[code],
        "players": len(stacks),
        "stacks": stacks,
        "antes": antes,
        "blinds": [abs(blind) for blind in blinds],
        "bets": [hand.amount(name) for name in names],
        "first_actors": [_first_actor(antes, blinds, stacks), 0, 0, 0],
        "unit": hand.amount(names[0]),
    }


class _Fields:
    """The fields of one hand history, with amounts turned into chips."""

    def __init__(self, fields: dict[str, Any], place: str, scale: int) -> None:
        self.fields, self.place, self.scale = fields, place, scale

    def get(self, name: str) -> Any:
        if name not in self.fields:
            raise InputError(f"{self.place}: {name} is missing")
        return self.fields[name]

    def texts(self, name: str) -> list[str]:
        values = self.get(name)
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise InputError(f"{self.place}: {name}: must be a list of strings")
        return values

    def amount(self, name: str) -> int:
        return to_chips(self.get(name), self.scale, f"{self.place}: {name}")

    def amounts(
        self, name: str, count: int | None = None, may_be_negative: bool = False
    ) -> list[int]:
        """Amounts by seat; a list shorter than `count` is filled with zeros."""
        values = self.get(name)
        if not isinstance(values, list) or (count is not None and len(values) > count):
            raise InputError(f"{self.place}: {name}: must be a list with an amount for each player")
        chips = [
            to_chips(value, self.scale, f"{self.place}: {name}[{i}]", may_be_negative)
            for i, value in enumerate(values)
        ]
        return chips if count is None else _turned(chips + [0] * (count - len(chips)))


def _code(rules: _native.PokerRules) -> str:
    """The code of the game; InputError if a hand history would lose part of it."""
    kind = (rules.limit.name, rules.showdown.name, rules.num_hole_cards)
    code = next((code for code, row in _CODES.items() if _kind(row) == kind), None)
    if code is None:
        raise InputError(f"{rules.name}: PHH has no code for this game; it has {', '.join(_CODES)}")
    if rules.board_cards != [0, 3, 1, 1]:
        raise InputError(f"{rules.name}: PHH is for games with a flop, a turn and a river")
    streets = [0, 0, 2, 2] if code == "FT" else [0] * 4
    if rules.bets != [rules.bets[i] for i in streets]:
        raise InputError(f"{rules.name}: PHH has no way to write bets of {rules.bets}")
    chips = (rules.antes, rules.blinds, rules.stacks)
    first = _first_actor(*chips, first=rules.first_actors[0])
    if first != _first_actor(*chips) or any(rules.first_actors[1:]):
        raise InputError(f"{rules.name}: PHH has no way to write who speaks first")
    return code


def _kind(row: dict[str, Any]) -> tuple[str, str, int]:
    """The names of the limit and of the showdown of a variant, and the number of hole cards."""
    showdown = row.get("showdown", "holdem").upper().replace("-", "_")
    return row.get("limit", "none").upper(), showdown, row.get("hole_cards", 2)


def _first_actor(
    antes: list[int], blinds: list[int], stacks: list[int], first: int | None = None
) -> int:
    """The first seat with chips from `first` on, or from the seat after the largest blind posted.

    A blind below zero is posted out of turn.
    """
    seats = range(len(stacks))
    left = [max(0, stack - ante) for stack, ante in zip(stacks, antes, strict=True)]
    posted = [min(abs(blind), chips) for blind, chips in zip(blinds, left, strict=True)]
    if first is None:
        sign = [1 if blind >= 0 else -1 for blind in blinds]
        first = max(seats, key=lambda seat: (posted[seat] * sign[seat], seat)) + 1
    order = [(first + i) % len(stacks) for i in seats]
    return next((seat for seat in order if left[seat] > posted[seat]), 0)


def _turned(values: list[int]) -> list[int]:
    return values[::-1] if len(values) == 2 else values


def _is_settled(episode: _native.PokerEpisode) -> bool:
    live = [seat for seat, is_live in enumerate(episode.live) if is_live]
    return len(live) == 1 or all(episode.hole(seat) for seat in live)


def _quote(name: str) -> str:
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")

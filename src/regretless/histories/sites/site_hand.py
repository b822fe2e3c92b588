# SPDX-License-Identifier: MIT
"""A hand as a site writes it, gathered line by line, and then played as fields of PHH.

Only those who post or act were dealt in. Seats begin after the button. Blinds that are posted again
by others are out of turn, if they are live, or dead money.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import time
from decimal import Decimal
from functools import lru_cache
from typing import Any, NoReturn

from regretless.errors import InputError
from regretless.histories.phh import play_fields
from regretless.histories.phh_fields import ADDED, CODES, FIXED_LIMIT, turned
from regretless.histories.recorded_hand import RecordedHand

Amount = int | Decimal
Lines = Sequence[tuple[int, str]]
"""The lines of one hand with their numbers."""
HERO = "_hero"
"""The field of PHH with the seat of the player whose file it is; no field of the format itself."""
_NUMBER = re.compile(r"[0-9](?:[0-9.,'\u00a0\u202f ]*[0-9])?")
_CARD = re.compile(r"(10|Kn|[2-9TJQKADEВДКТÂÄÊÒ])([cdhs]|Kreuz|Karo|Herz|Pik)")
# Swedish (knekt, dam, ess) and Russian, also where its code page was taken for the western one.
_RANKS = dict(zip(("10", "Kn", *"DEВДКТÂÄÊÒ"), "TJQAJQKAJQKA", strict=True))
_SUITS = {"Kreuz": "c", "Karo": "d", "Herz": "h", "Pik": "s"}
_ACTION = re.compile(r"actions\[([0-9]+)\]: '.*?': (.*)")
_MOST_DIGITS = 12


@lru_cache(maxsize=4096)
def read_amount(text: str) -> Amount:
    """The number in a text such as `$1,234.50`, `1 234,50 €` or `34.069` (chips).

    A last separator with three digits behind it divides thousands, any other is the decimal point.
    """
    found = _NUMBER.search(text)
    if found is None:
        raise InputError(f"an amount is due, not {text[:40]!r}")
    parts = re.split(r"[.,'\u00a0\u202f ]", found[0])
    digits = "".join(parts)
    if not digits.isascii() or len(digits) > _MOST_DIGITS:
        raise InputError(f"too large or no number: {text[:40]!r}")
    if len(parts) == 1 or len(parts[-1]) == 3:
        return int(digits)
    return Decimal(f"{''.join(parts[:-1])}.{parts[-1]}")


def read_cards(text: str) -> str:
    """Cards without what stands between them: `AsKd`; InputError for anything else."""
    cards = []
    for name in re.findall(r"[^\s,\[\]]+", text):
        if card := _CARD.fullmatch(name):
            rank, suit = card.groups()
            cards.append(f"{_RANKS.get(rank, rank)}{_SUITS.get(suit, suit)}")
        elif name == "XX":  # which is hidden
            cards.append("??")
        else:
            raise InputError(f"no card: {name[:20]!r}")
    return "".join(cards)


class SiteHand:
    """The facts of one hand in the order of its lines."""

    def __init__(self, site: str, number: str, variant: str, bets: tuple[Amount, Amount]) -> None:
        self.site, self.number, self.variant, self.bets = site, number, variant, bets
        self.facts: dict[str, Any] = {}  # more fields
        self.button = 0
        self.line = 0  # the one that is read
        self.stacks: dict[str, tuple[int, Amount]] = {}  # number of the seat, chips
        self.antes: dict[str, Amount] = {}
        self.dead: dict[str, Amount] = {}
        self.blinds: dict[str, Amount] = {}
        self.extra: set[str] = set()  # those who posted out of turn
        self.short: set[str] = set()  # those who were all-in by an ante
        self.cards: dict[str, str] = {}  # as far as they are known
        self.shown: set[str] = set()  # those who showed them at the end
        self.hero: str | None = None
        self.added: Amount = 0
        self.won: dict[str, Amount] = {}
        self.street: dict[
            str, Amount
        ] = {}  # chips on this street, where a site writes what is added
        self._acted: set[str] = set()
        self._moves: list[tuple[int, str, str]] = []  # line, player or d, the rest

    def date(self, year: str, month: str, day: str, at: str) -> None:
        """Notes when the hand was played; `at` is `19:15:13`."""
        hour, minute, second = (int(each) for each in at.split(":"))
        if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
            raise InputError(f"no date: {year}/{month}/{day}")
        clock = time(hour, minute, second)
        self.facts |= {"time": clock, "day": int(day), "month": int(month), "year": int(year)}

    def sit(self, name: str, seat: int, stack: Amount) -> None:
        if name in self.stacks or any(seat == other for other, _ in self.stacks.values()):
            raise InputError(f"seat {seat} or {name!r} comes twice")
        self.stacks[name] = seat, stack

    def post_blind(self, name: str, amount: Amount, is_big: bool, is_all_in: bool) -> None:
        """A blind; a second one of its kind is out of turn if it is big, else dead."""
        due = self.bets[0] if is_big else amount
        if is_all_in and is_big and amount < due:
            amount = due
        is_second = any(size >= self.bets[0] for size in self.blinds.values())
        if is_big and not is_second and not is_all_in and self.variant not in FIXED_LIMIT:
            self.bets = amount, amount  # the level of a tournament has changed since the head
        if is_big and is_second:
            self.extra.add(name)
        elif not is_big and any(size < self.bets[0] for size in self.blinds.values()):
            self.dead[name] = amount
            return
        self.blinds[name] = amount

    def post_straddle(self, name: str, amount: Amount) -> None:
        self.blinds[name] = amount

    def post_dead(self, name: str, dead: Amount, live: Amount) -> None:
        """A blind of which a part is dead, by somebody who comes back."""
        self.dead[name] = dead
        if live:
            self.extra.add(name)
            self.blinds[name] = live

    def post_ante(self, name: str, amount: Amount, is_all_in: bool) -> None:
        self.antes[name] = amount
        if is_all_in:
            self.short.add(name)

    def act(self, name: str, action: str) -> None:
        """An action as PHH writes it: `f`, `cc`, `cbr 300`."""
        self._acted.add(name)
        self._moves.append((self.line, name, action))

    def deal_in(self) -> None:
        """Cards are dealt: whoever folded before and posted nothing was not dealt in."""
        away = self._acted - {*self.antes, *self.blinds, *self.dead}
        self._acted -= away
        self._moves = [move for move in self._moves if move[1] not in away]

    def deal(self, cards: str) -> None:
        """Public cards."""
        self._moves.append((self.line, "", read_cards(cards)))

    def show(self, name: str, cards: str, is_showdown: bool = True) -> None:
        """Cards that are shown at the end, or else become known to the writer of the file."""
        shown = read_cards(cards)
        if shown:
            self.cards[name] = shown
            if is_showdown:
                self.shown.add(name)

    def collect(self, name: str, amount: Amount) -> None:
        self.won[name] = self.won.get(name, 0) + amount

    def play(self, scale: int | None) -> RecordedHand:
        """The hand, played; InputError if lines contradict each other."""
        names = self._seats()
        fields, lines = self._fields(names)
        try:
            hand = play_fields(fields, "", scale)
        except InputError as error:
            found = _ACTION.search(str(error))
            if found is None:
                raise InputError(str(error).lstrip(": ")) from None
            self.line = lines[int(found[1])]
            raise InputError(found[2]) from None
        if not hand.is_over:
            raise InputError("the hand is not over")
        if not self.won:
            raise InputError("nobody takes the pot")
        if hand.won is None:
            self._refuse_results(hand, names)
        return hand

    def _refuse_results(self, hand: RecordedHand, names: list[str]) -> NoReturn:
        won = [int(self.won.get(name, 0) * hand.scale) for name in names]
        wrong = hand.mismatch(won)
        if wrong is None:
            raise InputError("what is taken from the pot is no whole number of cents")
        seat, least, most = wrong
        due = f"{Decimal(least) / hand.scale:f} to {Decimal(most) / hand.scale:f}"
        taken = f"{names[seat]} takes {self.won.get(names[seat], 0)} from the pot"
        raise InputError(f"{taken}, and cards and bets say {due}")

    def _seats(self) -> list[str]:
        """Those who were dealt in, from the seat after the button on."""
        there = {*self.antes, *self.blinds, *self.dead, *self._acted}
        strangers = [name for name in (*there, *self.won) if name not in self.stacks]
        if strangers:
            raise InputError(f"{strangers[0]!r} has no seat")
        numbers = {name: seat for name, (seat, _) in self.stacks.items() if name in there}
        return sorted(numbers, key=lambda name: (numbers[name] <= self.button, numbers[name]))

    def _fields(self, names: list[str]) -> tuple[dict[str, Any], list[int]]:
        """The fields of PHH, and the line of each action."""
        players = {name: f"p{i}" for i, name in enumerate(names, 1)}
        stacks = [self.stacks[name][1] for name in names]
        ante = max(self.antes.values(), default=0)
        is_even = set(self.antes) in (set(), set(names)) and all(
            self.antes[name] == ante or name in self.short for name in self.antes
        )
        antes = [
            (ante if is_even and self.antes else self.antes.get(name, 0)) + self.dead.get(name, 0)
            for name in names
        ]
        blinds = [
            -self.blinds[name] if name in self.extra else self.blinds.get(name, 0) for name in names
        ]
        bets = (
            {"small_bet": self.bets[0], "big_bet": self.bets[1]}
            if self.variant in FIXED_LIMIT
            else {"min_bet": self.bets[0]}
        )
        actions, lines = self._actions(players)
        fields = {
            "variant": self.variant,
            "ante_trimming_status": is_even and not self.dead,
            "antes": turned(antes),
            "blinds_or_straddles": turned(blinds),
            **bets,
            "starting_stacks": stacks,
            "actions": actions,
            "venue": self.site,
            **self.facts,
            "hand": self.number,
            "seats": [self.stacks[name][0] for name in names],
            "players": names,
            "winnings": [self.won.get(name, 0) for name in names],
        }
        if self.hero in players:
            fields[HERO] = names.index(self.hero) + 1
        if self.added:
            fields[ADDED] = self.added
        return fields, lines

    def _actions(self, players: dict[str, str]) -> tuple[list[str], list[int]]:
        """All known cards are dealt in the open; hands are shown when nobody acts any more."""
        unknown = "??" * CODES[self.variant].get("hole_cards", 2)
        actions = [
            f"d dh {player} {self.cards.get(name, unknown)}" for name, player in players.items()
        ]
        lines = [self.line] * len(actions)
        last = max((i for i, (_, name, _) in enumerate(self._moves) if name), default=-1)
        for place, (line, name, action) in enumerate(self._moves):
            actions.append(f"{players[name]} {action}" if name else f"d db {action}")
            lines.append(line)
            if place == last:
                shown = [each for each in players if each in self.shown]
                actions += [f"{players[each]} sm {self.cards[each]}" for each in shown]
                lines += [self.line] * len(shown)
        return actions, lines


def play_lines(
    lines: Lines,
    place: str,
    scale: int | None,
    begin: Callable[[Lines], tuple[SiteHand, int]],
    read_line: Callable[[SiteHand, str], None],
) -> RecordedHand:
    """Plays a hand; `begin` reads so many lines of its head, `read_line` each line after them.

    InputError names the line that is wrong.
    """
    line = lines[0][0]
    try:
        hand, count = begin(lines)
        for line, text in lines[count:]:
            hand.line = line
            read_line(hand, text)
        line = 0
        return hand.play(scale)
    except ValueError as error:
        raise InputError(f"{place}: line {line or hand.line}: {error}") from None


def split_hands(lines: Sequence[str], head: re.Pattern[str]) -> Iterator[Lines]:
    """The lines of each hand, which begins with a head; lines before the first one are dropped."""
    hand: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip().lstrip("\ufeff")
        if head.match(text):
            if hand:
                yield hand
            hand = [(number, text)]
        elif hand and text:
            hand.append((number, text))
    if hand:
        yield hand

# SPDX-License-Identifier: MIT
"""Push or fold of 2 to 9 players: seats, lines, and the payoffs of their endings.

Seats are numbered as they act: the first to act is 0, the big blind is last. Each acts once, so a
line of play is a set of seats that are all-in, as bits of a number. Where all others fold, the
big blind counts as in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.preflop.icm import MOST_PLAYERS as MOST_ICM
from regretless.preflop.icm import icm_after_hand, require_prizes
from regretless.preflop.tree import PreflopSpot
from regretless.preflop.triples import RANKS_3

Floats = NDArray[np.float64]

MOST_PLAYERS, MOST_STACK = 9, 1000  # big blinds
_LATE = ("LJ", "HJ", "CO")


def parse_amounts(text: str | None, what: str) -> tuple[float, ...]:
    """Amounts between commas; none of no text. InputError names what is wrong."""
    if text is None:
        return ()
    amounts = []
    for each in text.split(","):
        try:
            amounts.append(float(each))
        except ValueError:
            raise InputError(f"{what}: {each.strip()!r} is no amount; write 12,8,10") from None
    return tuple(amounts)


@dataclass(frozen=True)
class PushFoldSpot:
    """Players before the flop who jam or fold. Amounts are in one unit of the caller's choice."""

    stacks: tuple[float, ...] = (10.0, 10.0, 10.0)  # before antes and blinds, first to act first
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    big_blind_ante: float = 0.0
    prizes: tuple[float, ...] = ()  # of a tournament, from the first place on; none: chips count
    others: tuple[float, ...] = ()  # stacks at other tables of the tournament

    def __post_init__(self) -> None:
        amounts = (*self.stacks, self.small_blind, self.big_blind, self.ante, self.big_blind_ante)
        if not 2 <= len(self.stacks) <= MOST_PLAYERS:
            raise InputError(f"players: 2 to {MOST_PLAYERS}, not {len(self.stacks)}")
        if not all(0 <= each < 1e9 for each in (*amounts, *self.others)):  # also if it is no number
            raise InputError("amounts: must not be negative, and below a billion")
        if not 0 <= self.small_blind <= self.big_blind or self.big_blind == 0:
            raise InputError("blinds: the small one is at most the big one, which is above 0")
        for seat, stack in enumerate(self.stacks):
            if stack <= self.antes[seat]:
                raise InputError(
                    f"stacks: {stack:g} of the {self.names[seat]} does not exceed his ante"
                )
            if stack > MOST_STACK * self.big_blind:
                raise InputError(f"stacks: at most {MOST_STACK:,} big blinds, not {stack:g}")
        if self.prizes:
            require_prizes(self.prizes)
            if self.prizes[0] == min(self.prizes) and len(self.prizes) >= len(self.stacks) + len(
                self.others
            ):
                raise InputError("icm: all places pay the same, so nothing is at stake")
        elif self.others:
            raise InputError("others: stacks at other tables count with prizes only")
        if not all(self.others) or len(self.stacks) + len(self.others) > MOST_ICM:
            raise InputError(f"others: stacks above 0, and at most {MOST_ICM} players in all")

    @property
    def num_players(self) -> int:
        return len(self.stacks)

    @property
    def names(self) -> tuple[str, ...]:
        """The position of each seat."""
        num_middle = self.num_players - 3
        if num_middle < 0:
            return ("SB", "BB")
        late = _LATE[-min(3, num_middle - 1) :] if num_middle > 1 else ()
        early = [f"UTG+{i}" if i else "UTG" for i in range(num_middle - len(late))]
        return (*early, *late, "BTN", "SB", "BB")

    @property
    def antes(self) -> tuple[float, ...]:
        """Antes of each seat, which are dead money in the main pot."""
        return (*[self.ante] * (self.num_players - 1), self.ante + self.big_blind_ante)

    @cached_property
    def chips(self) -> Floats:
        """[seats]: chips that are left to bet after the antes."""
        left = [Decimal(repr(float(stack))) for stack in self.stacks]
        paid = [Decimal(repr(float(ante))) for ante in self.antes]
        return np.array([float(a - b) for a, b in zip(left, paid, strict=True)])

    @cached_property
    def posted(self) -> Floats:
        """[seats]: blinds, which a short stack posts as far as it goes."""
        blinds = np.zeros(self.num_players)
        blinds[-2:] = self.small_blind, self.big_blind
        return np.minimum(blinds, self.chips)

    def decides(self, seat: int, line: int) -> bool:
        """Whether the seat has a choice after a line: a blind may have put it all-in."""
        is_walk = line == 0 and seat == self.num_players - 1
        return not is_walk and bool(self.posted[seat] < self.chips[seat])

    def can_decide(self, seat: int, line: int) -> bool:
        """Whether the seat has a choice, and no seat before it folds that its blind put all-in."""
        can_be = all(line >> each & 1 or self.decides(each, 0) for each in range(seat))
        return can_be and self.decides(seat, line)

    def parse_line(self, text: str) -> tuple[int, int]:
        """The seat and the line of the decision after `f,j`: f folds, j or c is all-in."""
        letters = [each.strip() for each in text.split(",")] if text.strip() else []
        for each in letters:
            if each not in ("f", "j", "c"):
                raise InputError(f"at: {each!r} is none of f (fold), j (jam) and c (call)")
        line = sum(1 << seat for seat, each in enumerate(letters) if each != "f")
        if len(letters) >= self.num_players or not self.can_decide(len(letters), line):
            raise InputError(
                f"at: nobody decides after {text!r}; each of {', '.join(self.names)} acts once"
            )
        return len(letters), line

    def stacks_after(self, line: int, ranks: Sequence[int]) -> Floats:
        """[seats]: stacks after a showdown in which a higher rank is a better hand.

        `ranks` has one for each seat; those of seats that folded are not looked at.
        """
        is_in = np.array([line >> seat & 1 for seat in range(self.num_players)], bool)
        live = np.where(is_in, self.chips, self.posted)
        levels = np.unique(live[is_in])
        unmatched = np.maximum(live - levels[-1], 0)
        after: Floats = self.chips - live + unmatched
        dead, below = sum(self.antes), 0.0
        for level in levels:
            pot = dead + (np.minimum(live, level) - np.minimum(live, below)).sum()
            rivals = [
                each for each in range(self.num_players) if is_in[each] and live[each] >= level
            ]
            best = max(ranks[seat] for seat in rivals)
            winners = [seat for seat in rivals if ranks[seat] == best]
            after[winners] += pot / len(winners)
            dead, below = 0.0, level
        return after

    def payoffs(self, afters: Floats) -> Floats:
        """Changes by the hand, [hands, seats]: big blinds, or with ICM expected prizes."""
        before = np.array(self.stacks)
        if not self.prizes:
            won: Floats = (afters - before) / self.big_blind
            return won
        others = np.array(self.others)
        every = np.concatenate([before, others])
        rest = np.broadcast_to(others, (len(afters), len(others)))
        prizes, seats = np.array(self.prizes), self.num_players
        rounded = np.where(afters < 1e-9 * every.sum(), 0, afters)
        equities = icm_after_hand(every, np.concatenate([rounded, rest], axis=1), prizes)
        change: Floats = equities[:, :seats] - self.equities_before()
        return change

    def equities_before(self) -> Floats:
        """[seats]: the expected prizes of the stacks before the hand."""
        every = np.array([*self.stacks, *self.others])
        return icm_after_hand(every, every[None], np.array(self.prizes))[0, : self.num_players]


def several_players(
    spot: PreflopSpot,
    players: int = 2,
    *,
    stacks: tuple[float, ...] = (),
    prizes: tuple[float, ...] = (),
    others: tuple[float, ...] = (),
) -> PushFoldSpot:
    """The blinds and antes of a spot of two for several players who jam or fold."""
    if (spot.sizes, spot.limp, spot.max_raises) != ("a", False, None):
        raise InputError("--sizes, --limp and --max-raises are for two players without --icm")
    if stacks and players not in (2, len(stacks)):
        raise InputError(f"stacks: {len(stacks)} of them, but {players} players")
    if not 2 <= players <= MOST_PLAYERS:
        raise InputError(f"players: 2 to {MOST_PLAYERS}, not {players}")
    return PushFoldSpot(
        stacks=stacks or (spot.stack,) * players,
        small_blind=spot.small_blind,
        big_blind=spot.big_blind,
        ante=spot.ante,
        big_blind_ante=spot.big_blind_ante,
        prizes=prizes,
        others=others,
    )


@dataclass(frozen=True)
class Ending:
    """A line whose seats are all known, and what its outcomes pay."""

    line: int
    seats: tuple[int, ...]  # that are all-in
    payoffs: Floats  # [outcomes, seats of the table]
    chains: tuple[tuple[int, ...], ...] = ()  # four or more: who wins the main pot, side pots, ...


def make_endings(spot: PushFoldSpot) -> list[Ending]:
    """All endings by line. The outcomes are

    of one seat: it wins; of two: the first wins, the second wins, a tie; of three: the orders of
    RANKS_3; of more: chains of winners of the main pot, of the next side pot, and so on.
    """
    lines, seats, ranks, chains = [], [], [], []
    for line in range(1, 1 << spot.num_players):
        who = tuple(seat for seat in range(spot.num_players) if line >> seat & 1)
        found: list[tuple[int, ...]] = []
        if len(who) == 1:
            orders = [[0]]
        elif len(who) == 2:
            orders = [[1, 0], [0, 1], [0, 0]]
        elif len(who) == 3:
            orders = RANKS_3.tolist()
        else:
            found = _chains(who, spot.chips)
            orders = [[len(c) - c.index(s) if s in c else 0 for s in who] for c in found]
        lines.append(line)
        seats.append(who)
        chains.append(tuple(found))
        ranks.append(orders)
    afters = [
        spot.stacks_after(line, _at_seats(spot.num_players, who, order))
        for line, who, orders in zip(lines, seats, ranks, strict=True)
        for order in orders
    ]
    bounds = np.cumsum([len(orders) for orders in ranks])[:-1]
    payoffs = np.split(spot.payoffs(np.stack(afters)), bounds)
    return [Ending(*each) for each in zip(lines, seats, payoffs, chains, strict=True)]


def payoffs_of_three(spot: PushFoldSpot) -> Floats:
    """[lines, orders of RANKS_3, seats] of three players; line 0 is never reached."""
    afters = [spot.stacks_after(line, ranks) for line in range(1, 8) for ranks in RANKS_3.tolist()]
    payoffs = spot.payoffs(np.stack(afters)).reshape(7, len(RANKS_3), 3)
    return np.concatenate([np.zeros((1, len(RANKS_3), 3)), payoffs])


def _at_seats(count: int, seats: tuple[int, ...], ranks: Sequence[int]) -> list[int]:
    at = [0] * count
    for seat, rank in zip(seats, ranks, strict=True):
        at[seat] = rank
    return at


def _chains(rivals: tuple[int, ...], chips: Floats) -> list[tuple[int, ...]]:
    """Each winner of a pot is followed by a winner of the next, among those with more chips."""
    chains: list[tuple[int, ...]] = []
    for winner in rivals:
        richer = tuple(seat for seat in rivals if chips[seat] > chips[winner])
        chains += [(winner, *rest) for rest in _chains(richer, chips)] if richer else [(winner,)]
    return chains


def rival_pairs(seats: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of seats."""
    return list(combinations(seats, 2))

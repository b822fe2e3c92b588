# SPDX-License-Identifier: MIT
"""Values of push or fold: by line and class, given how often each class is all-in.

Three players are exact: `Triples` has every deal. With more players the cards of a seat are
corrected for the cards of each other seat, pair by pair, but not for three or more at once: a
seat that acts sees the ranges of the seats before it as factors of its classes. All-ins of two
and three are counted exactly within these ranges; of four or more, the chance of the best hand is
made of its chances against each two of the others (Kirkwood's closure), and ties are shares.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.preflop.matchups import COMBOS, NUM_BOARDS, NUM_CLASSES, Floats, load_matchups
from regretless.preflop.push_fold import (
    Ending,
    PushFoldSpot,
    make_endings,
    payoffs_of_three,
    rival_pairs,
)
from regretless.preflop.triples import Triples, load_triples

Jams = list[Floats]  # by seat, [lines before it, classes]: how often it is all-in

PRIOR: Floats = COMBOS / COMBOS.sum()
_RARE = 1e-6  # all-ins of four or more that are met less often are valued by pairs alone


@dataclass(frozen=True)
class Pairs:
    """Class against class as ratios and chances, each [classes, classes]."""

    ratios: Floats  # how much likelier a class is if another is held by somebody else
    wins: Floats
    ties: Floats

    @cached_property
    def shares(self) -> Floats:
        return self.wins + self.ties / 2


def load_pairs() -> Pairs:
    table = load_matchups()
    deals = table.pairs * NUM_BOARDS
    ratios = table.pairs / table.pairs.sum() / (PRIOR[:, None] * PRIOR[None, :])
    return Pairs(ratios, table.wins / deals, table.ties / deals)


class Multiway:
    """The values of a spot; all-ins of three or more are those of the last `refresh`."""

    def __init__(self, spot: PushFoldSpot) -> None:
        self.spot = spot
        self.count = spot.num_players
        self.pairs = load_pairs()
        self.endings = make_endings(spot)
        self._twos = [each for each in self.endings if len(each.seats) == 2]
        # [lines, seats, classes]: payoffs of endings by the class of a seat
        self._paid = np.zeros((1 << self.count, self.count, NUM_CLASSES))
        for each in self.endings:
            self._paid[each.line] = each.payoffs.mean(axis=0)[:, None]
        self._correction: Floats | float = 0.0
        self._exact = payoffs_of_three(spot) if self.count == 3 else None

    @property
    def is_exact(self) -> bool:
        """Whether `refresh` makes the values those of all deals."""
        return self.count <= 3

    @cached_property
    def triples(self) -> Triples:
        return load_triples()

    @cached_property
    def _triple_ratios(self) -> tuple[Floats, Floats]:
        """[classes, classes x classes] of `deals` and of the first's shares, over the priors."""
        prior = PRIOR.astype(np.float32)
        scale = prior[:, None, None] * prior[None, :, None] * prior[None, None, :]
        return tuple(each / scale for each in (self.triples.deals, self.triples.shares()))

    def values(self, jams: Jams) -> Floats:
        """[seats, lines, classes]: what each seat with each class gets from each ending.

        Expected over the others' cards, and times the chance that the others play the line.
        """
        effects, fields = self._effects(jams)
        chances = np.stack([self._chances(jams, seat, effects, fields) for seat in range(self.count)])
        paid = self._paid.copy()
        self._pay_twos(paid, self._weights(jams, effects[-1]))
        return chances * paid.transpose(1, 0, 2) + self._correction

    def reaches(self, jams: Jams, seat: int) -> Floats:
        """[lines before the seat, classes]: chances that the seat decides there, by its class."""
        if self.count == 3:
            ranges = self._ranges(jams)
            ranges[:, seat + 1 :] = 1
            lines = ranges[: 1 << seat]
            return self.triples.outcomes(lines)[:, seat].sum(axis=1) / PRIOR
        effects, fields = self._effects(jams)
        return self._chances(jams, seat, effects, fields, before=True)

    def refresh(self, jams: Jams) -> None:
        """Values all-ins of three and more by these ranges."""
        effects, fields = self._effects(jams)
        weights = self._weights(jams, effects[-1])
        chances = np.stack([self._chances(jams, seat, effects, fields) for seat in range(self.count)])
        self._pay_threes(weights)
        for each in self.endings:
            if len(each.seats) > 3:
                met = max(float(chances[seat, each.line] @ PRIOR) for seat in each.seats)
                self._pay_more(each, weights[each.line][list(each.seats)], is_rare=met < _RARE)
        if self._exact is not None:
            self._correction = 0.0
            self._correction = self._exact_values(jams) - self.values(jams)

    def _exact_values(self, jams: Jams) -> Floats:
        """The values of three players over all deals."""
        chances = self.triples.outcomes(self._ranges(jams))  # [lines, seats, orders, classes]
        assert self._exact is not None
        return np.einsum("lsoc,los->slc", chances, self._exact) / PRIOR

    def _ranges(self, jams: Jams) -> Floats:
        """[lines, seats, classes]: how often each seat plays its part of a line."""
        lines = np.arange(1 << self.count)
        ranges = np.empty((len(lines), self.count, NUM_CLASSES))
        for seat, jam in enumerate(jams):
            rows = jam[lines & ((1 << seat) - 1)]
            ranges[:, seat] = np.where((lines >> seat & 1)[:, None], rows, 1 - rows)
        return ranges

    def _effects(self, jams: Jams) -> tuple[list[list[Floats]], list[Floats]]:
        """By number of seats that have acted: their effects, and the product of these.

        The effect [lines, classes] of a seat is how much likelier a class becomes for others by
        what the seat has done; a seat's own range is judged by the effects of the seats before it.
        """
        effects: list[list[Floats]] = [[]]
        fields = [np.ones((1, NUM_CLASSES))]
        for jam in jams:
            field = fields[-1]
            weights = np.concatenate([1 - jam, jam]) * np.tile(field, (2, 1)) * PRIOR
            totals = weights.sum(axis=1, keepdims=True)
            effect = np.where(totals > 1e-12, weights @ self.pairs.ratios / (totals + 1e-300), 1)
            effects.append([np.tile(each, (2, 1)) for each in effects[-1]] + [effect])
            fields.append(np.tile(field, (2, 1)) * effect)
        return effects, fields

    def _chances(
        self,
        jams: Jams,
        seat: int,
        effects: list[list[Floats]],
        fields: list[Floats],
        *,
        before: bool = False,
    ) -> Floats:
        """[lines, classes]: the chance that the others play a line, by the seat's class.

        `before`: of the lines before the seat acts.
        """
        chances = np.ones((1, NUM_CLASSES))
        for other, jam in enumerate(jams):
            if other == seat and before:
                return chances
            if other == seat:
                chances = np.tile(chances, (2, 1))
                continue
            field = fields[other] / effects[other][seat] if seat < other else fields[other]
            weights = field * PRIOR
            jammed = (weights * jam) @ self.pairs.ratios / (weights @ self.pairs.ratios)
            chances = np.concatenate([chances * (1 - jammed), chances * jammed])
        return chances

    def _weights(self, jams: Jams, effects: list[Floats]) -> Floats:
        """[lines, seats, classes]: ranges by line, with the effects of those who folded."""
        lines = np.arange(1 << self.count)
        folded = np.ones((len(lines), NUM_CLASSES))
        for seat, effect in enumerate(effects):
            folded *= np.where((lines >> seat & 1)[:, None], 1, effect)
        return (self._ranges(jams) + 1e-12) * PRIOR * folded[:, None]

    def _pay_twos(self, paid: Floats, weights: Floats) -> None:
        if not self._twos:
            return
        lines = np.array([each.line for each in self._twos])
        one, two = np.array([each.seats for each in self._twos]).T
        pays = np.stack([each.payoffs for each in self._twos])  # [endings, 3, seats]
        rows = np.arange(len(lines))
        ratios, wins, ties = self.pairs.ratios, self.pairs.wins, self.pairs.ties
        chances = []  # of the first seat: won, lost, tied
        for seat, rival, order in ((one, two, (0, 1)), (two, one, (1, 0))):
            against = weights[lines, rival]
            total = against @ ratios
            won = against @ (ratios * wins).T / total
            tied = against @ (ratios * ties).T / total
            own = pays[rows, :, seat]  # [endings, 3]
            paid[lines, seat] = (
                own[:, order[0], None] * won
                + own[:, order[1], None] * (1 - won - tied)
                + own[:, 2, None] * tied
            )
            held = weights[lines, seat] * total
            shares = [(held * each).sum(axis=1) / held.sum(axis=1) for each in (won, tied)]
            chances.append(shares)
        won, tied = chances[0]
        for seat in range(self.count):
            is_out = (lines >> seat & 1) == 0
            mean = pays[:, 0, seat] * won + pays[:, 2, seat] * tied
            mean += pays[:, 1, seat] * (1 - won - tied)
            paid[lines[is_out], seat] = mean[is_out, None]

    def _pay_threes(self, weights: Floats) -> None:
        threes = [each for each in self.endings if len(each.seats) == 3]
        if not threes:
            return
        ranges = np.stack([weights[each.line][list(each.seats)] for each in threes]) / PRIOR
        ranges /= ranges.max(axis=2, keepdims=True)
        found = self.triples.outcomes(ranges)  # [endings, 3, orders, classes]
        found /= found.sum(axis=2, keepdims=True)
        for each, chances, held in zip(threes, found, ranges, strict=True):
            for place, seat in enumerate(each.seats):
                self._paid[each.line, seat] = each.payoffs[:, seat] @ chances[place]
            mean = chances[0] @ (held[0] * PRIOR) / (held[0] @ PRIOR)
            for seat in set(range(self.count)) - set(each.seats):
                self._paid[each.line, seat] = each.payoffs[:, seat] @ mean

    def _pay_more(self, ending: Ending, weights: Floats, is_rare: bool) -> None:
        """Values an all-in of four or more; `weights` [seats that are in, classes]."""
        seats = ending.seats
        best = _Best(self, weights, is_rare)
        chips = self.spot.chips[list(seats)]
        # The rivals for the pot after a winner: those with more chips.
        shares: dict[tuple[int, ...], tuple[Floats, Floats]] = {}
        for chain in ending.chains:
            for rivals in _pots(chain, seats, chips):
                if rivals not in shares:
                    shares[rivals] = best.shares(rivals)
        for place in range(-1, len(seats)):  # -1: a seat that folded
            chances = []
            for chain in ending.chains:
                chance = np.ones(NUM_CLASSES)
                for winner, rivals in zip(chain, _pots(chain, seats, chips), strict=True):
                    chance = chance * _chance(seats.index(winner), place, rivals, *shares[rivals])
                chances.append(chance)
            total = np.stack(chances)
            total /= total.sum(axis=0)
            if place >= 0:
                self._paid[ending.line, seats[place]] = ending.payoffs[:, seats[place]] @ total
                continue
            for seat in set(range(self.count)) - set(seats):
                self._paid[ending.line, seat] = ending.payoffs[:, seat] @ total[:, 0]


class _Best:
    """Chances of having the best hand of some, by class."""

    def __init__(self, model: Multiway, weights: Floats, is_rare: bool) -> None:
        self.weights = weights / weights.sum(axis=1, keepdims=True)
        ratios, shares = model.pairs.ratios, model.pairs.shares
        self.pairs = (self.weights @ (ratios * shares).T) / (self.weights @ ratios)  # [rival, classes]
        self.triples: dict[tuple[int, int], Floats] = {}
        count = len(weights)
        if is_rare:
            return
        deals, won = (
            (self.weights.astype(np.float32) @ each.reshape(-1, NUM_CLASSES).T).reshape(
                count, NUM_CLASSES, NUM_CLASSES
            )
            for each in model._triple_ratios
        )
        for one, two in rival_pairs(range(count)):
            self.triples[one, two] = (won[two] @ self.weights[one]) / (deals[two] @ self.weights[one])

    def shares(self, rivals: tuple[int, ...]) -> tuple[Floats, Floats]:
        """[rivals, classes] by the class of each, and [rivals] on average, which sum to 1."""
        by_class = []
        for player in rivals:
            others = [each for each in rivals if each != player]
            logs = sum(np.log(self.pairs[each]) for each in others)
            if self.triples and len(others) > 1:
                twos = sum(np.log(self.triples[pair]) for pair in rival_pairs(others))
                logs = twos - (len(others) - 2) * logs
            by_class.append(np.exp(logs))
        found = np.minimum(np.stack(by_class), 1)
        means = np.array([row @ self.weights[player] for row, player in zip(found, rivals, strict=True)])
        return np.minimum(found / means.sum(), 1), means / means.sum()


def _pots(chain: tuple[int, ...], seats: tuple[int, ...], chips: Floats) -> list[tuple[int, ...]]:
    """The rivals for each pot of a chain, as places among the seats that are in."""
    pots = [tuple(range(len(seats)))]
    for winner in chain[:-1]:
        most = chips[seats.index(winner)]
        pots.append(tuple(each for each in range(len(seats)) if chips[each] > most))
    return pots


def _chance(
    winner: int, place: int, rivals: tuple[int, ...], by_class: Floats, means: Floats
) -> Floats | float:
    """The chance that a rival wins a pot, by the class of the player at `place`."""
    if place not in rivals:
        return float(means[rivals.index(winner)])
    own = by_class[rivals.index(place)]
    if winner == place:
        return own
    return (1 - own) * means[rivals.index(winner)] / (1 - means[rivals.index(place)])

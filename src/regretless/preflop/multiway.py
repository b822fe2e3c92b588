# SPDX-License-Identifier: MIT
"""Values of push or fold: by line and class, given how often each class is all-in.

Three players are exact: `Triples` has every deal. With more players the cards of a seat are
corrected for the cards of each other seat, pair by pair, but not for three or more at once: a
seat that acts sees the ranges of the seats before it as factors of its classes. All-ins of two
and three are counted exactly within these ranges. Of four or more, with p the chance to beat one
rival and p' the chance to beat a second one if the first is beaten, 1 / (1 - p) grows by the same
step from rival to rival, which is right for independent hands (2, 3, 4, ...); ties are shares.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.preflop.matchups import (
    COMBOS,
    NUM_BOARDS,
    NUM_CLASSES,
    Counts,
    Floats,
    load_matchups,
)
from regretless.preflop.push_fold import (
    Ending,
    PushFoldSpot,
    make_endings,
    payoffs_of_three,
    rival_pairs,
)
from regretless.preflop.triples import Singles, Triples, load_triples

Jams = list[Floats]  # by seat, [lines before it, classes]: how often it is all-in

PRIOR: Floats = COMBOS / COMBOS.sum()
_RARE = 1e-5  # all-ins of four or more that are met less often are valued by pairs alone


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
        self._lines = np.arange(1 << self.count)
        self._lines_of_two = np.array([each.line for each in self._twos])
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
    def _ratios_of_three(self) -> list[Singles]:
        """[classes, classes x classes] of `deals` and of the first's shares, over the priors."""
        prior = PRIOR.astype(np.float32)
        scale = prior[:, None, None] * prior[None, :, None] * prior[None, None, :]
        tensors = (self.triples.deals / scale, self.triples.shares() / scale)
        return [each.reshape(-1, NUM_CLASSES) for each in tensors]

    def values(self, jams: Jams) -> Floats:
        """[seats, lines, classes]: what each seat with each class gets from each ending.

        Expected over the others' cards, and times the chance that the others play the line.
        """
        effects, fields = self._effects(jams)
        chances = self._chances(jams, effects, fields)[-1]
        paid = self._paid.copy()
        self._pay_twos(paid, self._weights(jams, effects[-1], self._lines_of_two))
        return chances * paid.transpose(1, 0, 2) + self._correction

    def reaches(self, jams: Jams) -> list[Floats]:
        """By seat, [lines before it, classes]: chances that the seat decides, by its class."""
        if self.count != 3:
            levels = self._chances(jams, *self._effects(jams))
            return [levels[seat][seat] for seat in range(self.count)]
        found = []
        for seat in range(3):
            ranges = self._ranges(jams, self._lines[: 1 << seat])
            ranges[:, seat + 1 :] = 1
            found.append(self.triples.outcomes(ranges)[:, seat].sum(axis=1) / PRIOR)
        return found

    def refresh(self, jams: Jams, *, roughly: bool = False) -> None:
        """Values all-ins of three and more by these ranges; roughly: of four by pairs alone."""
        effects, fields = self._effects(jams)
        weights = self._weights(jams, effects[-1], self._lines)
        met = self._chances(jams, effects, fields)[-1][-1] @ PRIOR  # [lines], at most
        self._pay_threes(weights)
        for each in self.endings:
            if len(each.seats) > 3:
                tensors = [] if roughly or met[each.line] < _RARE else self._ratios_of_three
                self._pay_more(each, weights[each.line][list(each.seats)], tensors)
        if self._exact is not None:
            self._correction = 0.0
            self._correction = self._exact_values(jams) - self.values(jams)

    def _exact_values(self, jams: Jams) -> Floats:
        """The values of three players over all deals."""
        chances = self.triples.outcomes(self._ranges(jams, self._lines))
        assert self._exact is not None
        values: Floats = np.einsum("lsoc,los->slc", chances, self._exact) / PRIOR
        return values

    def _ranges(self, jams: Jams, lines: Counts) -> Floats:
        """[lines, seats, classes]: how often each seat plays its part of a line."""
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
        self, jams: Jams, effects: list[list[Floats]], fields: list[Floats]
    ) -> list[Floats]:
        """By number of seats that have acted, [seats, lines, classes].

        The chance that the others play a line, by the seat and its class.
        """
        levels = [np.ones((self.count, 1, NUM_CLASSES))]
        for other, jam in enumerate(jams):
            weights = np.repeat((fields[other] * PRIOR)[None], self.count, axis=0)
            for seat in range(other):
                weights[seat] /= effects[other][seat]
            rows = np.stack([weights, weights * jam]).reshape(-1, NUM_CLASSES)
            total, jammed = (rows @ self.pairs.ratios).reshape(2, *weights.shape)
            jammed /= total
            chances = np.concatenate([levels[-1] * (1 - jammed), levels[-1] * jammed], axis=1)
            chances[other] = np.tile(levels[-1][other], (2, 1))
            levels.append(chances)
        return levels

    def _weights(self, jams: Jams, effects: list[Floats], lines: Counts) -> Floats:
        """[lines, seats, classes]: ranges by line, with the effects of those who folded."""
        folded = np.ones((len(lines), NUM_CLASSES))
        for seat, effect in enumerate(effects):
            folded *= np.where((lines >> seat & 1)[:, None], 1, effect[lines])
        return (self._ranges(jams, lines) + 1e-12) * PRIOR * folded[:, None]

    def _pay_twos(self, paid: Floats, weights: Floats) -> None:
        lines = self._lines_of_two
        one, two = np.array([each.seats for each in self._twos]).T
        pays = np.stack([each.payoffs for each in self._twos])  # [endings, 3, seats]
        rows = np.arange(len(lines))
        ratios, wins, ties = self.pairs.ratios, self.pairs.wins, self.pairs.ties
        chances = []  # of the first seat: won, lost, tied
        for seat, rival, order in ((one, two, (0, 1)), (two, one, (1, 0))):
            against = weights[rows, rival]
            total = against @ ratios
            won = against @ (ratios * wins).T / total
            tied = against @ (ratios * ties).T / total
            own = pays[rows, :, seat]  # [endings, 3]
            paid[lines, seat] = (
                own[:, order[0], None] * won
                + own[:, order[1], None] * (1 - won - tied)
                + own[:, 2, None] * tied
            )
            held = weights[rows, seat] * total
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

    def _pay_more(self, ending: Ending, weights: Floats, tensors: list[Singles]) -> None:
        """Values an all-in of four or more; `weights` [seats that are in, classes]."""
        seats = ending.seats
        best = _Best(weights, self.pairs, tensors)
        chips = self.spot.chips[list(seats)]
        # The rivals for the pot after a winner: those with more chips.
        pots = [_pots(chain, seats, chips) for chain in ending.chains]
        shares = {rivals: best.shares(rivals) for each in pots for rivals in each}
        for place in range(-1, len(seats)):  # -1: a seat that folded
            chances = []
            for chain, rivals_of in zip(ending.chains, pots, strict=True):
                chance = np.ones(NUM_CLASSES)
                for winner, rivals in zip(chain, rivals_of, strict=True):
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

    def __init__(self, weights: Floats, pairs: Pairs, tensors: list[Singles]) -> None:
        self.weights = weights / weights.sum(axis=1, keepdims=True)
        won = self.weights @ (pairs.ratios * pairs.shares).T
        self.pairs = np.log(won / (self.weights @ pairs.ratios))  # [rivals, classes]
        self.triples: dict[tuple[int, int], Floats] = {}
        shape = (len(weights), NUM_CLASSES, NUM_CLASSES)
        rows = self.weights.astype(np.float32)
        found = [(rows @ each.T).reshape(shape) @ rows.T for each in tensors]
        for one, two in rival_pairs(range(len(weights))) if found else []:
            self.triples[one, two] = np.log(found[1][two, :, one] / found[0][two, :, one])

    def shares(self, rivals: tuple[int, ...]) -> tuple[Floats, Floats]:
        """[rivals, classes] by the class of each, and [rivals] on average, which sum to 1."""
        if len(rivals) == 1:
            return np.ones((1, NUM_CLASSES)), np.ones(1)
        by_class = []
        for player in rivals:
            others = [each for each in rivals if each != player]
            one = np.exp(self.pairs[others].mean(axis=0))
            chance, step = one, np.ones(NUM_CLASSES)
            if self.triples and len(others) > 1:
                logs = np.mean([self.triples[pair] for pair in rival_pairs(others)], axis=0)
                step = 1 / np.maximum(1 - np.exp(logs) / one, 1e-6) - 1 / (1 - one)
            for number in range(1, len(others)):
                chance = chance * np.clip(1 - 1 / (1 / (1 - one) + number * step), 0, 1)
            by_class.append(chance)
        found = np.minimum(np.stack(by_class), 1)
        means = np.array(
            [row @ self.weights[player] for row, player in zip(found, rivals, strict=True)]
        )
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
    own: Floats = by_class[rivals.index(place)]
    if winner != place:
        own = (1 - own) * (means[rivals.index(winner)] / (1 - means[rivals.index(place)]))
    return own

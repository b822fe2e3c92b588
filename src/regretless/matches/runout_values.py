# SPDX-License-Identifier: MIT
"""Values for heads-up hold'em, learned from played deals, and the luck of episodes.

- Hole cards: a value for each cell (both hands' starting strengths, in ten bins each), and a slope
  on the equity of the two hands, which is a half on average.
- Board cards: a base and a slope on the equity for each street, cell and class of pot sizes
  (native/jobs/board_luck.h); the pot times the equity where nobody can bet any more.
- Decisions: for each street, seat and slot a linear function of pot and equity.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.matches.match import MatchConfig, PlayedDeals
from regretless.matches.seatings import policies_of
from regretless.watch import UNWATCHED, Watch

_NUM_BINS = 10
_POT_LIMITS = (3, 7, 15, 40)  # units: five classes of pots
_SHRINKAGE = 4.0  # episodes that speak for the mean of all cells
_RIDGE = 1.0  # of decision values, in squared units
_SAMPLES = 256  # boards that might have come
_LEARNING_SAMPLES = 64
_CHUNK = 1 << 14  # episodes whose decisions are spread out at a time
_DEALS_AT_ONCE = 2048  # that are followed between two looks at the watch

Floats = NDArray[np.float64]


class RunoutValues:
    """Values of one pair of policies, apart for each seating."""

    pilot_deals = 50_000

    def __init__(self, game: _native.Poker, config: MatchConfig, watch: Watch = UNWATCHED) -> None:
        if game.num_players != 2 or game.rules.num_hole_cards != 2:
            raise InputError(f"{game.name}: no AIVAT but for small games and hold'em for two")
        if game.board or game.weights:
            raise InputError(f"{game.name}: no AIVAT for a game that begins at a spot")
        self.game, self.config, self.watch = game, config, watch
        self.num_streets = game.rules.num_streets
        self.pot_limits = np.array([limit * game.unit for limit in _POT_LIMITS], np.int32)
        shape = (2, self.num_streets, len(_POT_LIMITS) + 1, _native.NUM_CELLS)
        self.bases, self.slopes = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.hole_values = np.zeros((2, _native.NUM_CELLS))  # [copies, cells]
        self.hole_slopes = np.zeros(2)  # [copies]
        self.cell_probabilities = _cell_probabilities(game)
        features = self.num_streets * 2 * game.num_actions * 4
        self.decision_values = np.zeros((2, features))  # [copies, features], in units

    def learn(self, pilot: PlayedDeals) -> None:
        """Improve the values by deals that were played."""
        runouts = self._follow(pilot, _LEARNING_SAMPLES)
        payoffs = pilot.steps.payoffs[:, 0] / self.game.unit
        for copy in range(2):
            self._learn_hole(copy, payoffs[copy::2], runouts)
            for street in range(self.num_streets):
                self._learn_street(copy, street, payoffs[copy::2], runouts)
        rest = payoffs - self._card_luck(pilot, runouts, _LEARNING_SAMPLES)
        self._learn_decisions(pilot, rest, runouts)

    def luck(self, piece: PlayedDeals, known: Sequence[bool]) -> Floats:
        """The luck of each seat, [episodes, seats] in units; 0 on average.

        The decisions of a policy count only if it is `known` how it decides.
        """
        runouts = self._follow(piece, _SAMPLES)
        luck = self._card_luck(piece, runouts, _SAMPLES)
        for rows, features in self._decisions(piece, runouts, known):
            luck[rows] += np.einsum("ef,ef->e", features, self.decision_values[rows % 2])
        return np.stack([luck, -luck], axis=1)

    def _follow(self, piece: PlayedDeals, samples: int) -> dict[str, Any]:
        parts = [
            _native.follow_runouts(self.game, **each)
            for each in self._arguments(piece, samples, "following the cards")
        ]
        return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}

    def _arguments(self, piece: PlayedDeals, samples: int, what: str) -> Iterator[dict[str, Any]]:
        """Results of the native walks, some deals at a time; deals are independent."""
        steps, offsets = piece.steps, piece.steps.offsets
        num_deals = (len(offsets) - 1) // 2
        for first in range(0, num_deals, _DEALS_AT_ONCE):
            self.watch.look(what, first / num_deals)
            last = min(first + _DEALS_AT_ONCE, num_deals)
            begin, end = offsets[2 * first], offsets[2 * last]
            yield {
                "hands": steps.hands[2 * first : 2 * last],
                "boards": steps.boards[2 * first : 2 * last],
                "offsets": offsets[2 * first : 2 * last + 1] - begin,
                "slots": steps.slots[begin:end],
                "copies": 2,
                "first_deal": piece.first_deal + first,
                "samples": samples,
                "seed": self.config.seed,
                "threads": self.config.threads,
            }

    def _card_luck(self, piece: PlayedDeals, runouts: dict[str, Any], samples: int) -> Floats:
        """Payoffs of seat 0 (units).  [episodes]"""
        cells = runouts["cells"][:, 0]
        streets = np.concatenate(
            [
                _native.follow_luck(
                    self.game,
                    pot_limits=self.pot_limits,
                    bases=self.bases,
                    slopes=self.slopes,
                    **each,
                )
                for each in self._arguments(piece, samples, "taking luck off the cards")
            ]
        )
        luck: Floats = streets.sum(axis=1) / self.game.unit
        edges = runouts["equities"][:, 0] - 0.5
        for copy in range(2):
            luck[copy::2] += self.hole_values[copy, cells] + self.hole_slopes[copy] * edges
        return luck

    def _learn_hole(self, copy: int, payoffs: Floats, runouts: dict[str, Any]) -> None:
        cells, edges = runouts["cells"][:, 0], runouts["equities"][:, 0] - 0.5
        counts, sums = _sums(cells, np.ones(len(cells))), _sums(cells, payoffs - payoffs.mean())
        values = sums / (counts + _SHRINKAGE)
        self.hole_values[copy] = values - values @ self.cell_probabilities
        rest = payoffs - payoffs.mean() - values[cells]
        self.hole_slopes[copy] = (rest @ edges) / max(edges @ edges, 1e-9)

    def _learn_street(
        self, copy: int, street: int, payoffs: Floats, runouts: dict[str, Any]
    ) -> None:
        pots = runouts["pots"][copy::2, street]
        reached = np.flatnonzero((pots > 0) & (runouts["is_all_in"][copy::2, street] == 0))
        shares = payoffs[reached] * self.game.unit / pots[reached]
        edges = 2.0 * runouts["equities"][reached, street + 1] - 1
        cells = runouts["cells"][reached, street + 1]
        classes = np.searchsorted(self.pot_limits, pots[reached], side="right")
        for pot_class in range(len(_POT_LIMITS) + 1):
            rows = classes == pot_class
            if rows.any():
                self.bases[copy, street, pot_class], self.slopes[copy, street, pot_class] = _fit(
                    cells[rows], edges[rows], shares[rows]
                )

    def _learn_decisions(self, pilot: PlayedDeals, rest: Floats, runouts: dict[str, Any]) -> None:
        size = self.decision_values.shape[1]
        squares, products = np.zeros((2, size, size)), np.zeros((2, size))
        means = [rest[copy::2].mean() for copy in range(2)]
        for rows, features in self._decisions(pilot, runouts, (True, True)):
            for copy in range(2):
                mine = rows % 2 == copy
                squares[copy] += features[mine].T @ features[mine]
                products[copy] += features[mine].T @ (rest[rows[mine]] - means[copy])
        for copy in range(2):
            if products[copy].any():
                ridge = _RIDGE * np.eye(size)
                self.decision_values[copy] = np.linalg.solve(squares[copy] + ridge, products[copy])

    def _decisions(
        self, piece: PlayedDeals, runouts: dict[str, Any], known: Sequence[bool]
    ) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """Episodes with a surprise in them, and the surprises: [episodes, features], 0 on average.

        A surprise is 1 for the slot that was chosen, less the probability of each slot; it stands
        as such, times the pot, times the edge in equity, and times both.
        """
        if piece.probabilities is None:
            raise ValueError("the deals were played without recording probabilities")
        played, offsets = piece.steps, piece.steps.offsets
        width = self.game.num_actions
        for first in range(0, len(offsets) - 1, _CHUNK):
            last = min(first + _CHUNK, len(offsets) - 1)
            steps = slice(offsets[first], offsets[last])
            episodes = np.repeat(np.arange(first, last), np.diff(offsets[first : last + 1]))
            surprises = -piece.probabilities[steps].astype(np.float64)
            surprises[np.arange(len(surprises)), played.slots[steps]] += 1
            actors, streets = played.actors[steps].astype(np.int64), played.streets[steps]
            is_open = np.asarray(known)[policies_of(actors, episodes, 2)]
            kept = np.flatnonzero(is_open & (np.abs(surprises).max(axis=1) > 1e-6))
            if not len(kept):
                continue
            episodes, actors, streets = episodes[kept], actors[kept], streets[kept].astype(np.int64)
            edges = 2.0 * runouts["equities"][episodes // 2, streets + 1] - 1
            pots = runouts["step_pots"][steps][kept] / self.game.unit
            weights = np.stack([np.ones(len(kept)), pots, edges, pots * edges], axis=1)
            parts = (surprises[kept, :, None] * weights[:, None, :]).reshape(len(kept), -1)
            rows, places = np.unique(episodes, return_inverse=True)
            groups = (places * self.num_streets + streets) * 2 + actors
            order = np.argsort(groups, kind="stable")
            keys, starts = np.unique(groups[order], return_index=True)
            features = np.zeros((len(rows) * self.num_streets * 2, width * 4))
            features[keys] = np.add.reduceat(parts[order], starts, axis=0)
            yield rows, features.reshape(len(rows), -1)


def _fit(cells: NDArray[Any], edges: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Base and slope of each cell, drawn towards those of all cells together."""
    size = len(shares)
    design = np.array([[size + 1.0, edges.sum()], [edges.sum(), edges @ edges + 1.0]])
    base, slope = np.linalg.solve(design, [shares.sum(), shares @ edges])
    rest = shares - base - slope * edges
    counts = _sums(cells, np.ones(size)) + _SHRINKAGE
    firsts, seconds = _sums(cells, edges), _sums(cells, edges**2) + _SHRINKAGE / 2
    sums, products = _sums(cells, rest), _sums(cells, rest * edges)
    determinants = counts * seconds - firsts**2
    bases = base + (sums * seconds - products * firsts) / determinants
    slopes = slope + (products * counts - sums * firsts) / determinants
    return bases, slopes


def _sums(cells: NDArray[Any], values: Floats) -> Floats:
    return np.bincount(cells, values, minlength=_native.NUM_CELLS).astype(np.float64)


def _cell_probabilities(game: _native.Poker) -> Floats:
    """Exact probabilities of the starting hands of both seats.  [cells]"""
    num_cards = game.rules.deck.num_cards
    high, low = np.tril_indices(num_cards, -1)  # hands in the order of their index
    holds = np.zeros((len(high), num_cards))
    holds[np.arange(len(high)), high] = holds[np.arange(len(high)), low] = 1
    is_deal = holds @ holds.T == 0  # [hands, hands]
    strengths = _native.starting_strengths(game)
    bins = np.minimum((strengths * np.float32(_NUM_BINS)).astype(np.int64), _NUM_BINS - 1)
    cells = bins[:, None] * _NUM_BINS + bins[None, :]
    counts = np.bincount(cells[is_deal], minlength=_native.NUM_CELLS)
    probabilities: Floats = counts / counts.sum()
    return probabilities

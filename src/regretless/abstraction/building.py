# SPDX-License-Identifier: MIT
"""Building of buckets: k-means over the equities of hands on the boards to come.

Equities are exact: against a hand drawn at random, over all boards. Before the river a hand is a
mean equity, a mean of its square, or a histogram of the equities to come, as the shares below 24
steps: the squared distance of two of these is the Cramer distance of the distributions, a cousin
of the earth mover's. On the river a hand is its equity.
"""

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import comb
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless import _native
from regretless.abstraction.card_abstraction import CardAbstraction, Cards, StreetBuckets
from regretless.notation.cards import STREETS
from regretless.options import Natural, Options
from regretless.watch import UNWATCHED, Watch

Features = Literal["ehs", "ehs2", "histogram"]
Floats = NDArray[np.float32]

MOST_BUCKETS = 1 << 16
_Buckets = Annotated[int, Field(ge=1, le=MOST_BUCKETS)]
_TURN_BOARDS = 2000  # that the points which clusters are found on are drawn from
_RIVER_BOARDS = 4096  # counted at a time


@dataclass(frozen=True)
class AbstractionConfig(Options):
    """Numbers of buckets, and options of k-means."""

    preflop: _Buckets = 50
    """Buckets before the flop, at most 169, one for each class of hands."""
    flop: _Buckets = 1000
    """Buckets on the flop."""
    turn: _Buckets = 200
    """Buckets on the turn."""
    river: _Buckets = 200
    """Buckets on the river."""
    preflop_features: Features = "histogram"
    flop_features: Features = "histogram"
    turn_features: Features = "histogram"
    sample: Annotated[int, Field(ge=1, le=10**8)] = 100_000
    """Hands that k-means is fitted to where there are more; all are assigned in the end."""
    iterations: Annotated[int, Field(ge=0, le=10**6)] = 30
    """Most iterations of k-means; it stops earlier when no hand changes its bucket."""
    seed: Natural = 0
    """Seed of the sample and of the first centres."""


def build_abstraction(
    config: AbstractionConfig | None = None,
    cards: Cards | None = None,
    *,
    threads: int = 1,
    watch: Watch = UNWATCHED,
) -> CardAbstraction:
    """The buckets of all streets; the config and its seed decide them, not the threads.

    Raises `Stopped` if the watch says so.
    """
    config, cards = config or AbstractionConfig(), cards or Cards()
    builder = _Builder(config, cards, threads, watch)
    flop = builder.points(3, config.flop_features)
    same = config.preflop_features == config.flop_features
    classes = flop if same else builder.points(3, config.preflop_features)
    streets = {
        "preflop": builder.preflop(classes),
        "flop": builder.assign_all("flop", flop),
        "turn": builder.turn(),
        "river": builder.river(),
    }
    return CardAbstraction(cards, streets, asdict(config))


@dataclass(frozen=True)
class _Points:
    """One row for each hand on each board, up to suits."""

    indices: NDArray[np.uint32]
    classes: NDArray[np.uint32]
    weights: NDArray[np.float64]
    equities: Floats
    features: Floats

    @classmethod
    def joined(cls, parts: list["_Points"]) -> "_Points":
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def part(self, rows: NDArray[np.int64]) -> "_Points":
        return _Points(*(column[rows] for column in vars(self).values()))


class _Tally:
    """The buckets of a street while hands are assigned to them."""

    def __init__(self, buckets: int) -> None:
        self._deals, self._won = np.zeros(buckets), np.zeros(buckets)

    def add(self, found: NDArray[np.uint16], points: _Points) -> None:
        size = len(self._deals)
        self._deals += np.bincount(found, points.weights, size)
        self._won += np.bincount(found, points.weights * points.equities, size)

    def street(self, table: NDArray[np.uint16]) -> StreetBuckets:
        """The buckets numbered by equity, weakest first, without empty ones."""
        filled = np.flatnonzero(self._deals)
        equities = self._won[filled] / self._deals[filled]
        order = filled[np.argsort(equities, kind="stable")]
        numbers = np.zeros(len(self._deals), np.uint16)
        numbers[order] = np.arange(len(order))
        return StreetBuckets(
            numbers[table],
            self._deals[order].astype(np.uint64),
            (self._won[order] / self._deals[order]).astype(np.float32),
        )


class _Builder:
    def __init__(self, config: AbstractionConfig, cards: Cards, threads: int, watch: Watch) -> None:
        self.config, self.cards, self.threads, self.watch = config, cards, threads, watch

    def points(self, num_board: int, features: Features) -> _Points:
        """Features of all hands on all boards, in the order of their index."""
        job = self._job(num_board, features)
        boards = np.arange(job.num_boards)
        points = _Points.joined(list(self._pieces("flop: equities", job, boards)))
        return points.part(np.argsort(points.indices))

    def preflop(self, flop: _Points) -> StreetBuckets:
        """Buckets of hand classes, whose features are means over all flops."""
        num_classes = self.cards.table_sizes["preflop"]
        weights = np.bincount(flop.classes, flop.weights, num_classes).astype(np.float64)

        def mean(column: Floats) -> Floats:
            sums = np.bincount(flop.classes, flop.weights * column, num_classes)
            return (sums / weights).astype(np.float32)

        flops = comb(self.cards.deck.num_cards - 2, 3)
        numbers = np.arange(num_classes, dtype=np.uint32)
        features = np.stack([mean(column) for column in flop.features.T], axis=1)
        points = _Points(numbers, numbers, weights / flops, mean(flop.equities), features)
        return self.assign_all("preflop", points)

    def turn(self) -> StreetBuckets:
        """Points are many: clusters are found on those of some boards, then all pass by."""
        job = self._job(4, self.config.turn_features)
        some = self._random("turn").permutation(job.num_boards)[:_TURN_BOARDS]
        drawn = _Points.joined(list(self._pieces("turn: some equities", job, np.sort(some))))
        centroids = self._centroids("turn", drawn)
        table, tally = np.zeros(job.num_deals, np.uint16), _Tally(len(centroids))
        for points in self._pieces("turn: all equities", job, np.arange(job.num_boards)):
            found = _native.nearest_centroids(points.features, centroids, self.threads)
            table[points.indices] = found
            tally.add(found, points)
        return tally.street(table)

    def river(self) -> StreetBuckets:
        """Points are scores, each with the deals that have it."""
        job = _native.ScoreCounts(self.cards.showdown, self.cards.deck)
        deals = np.zeros(job.most + 1, np.int64)
        for first in range(0, job.num_boards, _RIVER_BOARDS):
            self.watch.look("river: equities", first / job.num_boards)
            last = min(first + _RIVER_BOARDS, job.num_boards)
            deals += job.count(first, last, self.threads)
        scores = np.flatnonzero(deals)
        equities = (scores / job.most).astype(np.float32)
        numbers = scores.astype(np.uint32)
        weights = deals[scores].astype(np.float64)
        points = _Points(numbers, numbers, weights, equities, equities[:, None].copy())
        centroids = self._centroids("river", points, sample=len(points.indices))
        everywhere = (np.arange(job.most + 1) / job.most).astype(np.float32)[:, None]
        table = _native.nearest_centroids(everywhere, centroids, self.threads)
        tally = _Tally(len(centroids))
        tally.add(table[scores], points)
        return tally.street(table)

    def _job(self, num_board: int, features: Features) -> _native.EquityFeatures:
        kind = _native.FeatureKind[features.upper()]
        return _native.EquityFeatures(self.cards.showdown, self.cards.deck, num_board, kind)

    def _pieces(
        self, what: str, job: _native.EquityFeatures, boards: NDArray[np.int64]
    ) -> Iterator[_Points]:
        """The rows of these boards, some boards at a time."""
        size = 16 * min(self.threads, os.cpu_count() or 1)  # so that a stop is soon heard
        for first in range(0, len(boards), size):
            self.watch.look(what, first / len(boards))
            rows = job.rows(boards[first : first + size].astype(np.int64), self.threads)
            indices, classes, weights, equities, features = rows
            yield _Points(indices, classes, weights.astype(np.float64), equities, features)

    def assign_all(self, street: str, points: _Points) -> StreetBuckets:
        """The buckets of a street from the points of all its hands."""
        centroids = self._centroids(street, points)
        table = _native.nearest_centroids(points.features, centroids, self.threads)
        tally = _Tally(len(centroids))
        tally.add(table, points)
        return tally.street(table)

    def _centroids(self, street: str, points: _Points, sample: int | None = None) -> Floats:
        self.watch.look(f"{street}: first centroids")
        count = min(sample or self.config.sample, len(points.indices))
        drawn = np.sort(self._random(street).permutation(len(points.indices))[:count])
        some, buckets = points.part(drawn), int(vars(self.config)[street])
        found = _native.KMeans(some.features, some.weights, buckets, self.config.seed, self.threads)
        for done in range(self.config.iterations):
            self.watch.look(f"{street}: clusters", done / self.config.iterations)
            if not found.step():
                break
        return found.centroids

    def _random(self, street: str) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, STREETS.index(street)])

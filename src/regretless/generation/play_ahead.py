# SPDX-License-Identifier: MIT
"""Rounds of self-play for a learner: in turn with learning, or on a thread of their own."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from regretless.algorithm import Shard
from regretless.generation.generator import Columns, Weights
from regretless.generation.self_play import SelfPlayGenerator

Handover = Callable[[], Weights]
"""Returns a copy of the newest weights."""


class PlayInTurn:
    """Plays a round whenever the learner asks for one."""

    def __init__(self, generator: SelfPlayGenerator) -> None:
        self.generator = generator

    def take(self, first: int, weights: Handover, *, waits: bool) -> Columns | None:
        """Returns the steps of the round that begins with episode `first`.

        None where play goes on beside learning and is not over; with `waits` there is no such case.
        """
        return self.generator.make(weights(), Shard(first, self.generator.config.round))


class PlayAhead:
    """Plays the next round on a thread while the learner learns from the one before."""

    def __init__(
        self, generator: SelfPlayGenerator, train_ahead: int, hand_over_every: int
    ) -> None:
        """The learner waits after `train_ahead` rounds of learning without a round of play, and
        hands over weights at most every `hand_over_every` rounds of learning."""
        self.generator = generator
        self._train_ahead, self._hand_over_every = train_ahead, hand_over_every
        self._thread = ThreadPoolExecutor(1)
        self._under_way: Future[Columns] | None = None
        self._weights: Weights = {}
        self._rounds = self._ahead = 0
        self._handed_over = -hand_over_every  # the round of the last transfer of weights

    def take(self, first: int, weights: Handover, *, waits: bool) -> Columns | None:
        """As `PlayInTurn.take`."""
        if self._under_way is None:
            self._under_way = self._play(first, weights)
        self._rounds += 1
        waits = waits or self._ahead >= self._train_ahead
        if not (waits or self._under_way.done()):
            self._ahead += 1
            return None
        columns, self._ahead = self._under_way.result(), 0
        self._under_way = self._play(first + self.generator.config.round, weights)
        return columns

    def _play(self, first: int, weights: Handover) -> Future[Columns]:
        """Starts a round. Nothing is played now, so the networks of play may change."""
        if self._rounds - self._handed_over >= self._hand_over_every:
            self._handed_over, self._weights = self._rounds, weights()
            self.generator.load(self._weights)
        shard = Shard(first, self.generator.config.round)
        return self._thread.submit(self.generator.make, self._weights, shard)

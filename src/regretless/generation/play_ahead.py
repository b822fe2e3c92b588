# SPDX-License-Identifier: MIT
"""Rounds of self-play for a learner: in turn with learning, or beside it."""

from collections.abc import Callable
from dataclasses import dataclass

from regretless.algorithm import Shard
from regretless.generation.generator import Columns, Weights
from regretless.generation.makers import Makers, Making
from regretless.generation.self_play import joined_steps
from regretless.watch import UNWATCHED, Stopped, Watch

Handover = Callable[[], Weights]
"""Returns a copy of the newest weights."""


@dataclass(frozen=True)
class Rounds:
    """Rounds of consecutive episodes, and who plays them."""

    makers: Makers
    episodes: int
    """Episodes of a round."""
    block: int
    """Episodes of a shard, at most."""

    def begin(self, first: int, weights: Weights) -> Making:
        """Begins the round of which `first` is the first episode."""
        return self.makers.begin(weights, Shard(first, self.episodes).split(self.block))


class PlayInTurn:
    """Plays a round whenever the learner asks for one."""

    def __init__(self, rounds: Rounds) -> None:
        self._rounds = rounds
        self.staleness = 0
        """Rounds of learning that the weights of the last round that was taken lack."""

    def take(
        self, first: int, weights: Handover, *, waits: bool, watch: Watch = UNWATCHED
    ) -> Columns | None:
        """Returns the steps of the round that begins with episode `first`.

        None where play goes on beside learning and is not over; with `waits` there is no such case.
        """
        return _taken(self._rounds.begin(first, weights()), watch)


class PlayAhead:
    """Plays the next rounds while the learner learns from the one before."""

    def __init__(
        self, rounds: Rounds, *, train_ahead: int, hand_over_every: int, rounds_ahead: int
    ) -> None:
        """The learner waits after `train_ahead` rounds of learning without a round of play, and
        hands over weights at most every `hand_over_every` rounds of learning. `rounds_ahead` are
        played at once."""
        self._rounds, self._rounds_ahead = rounds, rounds_ahead
        self._train_ahead, self._hand_over_every = train_ahead, hand_over_every
        self._under_way: list[tuple[Making, int]] = []  # and how often had been learned
        self._weights: Weights = {}
        self._learned = self._ahead = self.staleness = 0
        self._handed_over = -hand_over_every  # how often had been learned then

    def take(
        self, first: int, weights: Handover, *, waits: bool, watch: Watch = UNWATCHED
    ) -> Columns | None:
        """As `PlayInTurn.take`."""
        self._begin_rounds(first, weights)
        self._learned += 1
        making, handed_over = self._under_way[0]
        if not (waits or self._ahead >= self._train_ahead or making.is_ready()):
            self._ahead += 1
            return None
        try:
            columns = _taken(making, watch)
        except Stopped:
            self._under_way = []  # a part of a round may have been taken
            raise
        self.staleness, self._ahead = self._learned - 1 - handed_over, 0
        self._under_way.pop(0)
        self._begin_rounds(first + self._rounds.episodes, weights)
        return columns

    def _begin_rounds(self, first: int, weights: Handover) -> None:
        """Begins rounds until enough are under way; `first` is where the oldest one begins."""
        while len(self._under_way) < self._rounds_ahead:
            if self._learned - self._handed_over >= self._hand_over_every:
                self._handed_over, self._weights = self._learned, weights()
            start = first + len(self._under_way) * self._rounds.episodes
            making = self._rounds.begin(start, self._weights)
            self._under_way.append((making, self._handed_over))


def _taken(making: Making, watch: Watch) -> Columns:
    """Returns the steps of a whole round."""
    return joined_steps([making.take(watch) for _ in list(making.left)])

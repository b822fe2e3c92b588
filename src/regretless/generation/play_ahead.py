# SPDX-License-Identifier: MIT
"""Rounds of self-play for a learner: in turn with learning, or beside it."""

from collections.abc import Callable

from regretless.algorithm import Shard
from regretless.generation.generator import Columns, Weights
from regretless.generation.makers import Makers, Making
from regretless.generation.self_play import joined_steps
from regretless.watch import UNWATCHED, Watch

Handover = Callable[[], Weights]
"""Returns a copy of the newest weights."""


class PlayAhead:
    """Plays rounds of consecutive episodes, the next ones while the learner learns from one."""

    def __init__(
        self,
        makers: Makers,
        episodes: int,
        block: int,
        *,
        train_ahead: int = 0,
        hand_over_every: int = 1,
        rounds_ahead: int = 0,
    ) -> None:
        """A round has `episodes`, in shards of at most `block`.

        The learner waits after `train_ahead` rounds of learning without a round of play, and hands
        over weights at most every `hand_over_every` rounds of learning. `rounds_ahead` are played
        at once; with 0 a round is played when the learner asks for it.
        """
        self._makers, self._episodes, self._block = makers, episodes, block
        self._rounds_ahead = rounds_ahead
        self._train_ahead, self._hand_over_every = train_ahead, hand_over_every
        self._under_way: list[tuple[Making, int]] = []  # and how often had been learned
        self._weights: Weights = {}
        self._learned = self._ahead = 0
        self._handed_over = -hand_over_every  # how often had been learned then
        self.staleness = 0
        """Rounds of learning that the weights of the last round that was taken lack."""

    def take(
        self, first: int, weights: Handover, *, waits: bool, watch: Watch = UNWATCHED
    ) -> Columns | None:
        """Returns the steps of the round that begins with episode `first`.

        None where play goes on beside learning and is not over; with `waits` there is no such case.
        """
        self._begin_rounds(max(self._rounds_ahead, 1), first, weights)
        self._learned += 1
        making, handed_over = self._under_way[0]
        if not (waits or self._ahead >= self._train_ahead or making.is_ready()):
            self._ahead += 1
            return None
        try:
            columns = joined_steps([making.take(watch) for _ in list(making.left)])
        except Exception:
            self.close()  # a part of a round may have been taken
            raise
        self.staleness, self._ahead = self._learned - 1 - handed_over, 0
        self._under_way.pop(0)
        self._begin_rounds(self._rounds_ahead, first + self._episodes, weights)
        return columns

    def close(self) -> None:
        """Gives up the rounds under way."""
        for making, _ in self._under_way:
            making.close()
        self._under_way = []

    def _begin_rounds(self, count: int, first: int, weights: Handover) -> None:
        """Begins rounds until `count` are under way; `first` is where the oldest one begins."""
        while len(self._under_way) < count:
            if self._learned - self._handed_over >= self._hand_over_every:
                self._handed_over, self._weights = self._learned, weights()
            start = first + len(self._under_way) * self._episodes
            shards = Shard(start, self._episodes).split(self._block)
            making = self._makers.begin(self._weights, shards)
            self._under_way.append((making, self._handed_over))

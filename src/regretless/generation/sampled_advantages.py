# SPDX-License-Identifier: MIT
"""Traversals and the networks that learn from them: a part of Deep CFR and Single Deep CFR."""

from collections.abc import Iterator
from dataclasses import fields
from functools import partial

from regretless.algorithm import Arrays, Metrics, Shard, Takes, size_of
from regretless.buffers import Buffer
from regretless.games import Game
from regretless.generation.traversals import TraversalConfig, TraversalGenerator, seats_encoder
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.advantages import AdvantageFits, SideFits
from regretless.learning.progress import Progress, Task
from regretless.learning.seat_fits import FitMaker, SeatFits
from regretless.watch import Watch


class SampledAdvantages:
    """A generator of traversals, the fits of advantages, and the progress of an iteration."""

    def __init__(
        self, game: Game, config: AdvantageConfig, seed: int, *, strategies: bool = False
    ) -> None:
        """With `strategies` traversals also sample the strategies of the other seats."""
        shared = {field.name for field in fields(TraversalConfig)} - {"seed", "strategies"}
        options = {name: getattr(config, name) for name in shared}
        self.config, self.progress = config, Progress()
        self.generator = TraversalGenerator(
            game, TraversalConfig(seed=seed, strategies=strategies, **options)
        )
        self.encoder = self.generator.encoder
        self.maker = FitMaker(game, self.encoder, config, seed)
        self.fits = AdvantageFits(self.maker)
        has_baselines = config.baselines != "none"
        all_seats = seats_encoder(game, config.encoder) if has_baselines else None
        self.sides = SideFits(self.maker, all_seats)
        self.seats, self.rule = self.maker.seats, self.fits.rule

    @property
    def iteration(self) -> int:
        """The current iteration, from 1."""
        return self.progress.iterations + 1

    def shards(self, seat: int) -> list[Shard]:
        """Returns the traversals of a seat in this iteration."""
        config = self.config
        return Shard(0, config.traversals, self.iteration, seat).split(config.block)

    def sample(self, shard: Shard, watch: Watch) -> Arrays:
        """Keeps the samples of some traversals and returns their columns."""
        weights = {"advantages": self.fits.weights(), **self.sides.weights()}
        samples = self.generator.make(weights, shard, watch)
        if shard.first == 0:
            self.fits.clear(shard.seat)
        self.fits.add(shard.seat, samples, self.iteration)
        self.sides.add(shard.seat, samples, self.fits.sample_weights(samples, self.iteration))
        self.progress.nodes += int(samples["nodes"].sum())
        self.progress.questions += int(samples["questions"].sum())
        return samples

    def fit(self, seat: int, watch: Watch) -> None:
        """Fits the network of advantages of a seat."""
        metrics = self.fits.fit(seat, self.iteration, watch)
        before = self.progress.metrics.get("buffer/advantages", 0.0)
        metrics["buffer/advantages"] = before + self.fits.rows[seat].size
        self.progress.metrics |= metrics

    def side_tasks(self) -> Iterator[Task]:
        """Yields the fits of the networks that are learned beside the advantages."""
        for part in self.sides.parts:
            for seat in self.seats:
                yield partial(self._fit_side, part, seat)

    def _fit_side(self, part: SeatFits, seat: int, watch: Watch) -> None:
        self.progress.metrics |= self.sides.fit(part, seat, self.iteration, watch)

    def figures(self) -> Metrics:
        """Returns the metrics that do not belong to one iteration."""
        return {
            "nodes": float(self.progress.nodes),
            "questions": float(self.progress.questions),
            **{f"buffer/{side.name}": float(side.size) for side in self.sides.parts},
        }

    # Checkpoints.

    def takes(self, state: Arrays) -> Takes:
        """Returns the forecast of memory of a learner with this state."""
        shard = min(self.config.block, self.config.traversals)
        return self.fits.takes(size_of(state), self.generator.forecast_bytes(shard))

    def buffers(self) -> dict[str, Buffer]:
        found = self.fits.buffers()
        for side in self.sides.parts:
            found |= side.buffers()
        return found

    def state(self) -> Arrays:
        arrays = self.progress.state() | self.fits.state(self.progress.tasks)
        for side in self.sides.parts:
            arrays |= side.state()
        return arrays

    def restore(self, state: Arrays) -> None:
        self.progress.restore(state)
        self.fits.restore(state, self.progress.tasks)
        for side in self.sides.parts:
            side.restore(state)

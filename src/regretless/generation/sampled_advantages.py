# SPDX-License-Identifier: MIT
"""Traversals and the networks that learn from them: a part of Deep CFR and Single Deep CFR."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from regretless.algorithm import Arrays, Metrics, Shard, Takes, size_of
from regretless.buffers import Buffer
from regretless.games import Game
from regretless.generation.makers import MakeMakers, Makers, MakersHere, Making
from regretless.generation.traversals import TraversalGenerator, seats_encoder
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.advantages import AdvantageFits, make_sides
from regretless.learning.fit import numbered_seed
from regretless.learning.seat_fits import FitMaker, SeatFits, seat_weights
from regretless.networks.shape import NetworkWeights
from regretless.watch import Stopped, Watch

Task = Callable[[Watch], object]
"""Work that changes nothing if it is stopped."""


class SampledAdvantages:
    """A generator of traversals, the fits of advantages, and the progress of iterations.

    An iteration is a list of tasks, of which each can be stopped.
    """

    def __init__(
        self, game: Game, config: AdvantageConfig, seed: int, *, strategies: bool = False
    ) -> None:
        """With `strategies` traversals also sample the strategies of the other seats."""
        self.config = config
        self.iterations = self.tasks = 0
        """The iterations, and the tasks of the current iteration, that are done."""
        self.nodes = self.questions = 0
        self.metrics: Metrics = {}
        """Those of the current iteration."""
        self.generator = TraversalGenerator(game, config, seed=seed, strategies=strategies)
        self._makers: Makers = MakersHere(self.generator)
        self._under_way: list[tuple[Making, int]] = []  # and the fits that were done then
        self._fits_done = 0  # of this process
        self.encoder = self.generator.encoder
        self.maker = FitMaker(game, self.encoder, config, seed)
        self.fits = AdvantageFits(self.maker)
        has_baselines = config.baselines != "none"
        all_seats = seats_encoder(game, config.encoder) if has_baselines else None
        self.sides = make_sides(self.maker, all_seats)
        """Networks that learn from the same traversals, by name; a learner may add some."""
        self.seats, self.rule = self.maker.seats, self.fits.rule

    @property
    def iteration(self) -> int:
        """The current iteration, from 1."""
        return self.iterations + 1

    def step(self, count: int, tasks: Callable[[], Iterator[Task]], watch: Watch) -> Metrics:
        """Does iterations and returns the metrics of the last; none if stopped.

        `tasks` yields those of the current iteration; the ones that are done are left out.
        """
        metrics: Metrics = {}
        for _ in range(count):
            try:
                for task in itertools.islice(tasks(), self.tasks, None):
                    task(watch)
                    self.tasks += 1
            except Stopped:
                return {}
            metrics, self.metrics, self.tasks = self.metrics, {}, 0
            self.iterations += 1
        return {
            **metrics,
            "nodes": float(self.nodes),
            "questions": float(self.questions),
            **{f"buffer/{name}": float(side.size) for name, side in self.sides.items()},
        }

    def shards(self, seat: int, ahead: int = 0) -> list[Shard]:
        """Returns the traversals of a seat in this iteration, or of the turn so many later."""
        config = self.config
        later, seat = divmod(seat + ahead, len(self.seats))
        return Shard(0, config.traversals, self.iteration + later, seat).split(config.block)

    def _begin(self, shards: list[Shard]) -> None:
        self._under_way.append((self._makers.begin(self.weights(), shards), self._fits_done))

    def _give_up(self) -> None:
        for making, _ in self._under_way:
            making.close()
        self._under_way = []

    def work_on(self, make_makers: MakeMakers) -> None:
        """Has the traversals made on a cluster from now on."""
        self._give_up()
        largest = min(self.config.block, self.config.traversals)
        self._makers = make_makers(self.generator, largest)

    @property
    def shards_per_step(self) -> tuple[int, int]:
        count = len(self.shards(0))
        return count * len(self.seats), count

    def sample(self, shard: Shard, watch: Watch) -> Arrays:
        """Keeps the samples of some traversals and returns their columns."""
        if not self._under_way or shard not in self._under_way[0][0].left:
            self._give_up()
            shards = self.shards(shard.seat)
            self._begin([each for each in shards if each.first >= shard.first])
        making, fits = self._under_way[0]
        samples = making.take(watch)
        if self.config.asynchronous:
            before = self.metrics.get("staleness", 0.0)
            self.metrics["staleness"] = max(before, float(self._fits_done - fits))
        if not making.left:
            self._under_way.pop(0)
            if self.config.asynchronous:
                self._begin(self.shards(shard.seat, ahead=1))
        if shard.first == 0:
            self.fits.clear(shard.seat)
        self.add(shard.seat, samples)
        self.nodes += int(samples["nodes"].sum())
        self.questions += int(samples["questions"].sum())
        return samples

    def weights(self) -> dict[str, NetworkWeights]:
        """Returns the networks that traversals ask."""
        baselines = self.sides.get("baselines")
        asked = {} if baselines is None else {"baselines": baselines.weights()}
        return {"advantages": seat_weights(self.fits.players), **asked}

    def add(self, seat: int, samples: Arrays) -> None:
        """Keeps the columns of traversals of a seat."""
        weights = samples["weights"] * np.float32(self.rule.weight(self.iteration))
        self.fits.add(seat, samples, weights)
        if "values" in self.sides:
            targets = samples["values"][:, None]
            self.sides["values"].rows[seat].add(
                {"row": samples["rows"], "target": targets, "weight": weights}
            )
        if "baselines" in self.sides:
            self.sides["baselines"].rows[seat].add(
                {
                    "row": samples["outcome_rows"],
                    "legal": samples["followed"],
                    "target": samples["outcomes"],
                    "weight": samples["outcome_weights"],
                }
            )

    def fit(self, seat: int, watch: Watch) -> None:
        """Fits the network of advantages of a seat."""
        metrics = self.fits.fit(seat, self.iteration, watch)
        self._fits_done += 1
        before = self.metrics.get("buffer/advantages", 0.0)
        metrics["buffer/advantages"] = before + self.fits.rows[seat].size
        self.metrics |= metrics

    def side_tasks(self) -> Iterator[Task]:
        """Yields the fits of the networks that are learned beside the advantages."""
        scales = {"values": self.rule.scale(self.iteration), "baselines": 1.0}
        for name, scale in scales.items():
            for seat in self.seats if name in self.sides else ():
                yield partial(self.fit_side, self.sides[name], seat, scale)

    def fit_side(self, side: SeatFits, seat: int, scale: float, watch: Watch) -> None:
        """Fits the network of a seat in a side, whose weights of rows count `scale` times."""
        seed = numbered_seed(self.maker.seed, side.stream, seat, self.iteration)
        loss = side.fits[seat].fit(side.loss, side.rows[seat], seed, scale=scale, watch=watch)
        self.metrics[f"loss/{side.name}_{seat}"] = loss

    # Checkpoints.

    def takes(self, state: Arrays) -> Takes:
        """Returns the forecast of memory of a learner with this state."""
        shard = min(self.config.block, self.config.traversals)
        return self.fits.takes(size_of(state), self.generator.forecast_bytes(shard))

    def buffers(self) -> dict[str, Buffer]:
        found = self.fits.buffers()
        for side in self.sides.values():
            found |= side.buffers()
        return found

    def state(self) -> Arrays:
        counts = [self.iterations, self.tasks, self.nodes, self.questions]
        metrics = {f"metrics/{key}": np.array(value) for key, value in self.metrics.items()}
        arrays = {"counts": np.array(counts), **metrics, **self.fits.state(self.tasks)}
        for side in self.sides.values():
            arrays |= side.state()
        return arrays

    def restore(self, state: Arrays) -> None:
        self._give_up()
        self.iterations, self.tasks, self.nodes, self.questions = map(int, state["counts"])
        self.metrics = {
            key.removeprefix("metrics/"): float(value)
            for key, value in state.items()
            if key.startswith("metrics/")
        }
        self.fits.restore(state, self.tasks)
        for side in self.sides.values():
            side.restore(state)


class AdvantageLearner:
    """The methods of an `Algorithm` that its advantages do."""

    advantages: SampledAdvantages

    @property
    def steps_done(self) -> int:
        return self.advantages.iterations

    def work_on(self, make_makers: MakeMakers) -> None:
        self.advantages.work_on(make_makers)

    @property
    def shards_per_step(self) -> tuple[int, int]:
        return self.advantages.shards_per_step

    def no_policy(self) -> str | None:
        return None

    def takes(self) -> Takes:
        return self.advantages.takes(self.state())

    def state(self) -> Arrays:
        return self.advantages.state()

    def restore(self, state: Arrays) -> None:
        self.advantages.restore(state)

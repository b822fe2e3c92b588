# SPDX-License-Identifier: MIT
"""What Deep CFR and Single Deep CFR share: traversals, and a network of advantages for each seat.

An iteration goes over the seats in turn: so many sampled traversals of that seat, in which all play
by regret matching on what their networks say; then its network is fitted to the advantages found.
Samples of an iteration count by the rule (`advantage_rules.py`).
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer, Column, Reservoir, Ring
from regretless.errors import InputError
from regretless.games import Game, with_hands
from regretless.games.encoders import load_encoder
from regretless.inference.seat_networks import make_seat_networks
from regretless.learning.advantage_config import AdvantageConfig, check_config
from regretless.learning.advantage_rules import RULES
from regretless.learning.encoded_rows import EncodedFeatures
from regretless.learning.fit import Fit, FitConfig
from regretless.learning.history_values import HistoryValues
from regretless.learning.minibatches import Rows
from regretless.learning.seat_fits import SeatFits
from regretless.networks.mlp import MlpShape
from regretless.networks.network import Network
from regretless.networks.placement import find_placement
from regretless.networks.shape import NetworkShape
from regretless.watch import UNWATCHED, Stopped, Watch

# Streams of randomness.
_WEIGHTS, _FITS, _RESERVOIRS = range(3)
_VALUE_WEIGHTS, _VALUE_FITS, _VALUE_RESERVOIRS, _BASELINE_WEIGHTS, _BASELINE_FITS = range(3, 8)

_TAKE_EVERY = 8  # rounds of questions

# For the forecast of memory.
_PILOTS = 64  # traversals for each seat that tell how many decisions one has ...
_GROWTH = 3  # ... of which it has at most so many times more when players fold less
_LEAST_ROWS = 1 << 12  # that networks answer at once
_LIBRARY_BYTES = 256 << 20  # that torch takes once it works
_DRIVER_BYTES = 4 << 30  # of memory, not of the device

Phase = Callable[[Watch], None]


class AdvantageLearner:
    """The part of an `Algorithm` that learns advantages; what is learned beside it is added."""

    keeps_strategies = False

    def __init__(self, game: Game, config: AdvantageConfig, seed: int) -> None:
        check_config(config)
        self.game, self.config, self.seed = game, config, seed
        self.rule = RULES[config.rule]
        self.steps_done = 0
        self._phase = self._block = 0  # of the iteration at hand
        self._metrics: Metrics = {}
        self.device = find_placement(config.device, "float32").device
        self.dtype = torch.bfloat16 if config.precision == "bfloat16" else torch.float32
        self.encoder = load_encoder(config.encoder, game)
        self.fits = [self._advantage_fit(f"advantages/{seat}") for seat in self.seats]
        """Of the networks that play, by seat."""
        self.sums = self.fits
        """Of the networks that hold what advantages have added up to, where those are others."""
        if self.rule.predicts:
            self.sums = [self._advantage_fit(f"sums/{seat}") for seat in self.seats]
        self._last: Network | None = None  # what a network said before it is fitted anew
        self._discount = 0.0
        self._players = make_seat_networks(
            [fit.network for fit in self.fits], self.encoder, self.device, self.dtype
        )
        self.advantages = [
            self.reservoir("advantages", seat, config.capacity) for seat in self.seats
        ]
        self.values = self._make_values() if config.value_steps > 0 else None
        uses_baselines = config.baseline or config.targets == "values"
        self.baselines = self._make_baselines() if uses_baselines else None
        self._deals = self._draw_deals()
        self._job: _native.Traversals | None = None
        self._nodes = self._questions = 0

    @property
    def seats(self) -> range:
        return range(self.game.num_players)

    @property
    def iteration(self) -> int:
        """The one at hand, from 1."""
        return self.steps_done + 1

    # What an iteration is.

    def phases(self) -> list[Phase]:
        """Of an iteration, in their order; a step may be stopped between and in them."""
        found: list[Phase] = []
        for seat in self.seats:
            found += [partial(self._traverse, seat), partial(self._fit, seat)]
        if self.values is not None:
            found += [partial(self._fit_values, seat) for seat in self.seats]
        if self.baselines is not None:
            found += [partial(self._fit_baselines, seat) for seat in self.seats]
        return found

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """Stopped early, it goes on from the last whole block of traversals or fit."""
        for _ in range(count):
            phases = self.phases()
            while self._phase < len(phases):
                try:
                    phases[self._phase](watch)
                except Stopped:
                    self._job = None  # its traversals count for nothing
                    return {}
                self._phase += 1
            metrics, self._metrics = self._metrics, {}
            self._phase = 0
            self.steps_done += 1
        sizes = {f"buffer/{side.name}": float(side.size) for side in self._sides()}
        return metrics | {
            "nodes": float(self._nodes),
            "questions": float(self._questions),
            **sizes,
        }

    def _traverse(self, seat: int, watch: Watch) -> None:
        if self.rule.adds_up and self._block == 0:
            self.advantages[seat].resume(0)
            self.fits[seat].forget_rows()
            self.sums[seat].forget_rows()
        self._players.refresh()
        while self._block * self.config.block < self.config.traversals:
            first = self._block * self.config.block
            count = min(self.config.block, self.config.traversals - first)
            for samples in self._samples(seat, first, count, watch):
                self._keep(seat, samples)
            self._block += 1
        self._block = 0
        sizes = self._metrics.get("buffer/advantages", 0.0) + self.advantages[seat].size
        self._metrics["buffer/advantages"] = sizes

    def _samples(
        self, seat: int, first: int, count: int, watch: Watch
    ) -> list[_native.TraversalSamples]:
        """Taken as soon as they are there, so that the job works on in the memory at hand."""
        if self._job is None:
            self._job = self._new_job()
        job = self._job
        nodes, questions = job.num_nodes, job.num_questions
        job.begin(self.iteration, seat, first, count)
        begun: dict[int, Any] = {}
        taken = []
        for half in range(job.num_halves):
            self._ask(job, seat, half, begun)
        for number in itertools.count(1):
            if not begun:
                break
            if number % _TAKE_EVERY == 0:
                taken.append(job.take_samples())
            share = (first + job.num_finished) / self.config.traversals
            watch.look(f"traversals of seat {seat}", share)
            for half in list(begun):
                asked, baselines = begun.pop(half)
                job.answer(self._players.finish(asked), half, baselines)
                self._ask(job, seat, half, begun)
        self._nodes += job.num_nodes - nodes
        self._questions += job.num_questions - questions
        return [*taken, job.take_samples()]

    def _ask(self, job: _native.Traversals, seat: int, half: int, begun: dict[int, Any]) -> None:
        questions = job.ask(half)
        if questions is None:
            return
        rows = questions.rows(self.encoder.name)
        asked = self._players.begin(rows, questions.legal, questions.actors)
        found = None if self.baselines is None else self.baselines.baselines(seat, questions)
        begun[half] = asked, found

    def _keep(self, seat: int, samples: _native.TraversalSamples) -> None:
        weights = samples.weights * np.float32(self.rule.weight(self.iteration))
        advantages = samples.advantages
        if self.config.stake_power > 0:
            advantages = advantages / samples.stakes[:, None] ** np.float32(self.config.stake_power)
        self.advantages[seat].add(
            {
                "row": samples.rows,
                "legal": samples.legal,
                "target": advantages,
                "weight": weights,
            }
        )
        if self.values is not None:
            targets = samples.values[:, None]
            self.values.rows[seat].add({"row": samples.rows, "target": targets, "weight": weights})
        if self.baselines is not None:
            self.baselines.add(seat, samples)

    def _fit(self, seat: int, watch: Watch) -> None:
        fits = [self.fits[seat]] if self.fits is self.sums else [self.sums[seat], self.fits[seat]]
        kept = [fit.state() for fit in fits]
        try:
            for number, fit in enumerate(fits):
                if self.rule.adds_up:  # a prediction stands on the sums that were just fitted
                    self._discount = self.rule.discount(self.iteration + number)
                    self._last = Network(fits[0].network.shape).to(self.device)
                    self._last.load_state_dict(fits[0].network.state_dict())
                if self._begins_anew():
                    self.draw(fit, _WEIGHTS, 2 * seat + number)
                draws, scale = (
                    self.seed_of(_FITS, 2 * seat + number),
                    self.rule.scale(self.iteration),
                )
                loss = fit.fit(
                    AdvantageLoss(self._last, self._discount),
                    self.advantages[seat],
                    draws,
                    scale=scale,
                    watch=watch,
                )
                self._metrics[f"loss/{fit.name.replace('/', '_')}"] = loss
        except Stopped:
            for fit, before in zip(fits, kept, strict=True):
                fit.undo(before)
            raise

    def _fit_values(self, seat: int, watch: Watch) -> None:
        assert self.values is not None
        draws, scale = self.seed_of(_VALUE_FITS, seat), self.rule.scale(self.iteration)
        loss = self.values.fit(seat, draws, scale=scale, watch=watch)
        self._metrics[f"loss/values_{seat}"] = loss

    def _fit_baselines(self, seat: int, watch: Watch) -> None:
        assert self.baselines is not None
        loss = self.baselines.fit(seat, self.seed_of(_BASELINE_FITS, seat), watch=watch)
        self._metrics[f"loss/baselines_{seat}"] = loss

    def _begins_anew(self) -> bool:
        return self.iteration == 1 or (self.config.from_scratch and not self.rule.adds_up)

    # Parts.

    def _new_job(self) -> _native.Traversals:
        config = self.config
        return _native.Traversals(
            self.game,
            config.encoder,
            sampling=config.sampling,
            epsilon=1.0 if config.targets == "values" else config.epsilon,
            baselines=self._baseline_use(),
            deals=self._deals,
            in_flight=config.in_flight,
            halves=2 if self.device.type == "cuda" and config.in_flight > 1 else 1,
            threads=config.threads,
            kept_answers=config.kept_answers,
            strategies=self.keeps_strategies,
            runouts=config.runouts,
            seed=self.seed,
        )

    def _baseline_use(self) -> str:
        if self.baselines is None:
            return "none"
        return "targets" if self.config.targets == "values" else "control"

    def _draw_deals(self) -> _native.DealPool | None:
        config = self.config
        if config.deals == 0:
            return None
        try:
            return _native.DealPool(
                with_hands(self.game, "a pool of deals"),
                count=config.deals,
                min_per_class=config.deals_min_per_class,
                max_rejections=config.deals_max_rejections,
                seed=config.deals_seed,
            )
        except ValueError as error:
            raise InputError(f"deals: {error}") from None

    def _advantage_fit(self, name: str) -> Fit[Network]:
        settings = self._settings(self.config.steps, self.config.batch)
        return self.make_fit(name, self.shape("advantages"), settings)

    def _settings(self, steps: int, batch: int) -> FitConfig:
        config = self.config
        return FitConfig(steps, batch, config.learning_rate, config.final_rate, config.clip)

    def _make_values(self) -> SeatFits:
        config, shape = self.config, self.shape("values", outputs=1)
        settings = self._settings(config.value_steps, config.value_batch)
        columns = [
            Column("row", "uint8", (self.encoder.row_bytes,)),
            Column("target", "float32", (1,)),
            Column("weight", "float32"),
        ]
        fits = [self.make_fit(f"values/{seat}", shape, settings) for seat in self.seats]
        for seat, fit in enumerate(fits):
            self.draw(fit, _VALUE_WEIGHTS, seat)
        rows = [
            self._reservoir(columns, config.value_capacity, _VALUE_RESERVOIRS, seat)
            for seat in self.seats
        ]
        return SeatFits("values", _value_loss, fits, rows)

    def _make_baselines(self) -> HistoryValues:
        config = self.config
        name, buckets = f"{self.encoder.name}/seats", list(self.encoder.buckets)
        encoder = _native.Encoder(self.game, name, buckets)
        shape = self.shape("values", inputs=encoder.num_features)
        settings = self._settings(config.baseline_steps, config.baseline_batch)
        fits = [self.make_fit(f"baselines/{seat}", shape, settings, encoder) for seat in self.seats]
        for seat, fit in enumerate(fits):
            self.draw(fit, _BASELINE_WEIGHTS, seat)
        rows = [
            Ring(
                self._slot_columns(encoder.row_bytes),
                config.baseline_capacity,
                max_bytes=config.max_bytes,
                threads=config.threads,
            )
            for _ in self.seats
        ]
        return HistoryValues("baselines", _outcome_loss, fits, rows, encoder)

    def _sides(self) -> list[SeatFits]:
        """What is learned beside advantages."""
        return [side for side in (self.values, self.baselines) if side is not None]

    def make_fit(
        self,
        name: str,
        shape: NetworkShape,
        settings: FitConfig,
        encoder: _native.Encoder | None = None,
    ) -> Fit[Network]:
        return Fit(
            name,
            Network(shape),
            settings,
            self.device,
            prepare=EncodedFeatures(encoder or self.encoder, self.device),
            merges_rows=True,
            precision=self.dtype,
        )

    def draw(self, fit: Fit[Network], stream: int, number: int) -> None:
        """New numbers for a network."""
        fit.reset(Network(fit.network.shape, self.generator(stream, number)))

    def shape(
        self, head: Any, *, inputs: int | None = None, outputs: int | None = None
    ) -> NetworkShape:
        """From what an actor sees to one number for each slot, unless told otherwise."""
        config = self.config
        return MlpShape(
            inputs=inputs or self.encoder.num_features,
            widths=config.widths,
            outputs=outputs or self.game.num_actions,
            head=head,
            activation=config.activation,
            layer_norm=config.layer_norm,
            residual=config.residual,
        )

    def reservoir(self, name: str, seat: int, capacity: int) -> Reservoir:
        """For rows with a target for each slot."""
        number = 2 * seat + (name != "advantages")
        columns = self._slot_columns(self.encoder.row_bytes)
        return self._reservoir(columns, capacity, _RESERVOIRS, number)

    def _slot_columns(self, row_bytes: int) -> list[Column]:
        slots = (self.game.num_actions,)
        return [
            Column("row", "uint8", (row_bytes,)),
            Column("legal", "bool", slots),
            Column("target", "float32", slots),
            Column("weight", "float32"),
        ]

    def _reservoir(
        self, columns: list[Column], capacity: int, stream: int, number: int
    ) -> Reservoir:
        return Reservoir(
            columns,
            capacity,
            seed=self.seed_of(stream, number, 0),
            max_bytes=self.config.max_bytes,
            threads=self.config.threads,
        )

    # Randomness is numbered: no state of it needs saving.

    def seed_of(self, stream: int, number: int, iteration: int | None = None) -> int:
        keys = [self.seed, stream, number, self.iteration if iteration is None else iteration]
        return int(np.random.SeedSequence(keys).generate_state(1, np.uint64)[0] >> np.uint64(1))

    def generator(self, stream: int, number: int) -> torch.Generator:
        return torch.Generator().manual_seed(self.seed_of(stream, number))

    # Saving.

    def no_policy(self) -> str | None:
        return None

    def takes(self) -> Takes:
        state, working = size_of(self.state()), self._working_bytes()
        if not self.rule.adds_up:
            return Takes(state, working=working)
        most = state + sum(each.num_bytes for each in self.advantages)
        return Takes(state, most, working)

    def _working_bytes(self) -> int:
        """Of samples that are held, traversals in flight, a minibatch, and the device's driver."""
        config, actions = self.config, self.game.num_actions
        decisions = _GROWTH * self._decisions()
        row = self.encoder.row_bytes
        held = min(config.block, config.traversals) * decisions * (row + 5 * actions + 16)
        flying = (
            min(config.in_flight, config.traversals) * decisions * (2 * row + 8 * actions + 160)
        )
        numbers = self.encoder.num_features + 4 * sum(config.widths)
        most_rows = max(config.batch, config.value_batch if config.value_steps else 0, _LEAST_ROWS)
        working = _LIBRARY_BYTES + held + flying + 4 * most_rows * numbers
        if self.device.type == "cuda":
            mirrored = [each.num_bytes for each in self.advantages]
            working += _DRIVER_BYTES + 2 * max(mirrored)
        return int(working)

    def _decisions(self) -> float:
        """Of a traversal, on average, when all play at random."""
        job = _native.Traversals(
            self.game, self.config.encoder, sampling=self.config.sampling, kept_answers=0, seed=0
        )
        for seat in self.seats:
            job.begin(0, seat, 0, _PILOTS)
            while (questions := job.ask()) is not None:
                job.answer(questions.legal.astype(np.float32))
        return job.num_questions / (_PILOTS * len(self.seats))

    def buffers(self) -> Mapping[str, Buffer]:
        found: dict[str, Buffer] = {}
        if not self.rule.adds_up:  # else what they hold is of the iteration at hand
            found = {f"advantages_{seat}": each for seat, each in enumerate(self.advantages)}
        for side in self._sides():
            found |= side.buffers()
        return found

    def state(self) -> Arrays:
        counts = [self.steps_done, self._phase, self._block, self._nodes, self._questions]
        arrays: Arrays = {"counts": np.array(counts)}
        arrays |= {f"metrics/{key}": np.array(value) for key, value in self._metrics.items()}
        for fit in self._all_fits():
            arrays |= fit.state(moments=self.rule.adds_up or not self.config.from_scratch)
        for side in self._sides():
            arrays |= side.state()
        return arrays | self._samples_at_hand()

    def _samples_at_hand(self) -> Arrays:
        """Of the seat that is under way, where no buffer keeps them for longer."""
        seat = self._phase // 2
        is_begun = self._phase % 2 == 1 or self._block > 0
        if not (self.rule.adds_up and is_begun and seat < len(self.seats)):
            return {}
        buffer = self.advantages[seat]
        rows = buffer.get(np.arange(buffer.size))
        return {"samples": rows, "num_samples": np.array(buffer.num_added)}

    def restore(self, state: Arrays) -> None:
        counts = map(int, state["counts"])
        self.steps_done, self._phase, self._block, self._nodes, self._questions = counts
        self._metrics = {
            key.removeprefix("metrics/"): float(value)
            for key, value in state.items()
            if key.startswith("metrics/")
        }
        for fit in self._all_fits():
            fit.restore(state)
        for side in self._sides():
            side.restore(state)
        if "samples" in state:
            buffer, rows = self.advantages[self._phase // 2], state["samples"]
            buffer.put(np.arange(len(rows)), rows)
            buffer.resume(int(state["num_samples"]))

    def _all_fits(self) -> list[Fit[Network]]:
        return self.fits if self.fits is self.sums else self.fits + self.sums


@dataclass(frozen=True)
class AdvantageLoss:
    """The weighted squared error over the legal slots; see `AdvantageRule.discount`."""

    last: Network | None = None
    discount: float = 0.0

    def __call__(self, network: Network, rows: Rows) -> Tensor:
        targets = rows["target"]
        if self.last is not None:
            with torch.no_grad():
                last = self.last(rows["features"]).float()
                targets = targets + self.discount * last.clamp(min=0)
        return _squared_error(network(rows["features"]), targets, rows["legal"], rows["weight"])


def _squared_error(outputs: Tensor, targets: Tensor, counts: Tensor, weights: Tensor) -> Tensor:
    """Weighted, over the slots that count."""
    errors = torch.where(counts, outputs.float() - targets, 0.0)
    return (weights * errors.square().sum(dim=1)).mean()


def _value_loss(network: Network, rows: Rows) -> Tensor:
    errors: Tensor = network(rows["features"]).float() - rows["target"]
    return (rows["weight"] * errors.square().sum(dim=1)).mean()


def _outcome_loss(network: Network, rows: Rows) -> Tensor:
    return _squared_error(network(rows["features"]), rows["target"], rows["legal"], rows["weight"])

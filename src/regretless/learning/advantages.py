# SPDX-License-Identifier: MIT
"""What Deep CFR and Single Deep CFR share: traversals, and a network of advantages for each seat.

An iteration goes over the seats in turn: so many sampled traversals of that seat, in which all play
by regret matching on what their networks say; then its network is fitted to the advantages found.
Samples of an iteration count by the rule (`advantage_rules.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer, Column, Reservoir
from regretless.errors import InputError
from regretless.games import Game
from regretless.learning.advantage_rules import RULES
from regretless.learning.network_shape import NetworkShape
from regretless.learning.networks import Network
from regretless.learning.regression import Regression, RegressionConfig, Rows
from regretless.learning.seat_networks import make_seat_networks
from regretless.observe import load_encoder
from regretless.tensors.placement import find_placement
from regretless.watch import UNWATCHED, Stopped, Watch


@dataclass(frozen=True)
class AdvantageConfig:
    """How advantages are sampled and fitted."""

    rule: Literal["linear", "uniform", "dcfr+", "pdcfr+"] = "linear"
    """How iterations count: see learning/advantage_rules.py."""
    encoder: str = "canonical24"
    """What the networks see."""
    traversals: int = 1_500
    """For each seat in an iteration."""
    sampling: Literal["external", "outcome"] = "external"
    """Whether a traversal follows every slot of its seat, or one that it draws."""
    epsilon: float = 0.6
    """With outcome sampling so much of the seat's own strategy is uniform."""
    in_flight: int = 1_024
    """Traversals under way at once."""
    block: int = 65_536
    """Traversals whose samples are held before they are kept or dropped; a run that is stopped
    goes on from the last whole block."""
    kept_answers: int = 1 << 20
    """Infosets whose strategy is kept for an iteration; 0 where few are met twice."""

    widths: tuple[int, ...] = (64, 64, 64)
    """Of the hidden layers."""
    activation: Literal["relu", "gelu", "silu", "tanh"] = "relu"
    layer_norm: bool = False
    residual: bool = False

    capacity: int = 1_000_000
    """Samples of advantages kept for each seat."""
    steps: int = 750
    """Minibatches of a fit."""
    batch: int = 2_048
    """Samples of a minibatch."""
    learning_rate: float = 1e-3
    final_rate: float = 0.0
    """Share of the rate that is left at the end of a fit."""
    clip: float = 1.0
    """Largest norm of a gradient."""
    from_scratch: bool = True
    """Whether every fit begins with new numbers; where advantages add up, none does."""

    device: str = "cpu"
    """Where the networks are: cpu, cuda or mps."""
    precision: Literal["float32", "tf32", "bfloat16"] = "float32"
    """Of products; tf32 is a setting of the whole process, which `train` sets."""
    threads: int = 1
    """Of the traversals, and on the CPU of the networks; traversals do not depend on it."""
    max_bytes: int = 1 << 36
    """Refuse buffers that would take more memory."""


_WEIGHTS, _FITS, _RESERVOIRS = range(3)  # streams of randomness

Phase = Callable[[Watch], None]


class AdvantageLearner:
    """The part of an `Algorithm` that learns advantages; what is learned beside it is added."""

    keeps_strategies = False

    def __init__(self, game: Game, config: AdvantageConfig, seed: int) -> None:
        _check(config)
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
            found += [
                lambda watch, seat=seat: self._traverse(seat, watch),
                lambda watch, seat=seat: self._fit(seat, watch),
            ]
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
        return metrics | {
            "nodes": float(self._nodes),
            "questions": float(self._questions),
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
            self._keep(seat, self._samples(seat, first, count, watch))
            self._block += 1
        self._block = 0
        sizes = self._metrics.get("buffer/advantages", 0.0) + self.advantages[seat].size
        self._metrics["buffer/advantages"] = sizes

    def _samples(self, seat: int, first: int, count: int, watch: Watch) -> _native.TraversalSamples:
        if self._job is None:
            self._job = self._new_job()
        job = self._job
        nodes, questions = job.num_nodes, job.num_questions
        job.begin(self.iteration, seat, first, count)
        begun: dict[int, Any] = {}
        for half in range(job.num_halves):
            self._ask(job, half, begun)
        while begun:
            share = (first + job.num_finished) / self.config.traversals
            watch.look(f"traversals of seat {seat}", share)
            for half in list(begun):
                job.answer(self._players.finish(begun.pop(half)), half)
                self._ask(job, half, begun)
        self._nodes += job.num_nodes - nodes
        self._questions += job.num_questions - questions
        return job.take_samples()

    def _ask(self, job: _native.Traversals, half: int, begun: dict[int, Any]) -> None:
        questions = job.ask(half)
        if questions is not None:
            begun[half] = self._players.begin(questions)

    def _keep(self, seat: int, samples: _native.TraversalSamples) -> None:
        weight = self.rule.weight(self.iteration)
        self.advantages[seat].add(
            {
                "row": samples.rows,
                "legal": samples.legal,
                "target": samples.advantages,
                "weight": np.full(len(samples.rows), weight, np.float32),
            }
        )

    def _fit(self, seat: int, watch: Watch) -> None:
        fits = [self.fits[seat]] if self.fits is self.sums else [self.sums[seat], self.fits[seat]]
        kept = [fit.state() for fit in fits]
        try:
            for number, fit in enumerate(fits):
                if self.rule.adds_up:  # a prediction stands on the sums that were just fitted
                    self._discount = self.rule.discount(self.iteration + number)
                    self._last = Network(fits[0].network.shape).to(self.device)
                    self._last.load_state_dict(fits[0].network.state_dict())
                    fit.forget_graph()
                if self._begins_anew():
                    fit.draw(self.generator(_WEIGHTS, 2 * seat + number))
                draws, scale = (
                    self.seed_of(_FITS, 2 * seat + number),
                    self.rule.scale(self.iteration),
                )
                loss = fit.fit(self.advantages[seat], draws, scale=scale, watch=watch)
                self._metrics[f"loss/{fit.name.replace('/', '_')}"] = loss
        except Stopped:
            for fit, before in zip(fits, kept, strict=True):
                fit.undo(before)
            raise

    def _begins_anew(self) -> bool:
        return self.iteration == 1 or (self.config.from_scratch and not self.rule.adds_up)

    def advantage_loss(self, network: Network, features: Tensor, rows: Rows) -> Tensor:
        """The weighted squared error over the legal slots."""
        legal, targets = rows["legal"], rows["target"]
        if self._last is not None:
            with torch.no_grad():
                targets = targets + self._discount * self._last(features).float().clamp(min=0)
        errors = torch.where(legal, network(features).float() - targets, 0.0)
        return (rows["weight"] * errors.square().sum(dim=1)).mean()

    # Parts.

    def _new_job(self) -> _native.Traversals:
        config = self.config
        return _native.Traversals(
            self.game,
            config.encoder,
            sampling=config.sampling,
            epsilon=config.epsilon,
            in_flight=config.in_flight,
            halves=2 if self.device.type == "cuda" and config.in_flight > 1 else 1,
            threads=config.threads,
            kept_answers=config.kept_answers,
            strategies=self.keeps_strategies,
            seed=self.seed,
        )

    def _advantage_fit(self, name: str) -> Regression:
        config = self.config
        settings = RegressionConfig(
            config.steps, config.batch, config.learning_rate, config.final_rate, config.clip
        )
        return self.regression(name, "advantages", self.advantage_loss, settings)

    def regression(self, name: str, head: Any, loss: Any, settings: RegressionConfig) -> Regression:
        shape = self.shape(head)
        return Regression(
            name, shape, self.encoder, loss, settings, self.device, precision=self.dtype
        )

    def shape(self, head: Any) -> NetworkShape:
        config = self.config
        return NetworkShape(
            inputs=self.encoder.num_features,
            widths=config.widths,
            outputs=self.game.num_actions,
            head=head,
            activation=config.activation,
            layer_norm=config.layer_norm,
            residual=config.residual,
        )

    def reservoir(self, name: str, seat: int, capacity: int) -> Reservoir:
        """For rows with a target for each slot."""
        slots = (self.game.num_actions,)
        columns = [
            Column("row", "uint8", (self.encoder.row_bytes,)),
            Column("legal", "bool", slots),
            Column("target", "float32", slots),
            Column("weight", "float32"),
        ]
        number = 2 * seat + (name != "advantages")
        return Reservoir(
            columns,
            capacity,
            seed=self.seed_of(_RESERVOIRS, number, 0),
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
        state = size_of(self.state())
        if not self.rule.adds_up:
            return Takes(state)
        return Takes(state, state + sum(each.num_bytes for each in self.advantages))

    def buffers(self) -> Mapping[str, Buffer]:
        if self.rule.adds_up:  # what they hold is of the iteration at hand
            return {}
        return {f"advantages_{seat}": each for seat, each in enumerate(self.advantages)}

    def state(self) -> Arrays:
        counts = [self.steps_done, self._phase, self._block, self._nodes, self._questions]
        arrays: Arrays = {"counts": np.array(counts)}
        arrays |= {f"metrics/{key}": np.array(value) for key, value in self._metrics.items()}
        for fit in self._all_fits():
            arrays |= fit.state(moments=self.rule.adds_up or not self.config.from_scratch)
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
        if "samples" in state:
            buffer, rows = self.advantages[self._phase // 2], state["samples"]
            buffer.put(np.arange(len(rows)), rows)
            buffer.resume(int(state["num_samples"]))

    def _all_fits(self) -> list[Regression]:
        return self.fits if self.fits is self.sums else self.fits + self.sums


def set_up_torch(config: AdvantageConfig) -> None:
    """Settings of the whole process, for programs."""
    torch.set_float32_matmul_precision("high" if config.precision == "tf32" else "highest")
    if config.device == "cpu":
        torch.set_num_threads(config.threads)


def _check(config: AdvantageConfig) -> None:
    for key in ("traversals", "block", "in_flight", "capacity", "steps", "batch"):
        if (value := vars(config)[key]) < 1:
            raise InputError(f"{key}: must be at least 1, not {value}")
    if not 0 < config.epsilon <= 1:
        raise InputError(f"epsilon: must be above 0 and at most 1, not {config.epsilon}")
    if not config.learning_rate > 0:
        raise InputError(f"learning_rate: must be positive, not {config.learning_rate}")
    if not 0 <= config.final_rate <= 1:
        raise InputError(f"final_rate: must be from 0 to 1, not {config.final_rate}")
    if not config.clip > 0:
        raise InputError(f"clip: must be positive, not {config.clip}")

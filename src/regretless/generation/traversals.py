# SPDX-License-Identifier: MIT
"""Sampled traversals of one seat, in which all seats play by regret matching on their networks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Shard
from regretless.errors import InputError
from regretless.games import Game, with_hands
from regretless.games.encoders import load_encoder
from regretless.generation.generator import (
    Columns,
    ConfiguredGenerator,
    Weights,
    answer_in_turn,
    joined,
)
from regretless.inference.seat_networks import LoadedNetworks
from regretless.learning.advantage_config import AdvantageConfig
from regretless.networks.expansion import Features
from regretless.networks.network import make_networks
from regretless.networks.placement import find_placement
from regretless.watch import UNWATCHED, Stopped, Watch

_TAKE_EVERY = 8  # rounds of questions: so the job works on in the memory at hand
_BASELINE_ROWS = 4096  # at a time

# For the forecast of memory.
_PILOTS = 64  # traversals of each seat in which all play at random
_GROWTH = 3  # decisions of a traversal compared with those of a pilot, at most


class TraversalGenerator(ConfiguredGenerator):
    """Implements `Generator`.

    `weights["advantages"]` has a network for each seat. With baselines `weights["baselines"]` has
    one for each seat, which sees the hands of all.
    """

    Config = AdvantageConfig
    config: AdvantageConfig

    def __init__(
        self, game: Game, config: AdvantageConfig, *, seed: int, strategies: bool = True
    ) -> None:
        """With `strategies` those of the other seats are recorded, too."""
        super().__init__(game, config, seed=seed, strategies=strategies)
        self.encoder = load_encoder(config.encoder, game)
        self._networks = LoadedNetworks(self.encoder, config.device, config.precision)
        self._baselines = Baselines(game, config) if config.baselines != "none" else None
        self._is_cuda = find_placement(config.device, "float32").device.type == "cuda"
        self._deals = self._draw_deals()
        self._job: _native.Traversals | None = None

    def make(self, weights: Weights, shard: Shard, watch: Watch = UNWATCHED) -> Columns:
        """Returns the columns of `_native.TraversalSamples`, in the order of the traversals.

        `nodes` and `questions` [1] count the visited nodes and the questions of the shard.
        """
        players = self._networks.load(weights["advantages"])
        if self._baselines is not None:
            self._baselines.load(weights, shard.seat)
        job = self._job = self._job or self._new_job()
        nodes, questions = job.num_nodes, job.num_questions
        taken: list[Columns] = []
        rounds = 0

        def begin(asked: _native.Questions) -> Any:
            rows = asked.rows(self.config.encoder)
            begun = players.begin(rows, asked.legal, asked.actors)
            return begun, None if self._baselines is None else self._baselines.values(asked)

        def finish(work: Any) -> tuple[Any, ...]:
            begun, baselines = work
            return players.finish(begun), baselines

        def after_answer() -> None:
            nonlocal rounds
            rounds += 1
            if rounds % (_TAKE_EVERY * job.num_halves) == 0:
                taken.append(job.take_samples().columns())
            watch.look(f"traversals of seat {shard.seat}", job.num_finished / shard.count)

        try:
            job.begin(shard.iteration, shard.seat, shard.first, shard.count)
            halves = [_Half(job, number) for number in range(job.num_halves)]
            answer_in_turn(halves, begin, finish, after_answer)
        except Stopped:
            self._job = None
            raise
        columns = joined([*taken, job.take_samples().columns()])
        counts = {"nodes": job.num_nodes - nodes, "questions": job.num_questions - questions}
        return columns | {name: np.array([count]) for name, count in counts.items()}

    def forecast_bytes(self, count: int) -> int:
        """Returns the memory of a shard of `count` traversals, at most."""
        row, actions = self.encoder.row_bytes, self.game.num_actions
        decisions = _GROWTH * self._mean_decisions()
        held = count * decisions * (row + 5 * actions + 16)
        flying = min(self.config.in_flight, count) * decisions * (2 * row + 8 * actions + 160)
        return int(held + flying)

    def _mean_decisions(self) -> float:
        """Returns the decisions of a traversal in which all play at random."""
        sampling, seats = self.config.sampling, range(self.game.num_players)
        job = _native.Traversals(
            self.game, self.config.encoder, sampling=sampling, kept_answers=0, seed=0
        )
        for seat in seats:
            job.begin(0, seat, 0, _PILOTS)
            while (questions := job.ask()) is not None:
                job.answer(questions.legal.astype(np.float32))
        return job.num_questions / (_PILOTS * len(seats))

    def _new_job(self) -> _native.Traversals:
        config = self.config
        return _native.Traversals(
            self.game,
            config.encoder,
            sampling=config.sampling,
            epsilon=1.0 if config.baselines == "targets" else config.epsilon,
            baselines=config.baselines,
            deals=self._deals,
            in_flight=config.in_flight,
            halves=2 if self._is_cuda and config.in_flight > 1 else 1,
            threads=config.threads,
            kept_answers=config.kept_answers,
            runouts=config.runouts,
            **self._options,
        )

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


@dataclass(frozen=True)
class _Half:
    """One half of the traversals in flight, as a `Job`."""

    job: _native.Traversals
    number: int

    def ask(self) -> _native.Questions | None:
        return self.job.ask(self.number)

    def answer(self, *answers: Any) -> None:
        probabilities, baselines = answers
        self.job.answer(probabilities, self.number, baselines)


def seats_encoder(game: Game, name: str) -> _native.Encoder:
    """Returns the encoder that shows what all seats see, for baselines only."""
    encoder = load_encoder(name, game)
    return _native.Encoder(game, f"{name}/seats", list(encoder.buckets))


class Baselines:
    """Values of slots to the traverser, by networks that see the hands of all seats."""

    def __init__(self, game: Game, config: AdvantageConfig) -> None:
        self._encoder = seats_encoder(game, config.encoder)
        self._device = find_placement(config.device, "float32").device
        self._features = Features(self._encoder, self._device)
        self._network: Any = None
        self._loaded: Any = None

    def load(self, weights: Weights, seat: int) -> None:
        key = weights["baselines"], seat
        if self._loaded is None or self._loaded[0] is not key[0] or self._loaded[1] != seat:
            networks = make_networks(weights["baselines"], str(self._device))
            self._network, self._loaded = networks[seat], key

    def values(self, questions: _native.Questions) -> NDArray[np.float32]:
        """Returns values [questions, slots], in units of the game."""
        rows = questions.rows(self._encoder.name)
        found = np.empty(questions.legal.shape, np.float32)
        with torch.inference_mode():
            for begin in range(0, len(rows), _BASELINE_ROWS):
                part = torch.tensor(rows[begin : begin + _BASELINE_ROWS], device=self._device)
                values = self._network(self._features(part))
                found[begin : begin + _BASELINE_ROWS] = values.cpu().numpy()
        return found

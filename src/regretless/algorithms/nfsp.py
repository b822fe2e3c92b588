# SPDX-License-Identifier: MIT
"""Neural fictitious self-play: a network of values that answers, and one that learns the average.

Heinrich and Silver, "Deep Reinforcement Learning from Self-Play in Imperfect-Information Games"
(2016), for two and more players, who share their networks. One step is one round: so many episodes
are played, then both networks are fitted. docs/algorithms/nfsp.md says what differs from the paper.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer, Column, Reservoir, Ring
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.encoders import load_encoder
from regretless.generation.role_play import RESPONSE, STRANGER, RolePlay, Roles
from regretless.generation.transitions import transition_columns, transitions
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.encoded_rows import EncodedFeatures, SuitRenaming
from regretless.learning.fit import Fit, FitConfig
from regretless.learning.imitation import imitation_loss
from regretless.learning.minibatches import Rows
from regretless.learning.nfsp_config import NFSPConfig, check_config
from regretless.learning.remembered_average import RememberedAverage, remembered_in
from regretless.learning.schedules import Ramp
from regretless.networks.history import HistoryShape
from regretless.networks.mlp import MlpShape
from regretless.networks.network import Network, network_weights
from regretless.networks.placement import find_placement, set_up_torch
from regretless.networks.shape import NetworkShape
from regretless.options import read_options
from regretless.watch import UNWATCHED, Stopped, Watch

__all__ = ["NFSP", "NFSPConfig", "make", "set_up_process"]

_WEIGHTS, _FITS, _RESERVOIR = range(3)  # streams of randomness
_HISTORY_ENCODER, _RECORDS = "table30", 30
_WHOLE = 255  # a probability of 1, in the rows of the average
_LIBRARY_BYTES = 256 << 20  # that torch takes once it works


class NFSP:
    """Implements `Algorithm`."""

    def __init__(self, game: Game, config: NFSPConfig | None = None, *, seed: int = 0) -> None:
        config = config or NFSPConfig()
        check_config(config)
        self.game, self.config, self.seed = game, config, seed
        self.steps_done = self.episodes_done = self._nodes = 0
        self._frozen = -1  # until so many episodes are done; -1: all rows were there all along
        self.device = find_placement(config.device, "float32").device
        self.dtype = torch.bfloat16 if config.precision == "bfloat16" else torch.float32
        self.encoder = load_encoder(config.encoder, game)
        self._renaming = (
            SuitRenaming(game, self.encoder, self.device) if config.rename_suits else None
        )
        self._features = EncodedFeatures(self.encoder, self.device)
        self.values = self._make_fit(
            "values", config.best_response_rate, config.best_response_steps
        )
        self.average = self._make_fit("average", config.average_rate, config.average_steps)
        self.newest = Ring(
            transition_columns(self.encoder.row_bytes, game.num_actions),
            config.capacity,
            max_bytes=config.max_bytes,
            threads=config.threads,
        )
        self.actions = Reservoir(
            [
                Column("row", "uint8", (self.encoder.row_bytes,)),
                Column("legal", "bool", (game.num_actions,)),
                Column("target", "uint8", (game.num_actions,)),
                Column("weight", "float32"),
            ],
            config.average_capacity,
            seed=self._seed_of(_RESERVOIR, 0, 0),
            max_bytes=config.max_bytes,
            threads=config.threads,
        )
        self._memory: RememberedAverage | None = None  # in the place of rows that are lost
        self._play = _Play(self)

    # A round.

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """Whole rounds: `watch` is looked at between them."""
        metrics: Metrics = {}
        for _ in range(count):
            try:
                watch.look("playing and learning", 0.0)
            except Stopped:
                return {}
            for steps in self._play.take():
                self._keep(steps)
            metrics = self._learn()
            self.steps_done += 1
        config, done = self.config, self.episodes_done
        return metrics | {
            "nodes": float(self._nodes),
            "episodes": float(done),
            "meta/epsilon": float(config.exploring().at(done)),
            "meta/eta": float(config.responses().at(done)),
            "meta/temperature": float(config.warmth().at(done)),
            "buffer/transitions": float(self.newest.size),
            "buffer/actions": float(self.actions.size),
        }

    def play(self, first: int) -> list[_native.Steps]:
        """The round of episodes `first` and on, as the networks are now; nothing is kept."""
        return self._play.round(first)()

    def _keep(self, steps: _native.Steps) -> None:
        name, config = self.encoder.name, self.config
        roles = self.roles.of(steps.episodes, steps.actors)
        responds = roles == RESPONSE
        taken = responds if config.learn_from == "best-response" else None
        self.newest.add(transitions(steps, name, self.game.unit, config.stake_power, taken))
        played = np.eye(self.game.num_actions, dtype=np.float32)[steps.slots]
        played[responds] = self._unexplored(steps)[responds]
        power = np.float32(config.average_power)
        recorded = responds if config.record == "best-response" else roles != STRANGER
        rows, legal, episodes = steps.rows(name), steps.legal[recorded], steps.episodes[recorded]
        rows, played = rows[recorded], played[recorded]
        if self._memory is not None:
            played = self._memory.blend(played, rows, legal, episodes, config.average_power)
        self.actions.add(
            {
                "row": rows,
                "legal": legal,
                "target": np.rint(_WHOLE * played).astype(np.uint8),
                "weight": (1.0 + episodes).astype(np.float32) ** power,
            }
        )
        self.episodes_done += steps.num_episodes
        self._nodes += len(steps) + steps.num_episodes

    def _unexplored(self, steps: _native.Steps) -> NDArray[np.float32]:
        """What best responses would have played without exploring."""
        epsilon = float(self.config.exploring().at(self._round_of(steps.first_episode)))
        if epsilon == 1:
            return steps.answers
        uniform = steps.legal / steps.legal.sum(axis=1, keepdims=True, dtype=np.float32)
        found = (steps.answers - np.float32(epsilon) * uniform) / np.float32(1 - epsilon)
        clipped: NDArray[np.float32] = np.clip(found, 0, 1)
        return clipped

    def _round_of(self, episode: int) -> int:
        """The first episode of its round."""
        return episode - episode % self.config.episodes

    def _learn(self) -> Metrics:
        config, done = self.config, self.episodes_done
        if self.newest.size < config.min_transitions:
            return {}
        rate, end = config.rate_left(done, config.rate_end), config.best_response_rate_end
        metrics = {"meta/lr_factor": rate}
        seed = self._seed_of(_FITS, 0, self.steps_done)
        metrics["loss/values"] = self.values.fit(
            self._value_loss,
            self.newest,
            seed,
            rate=rate if end is None else config.rate_left(done, end),
        )
        is_due = (self.steps_done + 1) % config.average_every == 0
        if is_due and done >= self._frozen and self.actions.size > 0:
            rate *= self._average_share()
            seed = self._seed_of(_FITS, 1, self.steps_done)
            power = config.average_power
            scale = (power + 1) / float(done) ** power
            metrics["loss/average"] = self.average.fit(
                _average_loss, self.actions, seed, scale=scale, rate=rate
            )
        return metrics

    def _average_share(self) -> float:
        config = self.config
        if self._frozen < 0:
            return 1.0
        since = self.episodes_done - self._frozen
        return float(Ramp(0.01, 1.0, config.average_warmup).at(since))

    def _value_loss(self, network: Network, rows: Rows) -> Tensor:
        """Huber's, of the slot that was played, against double Q-learning's next value."""
        with torch.no_grad():
            goals = rows["reward"] + self._next_values(network, rows)
        told = network(rows["features"]).float().gather(1, rows["slot"].long()[:, None])[:, 0]
        return torch.nn.functional.huber_loss(told, goals, delta=self.config.huber)

    def _next_values(self, network: Network, rows: Rows) -> Tensor:
        """What the next decisions are worth, by the target at what the network finds best."""
        growth, legal, later = rows["growth"], rows["next_legal"], rows["next_row"]
        going = growth > 0
        if self.device.type == "cpu":  # a captured step has to have all rows
            legal, later = legal[going], later[going]
        features = self._features.expand(later)
        best = network(features).float().masked_fill(~legal, -torch.inf).argmax(dim=1)
        said: Tensor = self.values.target(features).float().gather(1, best[:, None])[:, 0]
        if self.device.type == "cpu":
            zeros = torch.zeros_like(growth)
            return zeros.masked_scatter(going, growth[going] * said)
        return growth * said

    # Parts.

    @property
    def roles(self) -> Roles:
        return Roles(self.seed, self.config.responses(), self.config.strangers)

    def _make_fit(self, name: str, rate: float, steps: int) -> Fit[Network]:
        config = self.config
        head: Any = "values" if name == "values" else "probabilities"
        shape = MlpShape(
            inputs=self.encoder.num_features,
            widths=config.widths,
            outputs=self.game.num_actions,
            head=head,
            activation=config.activation,
            layer_norm=config.layer_norm,
            residual=config.residual,
            stream=config.stream,
            dueling=config.dueling and name == "values",
        )
        is_average = name == "average"
        batch = config.average_batch or config.batch if is_average else config.batch
        settings = FitConfig(steps, batch, rate, 1.0, config.clip)
        tau = config.tau if name == "values" else config.average_tau
        draws = torch.Generator().manual_seed(self._seed_of(_WEIGHTS, int(is_average), 0))
        return Fit(
            name,
            Network(self._reading_history(shape), draws),
            settings,
            self.device,
            prepare=self._features,
            renaming=self._renaming,
            merges_rows=config.gather and is_average,
            tau=tau if tau < 1 else None,
            precision=self.dtype,
        )

    def _reading_history(self, shape: MlpShape) -> NetworkShape:
        config, record = self.config, self.game.num_actions + 2
        if config.history_layers == 0:
            return shape
        if self.encoder.name != _HISTORY_ENCODER:
            raise InputError(f"history_layers: encoder {self.encoder.name!r} has no records")
        return HistoryShape.around(
            shape,
            records=_RECORDS,
            record=record,
            width=config.history_width,
            heads=config.history_heads,
            layers=config.history_layers,
            outputs=config.history_outputs,
        )

    def _seed_of(self, stream: int, number: int, step: int) -> int:
        keys = [self.seed, stream, number, step]
        return int(np.random.SeedSequence(keys).generate_state(1, np.uint64)[0] >> np.uint64(1))

    # Saving.

    def no_policy(self) -> str | None:
        return None

    def policy(self) -> NetworkPolicy:
        """The average, on the CPU whatever the device; learning waits while it is measured."""
        return NetworkPolicy(network_weights([self.average.target]), self.encoder, "nfsp")

    def takes(self) -> Takes:
        numbers = self.encoder.num_features + 4 * sum(self.config.widths)
        played = self.config.episodes * 32 * (self.encoder.row_bytes + 5 * self.game.num_actions)
        working = _LIBRARY_BYTES + played + 12 * max(self.config.batch, 4096) * numbers
        return Takes(size_of(self.state()), working=working)

    def buffers(self) -> Mapping[str, Buffer]:
        return {"transitions": self.newest, "actions": self.actions}

    def state(self) -> Arrays:
        counts = [self.steps_done, self.episodes_done, self._nodes, self._frozen]
        memory = {} if self._memory is None else self._memory.state()
        learned = {**self.values.state(), **self.average.state()}
        return {"counts": np.array(counts), **learned, **memory}

    def restore(self, state: Arrays) -> None:
        counts = map(int, state["counts"])
        self.steps_done, self.episodes_done, self._nodes, self._frozen = counts
        self.values.restore(state)
        self.average.restore(state)
        remembered = remembered_in(state, self.average.target)
        if self.episodes_done > 0 and self.actions.num_added == 0:  # their rows were not saved
            self._freeze()
            remembered = self.average.target, self.episodes_done
        self._memory = None
        if remembered is not None:
            self._memory = RememberedAverage(*remembered, self.encoder, self.device, self.dtype)
        self._play = _Play(self)

    def start_from(self, state: Arrays) -> None:
        """The networks, and their optimizers unless these are reset."""
        kept = state
        if self.config.reset_optimizers:
            kept = {name: array for name, array in state.items() if "/adam/" not in name}
        self.values.restore(kept)
        self.average.restore(kept)
        self._freeze()
        self._play = _Play(self)

    def _freeze(self) -> None:
        """The average was made of rows that are gone: it stays until there are enough again."""
        self._frozen = self.episodes_done + self.config.freeze_average
        self.average.forget_moments()


class _Play:
    """Play of the rounds: in turn with learning, or on a thread of its own.

    Networks are handed over only while nothing is played, so no two threads share any.
    """

    def __init__(self, learner: NFSP) -> None:
        self._learner, config = learner, learner.config
        networks = [learner.values.network, learner.average.target]
        self._own = networks
        if config.asynchronous:
            self._own = [Network(network.shape).to(learner.device) for network in networks]
        self._sources = networks
        self._table = RolePlay(
            learner.game,
            learner.encoder,
            self._own,
            learner.roles,
            tables=config.tables,
            threads=config.threads,
            device=learner.device,
            precision=learner.dtype,
            is_warm=config.temperature > 0,
        )
        self._thread = ThreadPoolExecutor(1) if config.asynchronous else None
        self._under_way: Future[list[_native.Steps]] | None = None
        self._ahead = self._rounds = 0
        self._handed_over = -config.hand_over_every  # after which of the rounds

    def take(self) -> list[_native.Steps]:
        """The steps of the next round, or none where play is to come along later."""
        learner = self._learner
        if self._thread is None:
            return self.round(learner.episodes_done)()
        if self._under_way is None:
            self._under_way = self._thread.submit(self.round(learner.episodes_done))
        self._rounds += 1
        waits = self._ahead >= learner.config.train_ahead or learner.newest.size == 0
        if not (waits or self._under_way.done()):
            self._ahead += 1
            return []
        found, self._ahead = self._under_way.result(), 0
        first = learner.episodes_done + sum(each.num_episodes for each in found)
        self._under_way = self._thread.submit(self.round(first))
        return found

    def round(self, first: int) -> Callable[[], list[_native.Steps]]:
        """What plays the episodes `first` and on, with the networks of now."""
        config = self._learner.config
        if self._thread is None or self._rounds - self._handed_over >= config.hand_over_every:
            self._hand_over()
        epsilon = float(config.exploring().at(first))
        temperature = float(config.warmth().at(first))
        return lambda: self._table.play(first, config.episodes, epsilon, temperature)

    def _hand_over(self) -> None:
        self._handed_over = self._rounds
        for own, source in zip(self._own, self._sources, strict=True):
            if own is not source:
                own.load_state_dict(source.state_dict())
        self._table.refresh()


def _average_loss(network: Network, rows: Rows) -> Tensor:
    return imitation_loss(network, {**rows, "target": rows["target"] / _WHOLE})


def make(name: str, game: Game, /, *, seed: int = 0, **options: Any) -> NFSP:
    """For the table of algorithms."""
    return NFSP(game, read_options(NFSPConfig, f"algorithm {name!r}", options), seed=seed)


def set_up_process(name: str, /, *, seed: int = 0, **options: Any) -> None:
    """Products in TF32 if asked for; on the CPU the threads are torch's too."""
    config = read_options(NFSPConfig, f"algorithm {name!r}", options)
    set_up_torch(config.precision, config.device, config.threads)

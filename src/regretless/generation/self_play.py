# SPDX-License-Identifier: MIT
"""Self-play in roles: a seat plays its best response, the average, or at random for an episode.

Nothing is left of the episodes but the columns of their steps, and transitions for Q-learning.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Shard
from regretless.buffers import Column
from regretless.games import Game
from regretless.games.encoders import load_encoder
from regretless.generation.generator import (
    Columns,
    ConfiguredGenerator,
    Weights,
    answer_in_turn,
    joined,
)
from regretless.inference.seat_networks import LoadedNetworks
from regretless.learning.nfsp_config import NFSPConfig, Schedule
from regretless.networks.placement import find_placement
from regretless.watch import UNWATCHED, Watch

RESPONSE, AVERAGE, RANDOM = range(3)
_STEPS = 32  # of an episode, for the forecast of memory


@dataclass(frozen=True)
class Roles:
    """Draws a role for each seat of each episode by a hash of seed, episode and seat."""

    seed: int
    responses: Schedule
    """The share of best responses, by episode."""
    random_opponents: float = 0.0
    """The share of random opponents; all other seats play the average."""

    def of(self, episodes: NDArray[np.int64], actors: NDArray[Any]) -> NDArray[np.int32]:
        """Returns the roles of actors in episodes."""
        keys = np.asarray(episodes, np.uint64) * np.uint64(16) + np.asarray(actors, np.uint64)
        mixed = _mixed(keys ^ _mixed(np.array(self.seed, np.uint64)))
        uniform = (mixed >> np.uint64(11)) * 2.0**-53
        others = np.where(uniform < 1 - self.random_opponents, AVERAGE, RANDOM)
        return np.where(uniform < self.responses.at(episodes), RESPONSE, others).astype(np.int32)


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Returns a pseudorandom number for each key (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        keys = keys + np.uint64(0x9E3779B97F4A7C15)
        keys = (keys ^ keys >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        keys = (keys ^ keys >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return keys ^ keys >> np.uint64(31)


class SelfPlayGenerator(ConfiguredGenerator):
    """Implements `Generator`: `weights["values"]` responds, `weights["average"]` is the average.

    On a CUDA device two halves of the episodes take turns.
    """

    Config = NFSPConfig
    config: NFSPConfig

    def __init__(self, game: Game, config: NFSPConfig, *, seed: int) -> None:
        super().__init__(game, config, seed=seed)
        self.encoder = load_encoder(config.encoder, game)
        self.roles = Roles(seed, config.response_schedule(), config.random_opponents)
        is_cuda = find_placement(config.device, "float32").device.type == "cuda"
        self._halves = 2 if is_cuda and config.tables > 1 else 1
        self._networks = LoadedNetworks(
            self.encoder,
            config.device,
            config.precision,
            by_temperature=config.temperature > 0,
        )

    def make(self, weights: Weights, shard: Shard, watch: Watch = UNWATCHED) -> Columns:
        """Returns one row for each step, in the order of episodes and of play.

        `rows`, `legal`, `slots`, `actors`, `episodes`, `stakes` and `next` are those of
        `_native.Steps`; `roles` of the actors; `policies` [steps, slots] of the roles, without
        exploration; and `won`, the chips that the actor won in the episode.
        """
        players = self.load(weights)
        start = shard.first - shard.first % self.config.episodes  # of the round
        players.set_temperature(float(self.config.temperature_schedule().at(start)))
        exploration = float(self.config.epsilon_schedule().at(start))
        jobs = [self._job(part) for part in self._parts(shard)]
        answer_in_turn(
            jobs,
            lambda questions: self._begin(players, questions),
            lambda begun: self._finish(players, begun, exploration),
            lambda: watch.look("self-play"),
        )
        return joined_steps([self._columns(job.take_steps()) for job in jobs])

    def load(self, weights: Weights) -> Any:
        """Loads weights if they are new, and returns the networks that play."""
        return self._networks.load(weights["values"], weights["average"])

    def forecast_bytes(self, count: int) -> int:
        return count * _STEPS * (self.encoder.row_bytes + 5 * self.game.num_actions)

    def _parts(self, shard: Shard) -> list[Shard]:
        bounds = [shard.first + shard.count * half // self._halves for half in range(3)]
        pairs = itertools.pairwise([*bounds[: self._halves], shard.end])
        return [Shard(first, end - first) for first, end in pairs if end > first]

    def _job(self, part: Shard) -> _native.SelfPlay:
        return _native.SelfPlay(
            self.game,
            part.count,
            first_episode=part.first,
            tables=max(self.config.tables // self._halves, 1),
            threads=self.config.threads,
            **self._options,
            encoders=[self.encoder.name],
            record_rows=True,
            record_answers=True,
        )

    def _begin(self, players: Any, questions: _native.Questions) -> Any:
        roles = self.roles.of(questions.episodes, questions.actors)
        order = np.argsort(roles, kind="stable")
        roles, legal = roles[order], questions.legal[order]
        asked = int(np.searchsorted(roles, RANDOM))
        rows = questions.rows(self.encoder.name)[order[:asked]]
        return order, legal, roles, players.begin(rows, legal[:asked], roles[:asked])

    @staticmethod
    def _finish(
        players: Any, begun: Any, exploration: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns the probabilities to play by, and those without exploration."""
        order, legal, roles, work = begun
        found = players.finish(work)
        uniform = legal / legal.sum(axis=1, keepdims=True, dtype=np.float32)
        responses, others = np.searchsorted(roles, (AVERAGE, RANDOM))
        policies = np.empty(legal.shape, np.float32)
        policies[order[:others]] = found
        policies[order[others:]] = uniform[others:]
        played = policies.copy()
        played[order[:responses]] = (1 - exploration) * found[:responses] + (
            exploration * uniform[:responses]
        )
        return played, policies

    def _columns(self, steps: _native.Steps) -> Columns:
        return {
            "rows": steps.rows(self.encoder.name),
            "legal": steps.legal,
            "slots": steps.slots,
            "actors": steps.actors,
            "episodes": steps.episodes,
            "stakes": steps.stakes,
            "next": steps.next,
            "roles": self.roles.of(steps.episodes, steps.actors),
            "policies": steps.answers,
            "won": steps.payoffs[steps.episodes - steps.first_episode, steps.actors],
        }


def joined_steps(parts: Sequence[Columns]) -> Columns:
    """Returns the steps of several parts, one after the other; `next` counts from the first."""
    found, before = [], 0
    for part in parts:
        later = part["next"]
        found.append({**part, "next": np.where(later < 0, -1, later + before)})
        before += len(later)
    return joined(found)


def transition_columns(row_bytes: int, num_actions: int) -> list[Column]:
    return [
        Column("row", "uint8", (row_bytes,)),
        Column("slot", "uint8"),
        Column("reward", "float32"),
        Column("next_row", "uint8", (row_bytes,)),
        Column("next_legal", "bool", (num_actions,)),
        Column("growth", "float32"),
    ]


def transitions(steps: Columns, unit: float, stake_power: float = 0.0) -> Columns:
    """Returns one transition for each step of self-play.

    The next decision is of the same seat; `growth` times its value is the value of this one. After
    the seat's last decision `growth` is 0, `next_legal` is all False and `reward` is the payoff, in
    units of the game. Both are divided by the pot at their decisions to the power `stake_power`.
    """
    rows, later = steps["rows"], steps["next"]
    is_last = later < 0
    after = np.where(is_last, np.arange(len(later)), later)
    stakes = steps["stakes"].astype(np.float64) ** stake_power
    return {
        "row": rows,
        "slot": steps["slots"],
        "reward": np.where(is_last, steps["won"] / (unit * stakes), 0.0).astype(np.float32),
        "next_row": rows[after],
        "next_legal": steps["legal"][after] & ~is_last[:, None],
        "growth": np.where(is_last, 0.0, stakes[after] / stakes).astype(np.float32),
    }

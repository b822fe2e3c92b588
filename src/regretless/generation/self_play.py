# SPDX-License-Identifier: MIT
"""Self-play in roles: whole episodes, of which nothing is left but the columns of their steps."""

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Shard
from regretless.games import Game
from regretless.games.encoders import load_encoder
from regretless.games.face import rules_record
from regretless.games.rules_record import recorded_game
from regretless.generation.generator import Columns, Spec, Weights, answer_in_turn, joined
from regretless.generation.loaded_networks import LoadedNetworks
from regretless.generation.roles import AVERAGE, RANDOM, Roles
from regretless.learning.schedules import Schedule
from regretless.networks.placement import find_placement
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class SelfPlayConfig:
    """The roles of seats and the exploration of best responses."""

    encoder: str
    seed: int
    round: int
    """Episodes of a round; exploration and temperature change from round to round."""
    responses: Schedule
    """The share of best responses, by episode."""
    random_opponents: float
    exploration: Schedule
    """The probability that a best response explores, by episode."""
    temperature: Schedule
    """The temperature of best responses, by episode; 0 throughout: the largest value is played."""
    tables: int = 512
    device: str = "cpu"
    precision: str = "float32"
    threads: int = 1


class SelfPlayGenerator:
    """Implements `Generator`: `weights["values"]` responds, `weights["average"]` is the average.

    On a CUDA device two halves of the episodes take turns.
    """

    def __init__(self, game: Game, config: SelfPlayConfig) -> None:
        self.game, self.config = game, config
        self.encoder = load_encoder(config.encoder, game)
        self.roles = Roles(config.seed, config.responses, config.random_opponents)
        is_cuda = find_placement(config.device, "float32").device.type == "cuda"
        self._halves = 2 if is_cuda and config.tables > 1 else 1
        self._networks = LoadedNetworks(
            self.encoder,
            config.device,
            config.precision,
            by_temperature=config.temperature.start > 0,
        )

    def make(self, weights: Weights, shard: Shard, watch: Watch = UNWATCHED) -> Columns:
        """Returns one row for each step, in the order of episodes and of play.

        `rows`, `legal`, `slots`, `actors`, `episodes`, `stakes` and `next` are those of
        `_native.Steps`; `roles` of the actors; `policies` [steps, slots] of the roles, without
        exploration; and `won`, the chips that the actor won in the episode.
        """
        players = self.load(weights)
        start = shard.first - shard.first % self.config.round
        players.set_temperature(float(self.config.temperature.at(start)))
        exploration = float(self.config.exploration.at(start))
        jobs = [self._job(part) for part in self._parts(shard)]
        answer_in_turn(
            jobs,
            lambda questions: self._begin(players, questions),
            lambda begun: self._finish(players, begun, exploration),
            lambda: watch.look("self-play"),
        )
        return self._columns([job.take_steps() for job in jobs])

    def load(self, weights: Weights) -> Any:
        """Loads weights if they are new, and returns the networks that play."""
        return self._networks.load(weights["values"], weights["average"])

    def spec(self) -> Spec:
        return {"game": rules_record(self.game), "config": asdict(self.config)}

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        schedules = {
            name: Schedule(**spec["config"][name])
            for name in ("responses", "exploration", "temperature")
        }
        config = SelfPlayConfig(**{**spec["config"], **schedules})
        return cls(recorded_game(spec["game"], "spec"), config)

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
            seed=self.config.seed,
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

    def _columns(self, parts: Sequence[_native.Steps]) -> Columns:
        found, before = [], 0
        for steps in parts:
            later = np.where(steps.next < 0, -1, steps.next + before)
            found.append(
                {
                    "rows": steps.rows(self.encoder.name),
                    "legal": steps.legal,
                    "slots": steps.slots,
                    "actors": steps.actors,
                    "episodes": steps.episodes,
                    "stakes": steps.stakes,
                    "next": later,
                    "roles": self.roles.of(steps.episodes, steps.actors),
                    "policies": steps.answers,
                    "won": steps.payoffs[steps.episodes - steps.first_episode, steps.actors],
                }
            )
            before += len(steps)
        return joined(found)

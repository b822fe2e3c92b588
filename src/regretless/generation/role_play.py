# SPDX-License-Identifier: MIT
"""Episodes in which every seat has a role: its best response, the average, or a stranger.

Which one it is, is drawn for each seat of each episode by their numbers alone, so it is known again
when the steps are kept. Strangers play a slot at random, whatever they have, all the episode: who
plays on against them has seen what they did. On a CUDA device two halves of the tables take turns.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.games import Game
from regretless.inference.seat_networks import make_seat_networks
from regretless.learning.schedules import Ramp
from regretless.networks.network import Network

RESPONSE, AVERAGE, STRANGER = range(3)


@dataclass(frozen=True)
class Roles:
    """Who has which."""

    seed: int
    responses: Ramp
    """The share of best responses."""
    strangers: float = 0.0
    """The share of strangers; all others play the average."""

    def of(self, episodes: NDArray[np.int64], actors: NDArray[Any]) -> NDArray[np.int32]:
        """The roles that actors have in episodes."""
        keys = np.asarray(episodes, np.uint64) * np.uint64(16) + np.asarray(actors, np.uint64)
        mixed = _mixed(keys ^ _mixed(np.array(self.seed, np.uint64)))
        uniform = (mixed >> np.uint64(11)) * 2.0**-53
        others = np.where(uniform < 1 - self.strangers, AVERAGE, STRANGER)
        return np.where(uniform < self.responses.at(episodes), RESPONSE, others).astype(np.int32)


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number that looks random for each key (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        keys = keys + np.uint64(0x9E3779B97F4A7C15)
        keys = (keys ^ keys >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        keys = (keys ^ keys >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return keys ^ keys >> np.uint64(31)


class RolePlay:
    """Plays whole episodes; nothing is left of them but their steps."""

    def __init__(
        self,
        game: Game,
        encoder: _native.Encoder,
        networks: Sequence[Network],
        roles: Roles,
        *,
        tables: int,
        threads: int,
        device: torch.device,
        precision: torch.dtype,
        is_warm: bool = False,
    ) -> None:
        """`networks`: that of values, and the average; see `SeatNetworks` for `is_warm`."""
        self.game, self.encoder, self.roles = game, encoder, roles
        self.tables, self.threads = tables, threads
        self._players: Any = make_seat_networks(networks, encoder, device, precision, is_warm)
        self._halves = 2 if device.type == "cuda" and tables > 1 else 1

    def refresh(self) -> None:
        """The networks have changed."""
        self._players.refresh()

    def play(
        self, first: int, count: int, epsilon: float, temperature: float = 0.0
    ) -> list[_native.Steps]:
        """Episodes `first` and on; a best response explores with probability `epsilon`."""
        self._players.set_temperature(temperature)
        bounds = [first + count * half // self._halves for half in range(self._halves + 1)]
        jobs = [
            self._job(begin, end - begin)
            for begin, end in itertools.pairwise(bounds)
            if end > begin
        ]
        begun = [(job, self._begin(job)) for job in jobs]
        while begun:
            job, asked = begun.pop(0)
            if asked is None:
                continue
            job.answer(self._finish(asked, epsilon))
            begun.append((job, self._begin(job)))
        return [job.take_steps() for job in jobs]

    def _job(self, first: int, count: int) -> _native.SelfPlay:
        return _native.SelfPlay(
            self.game,
            count,
            first_episode=first,
            tables=max(self.tables // self._halves, 1),
            threads=self.threads,
            seed=self.roles.seed,
            encoders=[self.encoder.name],
            record_rows=True,
            record_answers=True,
        )

    def _begin(self, job: _native.SelfPlay) -> Any:
        questions = job.ask()
        if questions is None:
            return None
        roles = self.roles.of(questions.episodes, questions.actors)
        order = np.argsort(roles, kind="stable")
        roles, legal = roles[order], questions.legal[order]
        asked = int(np.searchsorted(roles, STRANGER))
        rows = questions.rows(self.encoder.name)[order[:asked]]
        return order, legal, roles, self._players.begin(rows, legal[:asked], roles[:asked])

    def _finish(self, asked: Any, epsilon: float) -> NDArray[np.float32]:
        order, legal, roles, begun = asked
        found = self._players.finish(begun)
        uniform = legal / legal.sum(axis=1, keepdims=True, dtype=np.float32)
        first, strangers = np.searchsorted(roles, (AVERAGE, STRANGER))
        answers = np.empty(legal.shape, np.float32)
        answers[order[:first]] = (1 - epsilon) * found[:first] + epsilon * uniform[:first]
        answers[order[first:strangers]] = found[first:]
        answers[order[strangers:]] = uniform[strangers:]
        return answers

# SPDX-License-Identifier: MIT
"""Episodes in which every seat plays one of two networks: its best response, or the average.

Which one it is, is drawn for each seat of each episode by their numbers alone, so it is known again
when the steps are kept. On a CUDA device two halves of the tables take turns.
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
from regretless.learning.networks import Network
from regretless.learning.schedules import Schedule
from regretless.learning.seat_networks import make_seat_networks

RESPONSE, AVERAGE = range(2)


def is_response(
    seed: int, episodes: NDArray[np.int64], actors: NDArray[Any], share: Schedule
) -> NDArray[np.bool_]:
    """Whether the actor plays his best response throughout the episode."""
    keys = np.asarray(episodes, np.uint64) * np.uint64(16) + np.asarray(actors, np.uint64)
    uniform = (_mixed(keys ^ _mixed(np.array(seed, np.uint64))) >> np.uint64(11)) * 2.0**-53
    return uniform < share.at(episodes)


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number that looks random for each key (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        keys = keys + np.uint64(0x9E3779B97F4A7C15)
        keys = (keys ^ keys >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        keys = (keys ^ keys >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return keys ^ keys >> np.uint64(31)


@dataclass(frozen=True)
class RoleQuestions:
    """Questions of both roles, those of the first one first."""

    encoded: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    actors: NDArray[np.int32]
    """The roles."""

    def __len__(self) -> int:
        return len(self.actors)

    def rows(self, encoder: str) -> NDArray[np.uint8]:
        return self.encoded


class TwoRoles:
    """Plays whole episodes; nothing is left of them but their steps."""

    def __init__(
        self,
        game: Game,
        encoder: _native.Encoder,
        networks: Sequence[Network],
        share: Schedule,
        *,
        tables: int,
        threads: int,
        seed: int,
        device: torch.device,
        precision: torch.dtype,
        is_warm: bool = False,
    ) -> None:
        """`networks`: that of values, and the average; see `SeatNetworks` for `is_warm`."""
        self.game, self.encoder, self.share = game, encoder, share
        self.tables, self.threads, self.seed = tables, threads, seed
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
            seed=self.seed,
            encoders=[self.encoder.name],
            record_rows=True,
            record_answers=True,
        )

    def _begin(self, job: _native.SelfPlay) -> Any:
        questions = job.ask()
        if questions is None:
            return None
        responds = is_response(self.seed, questions.episodes, questions.actors, self.share)
        order = np.argsort(~responds, kind="stable")
        legal = questions.legal[order]
        rows = questions.rows(self.encoder.name)[order]
        roles = np.where(responds[order], RESPONSE, AVERAGE).astype(np.int32)
        return order, legal, roles, self._players.begin(RoleQuestions(rows, legal, roles))

    def _finish(self, asked: Any, epsilon: float) -> NDArray[np.float32]:
        order, legal, roles, begun = asked
        found = self._players.finish(begun)
        count = int(np.count_nonzero(roles == RESPONSE))
        uniform = legal[:count] / legal[:count].sum(axis=1, keepdims=True)
        answers = np.empty(found.shape, np.float32)
        answers[order[:count]] = (1 - epsilon) * found[:count] + epsilon * uniform
        answers[order[count:]] = found[count:]
        return answers

# SPDX-License-Identifier: MIT
"""Roles in self-play: a seat plays its best response, the average, or at random for an episode."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.learning.schedules import Schedule

RESPONSE, AVERAGE, RANDOM = range(3)


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

# SPDX-License-Identifier: MIT
"""Schedules: numbers that change over the episodes of a run."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Schedule:
    """A number that goes from `start` to `end`."""

    start: float
    end: float
    episodes: int
    """Episodes until the end is reached; 0: the number is `end` throughout."""
    shape: Literal["linear", "root", "cosine"] = "linear"
    """`root` is start / sqrt(1 + t / episodes), never below the end."""

    def at(self, episodes: int | NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the number after some episodes, for each if there are several."""
        done = np.asarray(episodes, np.float64) / max(self.episodes, 1)
        if self.episodes <= 0:
            return np.full_like(done, self.end)
        if self.shape == "root":
            return np.maximum(self.start / np.sqrt(1 + done), self.end)
        share = np.minimum(done, 1.0)
        if self.shape == "cosine":
            share = (1 - np.cos(np.pi * share)) / 2
        return self.start + (self.end - self.start) * share

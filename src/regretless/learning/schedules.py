# SPDX-License-Identifier: MIT
"""Numbers that change over the episodes of a run."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Shape = Literal["linear", "root", "cosine"]


@dataclass(frozen=True)
class Ramp:
    """From one number to another."""

    start: float
    end: float
    episodes: int
    """Until the end is reached; 0: at once."""
    shape: Shape = "linear"
    """Linear; half a wave of a cosine; or start / sqrt(1 + t / episodes), never below the end."""

    period: int = 0
    """Episodes after which it begins again; 0: never."""

    def at(self, episodes: int | NDArray[np.int64]) -> NDArray[np.float64]:
        """The number after so many episodes, of each if there are several."""
        episodes = np.asarray(episodes) % self.period if self.period else episodes
        done = np.asarray(episodes, np.float64) / max(self.episodes, 1)
        if self.episodes <= 0:
            return np.full_like(done, self.end)
        if self.shape == "root":
            return np.maximum(self.start / np.sqrt(1 + done), self.end)
        share = np.minimum(done, 1.0)
        if self.shape == "cosine":
            share = (1 - np.cos(np.pi * share)) / 2
        return self.start + (self.end - self.start) * share

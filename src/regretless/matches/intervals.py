# SPDX-License-Identifier: MIT
"""Means with intervals, gathered in pieces."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean over independent blocks, in units of the game for each episode."""

    mean: float
    standard_error: float
    """Infinite for a single block."""
    count: int
    """Blocks."""

    @property
    def half_width(self) -> float:
        """The 95 % interval is the mean plus and minus this (Student's t)."""
        if self.count < 2:
            return math.inf
        from scipy.special import stdtrit  # takes longer to import than most commands to run

        return float(stdtrit(self.count - 1, (1 + _CONFIDENCE) / 2)) * self.standard_error


class Moments:
    """Means and variances of several columns, added block by block of rows."""

    def __init__(self, num_columns: int) -> None:
        self.count = 0
        self.means = np.zeros(num_columns)
        self.squares = np.zeros(num_columns)  # of the distances from the means

    def add(self, rows: NDArray[np.float64]) -> None:
        """More rows [count, columns]; sums are merged after Chan, Golub and LeVeque 1979."""
        if not len(rows):
            return
        means = rows.mean(axis=0)
        total = self.count + len(rows)
        distance = means - self.means
        self.squares += ((rows - means) ** 2).sum(axis=0)
        self.squares += distance**2 * (self.count * len(rows) / total)
        self.means += distance * (len(rows) / total)
        self.count = total

    def estimate(self, column: int, scale: float = 1.0) -> Estimate:
        """The estimate of one column, times `scale`."""
        error = math.inf
        if self.count > 1:
            error = math.sqrt(self.squares[column] / (self.count - 1) / self.count)
        return Estimate(float(self.means[column]) * scale, error * scale, self.count)

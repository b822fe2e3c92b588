# SPDX-License-Identifier: MIT
"""One curve with a band for the runs of one setup that differ in their seeds."""

import math
from collections.abc import Sequence

from regretless.pictures.curves import Curve

BANDS = ("range", "95%")
"""Kinds of bands: from the least to the most, or the 95 % interval of the mean (Student's t)."""


def mean_curve(name: str, curves: Sequence[Curve], band: str = BANDS[0]) -> Curve:
    """Returns the mean of the curves, point by point, up to the end of the shortest one.

    The n-th points of all curves belong together; where their places differ, as seconds do, the
    place is the mean of theirs.
    """
    count = min(len(curve.places) for curve in curves)
    places = [_mean([curve.places[n] for curve in curves]) for n in range(count)]
    columns = [[curve.values[n] for curve in curves] for n in range(count)]
    ends = [band_ends(column, band) for column in columns]
    low, high = ([each[side] for each in ends] for side in range(2))
    return Curve(name, places, [_mean(each) for each in columns], (low, high))


def band_ends(values: Sequence[float], band: str = BANDS[0]) -> tuple[float, float]:
    """Returns the ends of the band at one point of several curves."""
    if band == BANDS[0]:
        return min(values), max(values)
    mean, count = _mean(values), len(values)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    from scipy.special import stdtrit  # not at the start of every command

    half_width = float(stdtrit(count - 1, 0.975)) * math.sqrt(variance / count)
    return mean - half_width, mean + half_width


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

# SPDX-License-Identifier: MIT
"""The differences of two strategies of one game, infoset by infoset."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.bundles.bundle import Bundle
from regretless.errors import InputError, TooLargeError
from regretless.policies.strategy_table import TableEvaluator


@dataclass(frozen=True)
class InfosetDifference:
    """One infoset where two strategies differ."""

    infoset: str
    """Its name, or in games too large to list its key."""
    distance: float
    first: list[float]  # [actions]
    second: list[float]  # [actions]


@dataclass(frozen=True)
class BundleDifference:
    """Distances are total variation, 0 to 1, over the infosets that both have, each alike."""

    num_shared: int
    num_only_first: int
    num_only_second: int
    mean_distance: float
    max_distance: float
    largest: list[InfosetDifference]


def difference(first: Bundle, second: Bundle, most: int = 10) -> BundleDifference:
    """Compare two bundles; `most` of the largest differences are named."""
    if _nameless(first.manifest.game.rules) != _nameless(second.manifest.game.rules):
        raise InputError(
            f"{first.path} is of {first.game.name} and {second.path} of {second.game.name}: "
            "only strategies of the same rules and menu can be compared "
            "(`regretless compare-spots` compares two spots)"
        )
    one, two = (each.kind.table(each) for each in (first, second))
    keys, ours, theirs = np.intersect1d(one.keys, two.keys, assume_unique=True, return_indices=True)
    rows = one.probabilities[ours].astype(np.float64), two.probabilities[theirs].astype(np.float64)
    distances = np.abs(rows[0] - rows[1]).sum(axis=1) / 2
    order = np.argsort(-distances, kind="stable")[:most]
    names = _names(first, keys[order])
    return BundleDifference(
        num_shared=len(keys),
        num_only_first=len(one.keys) - len(keys),
        num_only_second=len(two.keys) - len(keys),
        mean_distance=float(distances.mean()) if len(keys) else 0.0,
        max_distance=float(distances.max()) if len(keys) else 0.0,
        largest=[
            InfosetDifference(name, float(distances[i]), rows[0][i].tolist(), rows[1][i].tolist())
            for name, i in zip(names, order, strict=True)
            if distances[i] > 0
        ],
    )


def _nameless(rules: dict[str, Any]) -> dict[str, Any]:
    return {
        part: {key: value for key, value in row.items() if key != "name"}
        for part, row in rules.items()
    }


def _names(bundle: Bundle, keys: NDArray[np.uint64]) -> list[str]:
    try:
        evaluator = TableEvaluator(bundle.game)
    except TooLargeError:
        return [f"{int(key):016x}" for key in keys]
    places = {int(key): place for place, key in enumerate(evaluator.keys)}
    return [evaluator.names[places[int(k)]] if int(k) in places else f"{int(k):016x}" for k in keys]

# SPDX-License-Identifier: MIT
"""The distinct rows of a buffer, each with the mean of its targets.

The squared error of equal rows equals that of their mean target, up to a constant; cross-entropy is
the same altogether. So where a buffer has no more distinct rows than a minibatch, as in small
games, one step can learn from all of it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.learning.minibatches import RowSource

_PIECE = 1 << 18  # rows read at once


def distinct_rows(buffer: RowSource, most: int) -> dict[str, NDArray[Any]] | None:
    """Returns the rows that differ in more than target and weight; None if they are too many.

    Targets are [slots]. Weights are such that a mean over these rows is the mean over the buffer.
    """
    if len(np.unique(_keys(_columns(buffer, 0, min(buffer.size, 2 * most))))) > most:
        return None
    parts = []
    for begin in range(0, buffer.size, _PIECE):
        parts.append(_merged(_columns(buffer, begin, min(begin + _PIECE, buffer.size))))
        if len(parts[-1]["weight"]) > most:
            return None
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    found = _merged(joined)
    count = len(found["weight"])
    if count > most:
        return None
    found["weight"] = (found["weight"] * (count / buffer.size)).astype(np.float32)
    found["target"] = found["target"].astype(np.float32)
    return found


def _columns(buffer: RowSource, begin: int, end: int) -> dict[str, NDArray[Any]]:
    rows, at, found = buffer.get(np.arange(begin, end)), 0, {}
    for column in buffer.columns:
        part = np.ascontiguousarray(rows[:, at : at + column.num_bytes])
        found[column.name] = part.view(column.type).reshape(len(part), *column.shape)
        at += column.num_bytes
    return found


def _merged(columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Merges equal rows, in the order of their keys."""
    _, first, group = np.unique(_keys(columns), return_index=True, return_inverse=True)
    weights = columns["weight"].astype(np.float64)
    totals = np.bincount(group, weights)
    targets = [
        np.bincount(group, weights * columns["target"][:, slot])
        for slot in range(columns["target"].shape[1])
    ]
    means = np.stack(targets, axis=1) / np.where(totals > 0, totals, 1)[:, None]
    kept = {name: column[first] for name, column in columns.items()}
    return kept | {"target": means, "weight": totals}


def _keys(columns: dict[str, NDArray[Any]]) -> NDArray[np.uint64]:
    """Returns a hash of each row without target and weight; few rows do not collide."""
    inputs = [column for name, column in columns.items() if name not in ("target", "weight")]
    rows = np.concatenate([column.view(np.uint8) for column in inputs], axis=1)
    draws = np.random.Generator(np.random.Philox(key=[7, 11]))
    factors = draws.integers(1 << 63, size=(rows.shape[1],), dtype=np.uint64)
    keys = np.zeros(len(rows), np.uint64)
    for column, factor in enumerate(factors):
        keys = (keys ^ rows[:, column]) * (np.uint64(2) * factor + np.uint64(1))
        keys ^= keys >> np.uint64(29)
    return keys

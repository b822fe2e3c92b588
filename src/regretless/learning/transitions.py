# SPDX-License-Identifier: MIT
"""What a seat learns from play: its decision, and its own next one or what it won."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.buffers import Column


def transition_columns(row_bytes: int, num_actions: int) -> list[Column]:
    return [
        Column("row", "uint8", (row_bytes,)),
        Column("slot", "uint8"),
        Column("reward", "float32"),
        Column("next_row", "uint8", (row_bytes,)),
        Column("next_legal", "bool", (num_actions,)),
    ]


def transitions(
    steps: _native.Steps, encoder: str, scale: float, taken: NDArray[np.bool_] | None = None
) -> dict[str, NDArray[Any]]:
    """One for each step, or for those that are `taken`, of every seat that had a decision.

    The next decision is of the same seat. After its last one there is none, `next_legal` is all
    False, and the reward is what it won, times `scale`.
    """
    rows, later = steps.rows(encoder), steps.next
    is_last = later < 0
    after = np.where(is_last, np.arange(len(later)), later)
    won = steps.payoffs[steps.episodes - steps.first_episode, steps.actors]
    found: dict[str, NDArray[Any]] = {
        "row": rows,
        "slot": steps.slots,
        "reward": np.where(is_last, won * scale, 0.0).astype(np.float32),
        "next_row": rows[after],
        "next_legal": steps.legal[after] & ~is_last[:, None],
    }
    if taken is None:
        return found
    return {name: each[taken] for name, each in found.items()}

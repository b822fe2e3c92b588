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
        Column("growth", "float32"),
    ]


def transitions(
    steps: _native.Steps,
    encoder: str,
    unit: float,
    stake_power: float = 0.0,
    taken: NDArray[np.bool_] | None = None,
) -> dict[str, NDArray[Any]]:
    """One for each step, or for those that are `taken`, of every seat that had a decision.

    The next decision is of the same seat; `growth` times its value is that of this one. After the
    last one there is none, `growth` is 0, `next_legal` all False, and the reward is what was won,
    in units of the game. Both are by the pot at their decisions to the power of `stake_power`.
    """
    rows, later = steps.rows(encoder), steps.next
    is_last = later < 0
    after = np.where(is_last, np.arange(len(later)), later)
    won = steps.payoffs[steps.episodes - steps.first_episode, steps.actors]
    stakes = steps.stakes.astype(np.float64) ** stake_power
    found: dict[str, NDArray[Any]] = {
        "row": rows,
        "slot": steps.slots,
        "reward": np.where(is_last, won / (unit * stakes), 0.0).astype(np.float32),
        "next_row": rows[after],
        "next_legal": steps.legal[after] & ~is_last[:, None],
        "growth": np.where(is_last, 0.0, stakes[after] / stakes).astype(np.float32),
    }
    if taken is None:
        return found
    return {name: each[taken] for name, each in found.items()}

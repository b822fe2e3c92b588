# SPDX-License-Identifier: MIT
"""Transitions for Q-learning: a seat's decision with its own next decision or the payoff."""

import numpy as np

from regretless.buffers import Column
from regretless.generation.generator import Columns


def transition_columns(row_bytes: int, num_actions: int) -> list[Column]:
    return [
        Column("row", "uint8", (row_bytes,)),
        Column("slot", "uint8"),
        Column("reward", "float32"),
        Column("next_row", "uint8", (row_bytes,)),
        Column("next_legal", "bool", (num_actions,)),
        Column("growth", "float32"),
    ]


def transitions(steps: Columns, unit: float, stake_power: float = 0.0) -> Columns:
    """Returns one transition for each step of self-play.

    The next decision is of the same seat; `growth` times its value is the value of this one. After
    the seat's last decision `growth` is 0, `next_legal` is all False and `reward` is the payoff, in
    units of the game. Both are divided by the pot at their decisions to the power `stake_power`.
    """
    rows, later = steps["rows"], steps["next"]
    is_last = later < 0
    after = np.where(is_last, np.arange(len(later)), later)
    stakes = steps["stakes"].astype(np.float64) ** stake_power
    return {
        "row": rows,
        "slot": steps["slots"],
        "reward": np.where(is_last, steps["won"] / (unit * stakes), 0.0).astype(np.float32),
        "next_row": rows[after],
        "next_legal": steps["legal"][after] & ~is_last[:, None],
        "growth": np.where(is_last, 0.0, stakes[after] / stakes).astype(np.float32),
    }

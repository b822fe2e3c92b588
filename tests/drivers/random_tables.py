# SPDX-License-Identifier: MIT
"""The tables that the engine and pokerkit are compared at: random rules, made to find trouble."""

import random
from dataclasses import dataclass
from typing import Any

from regretless.games import load_game


@dataclass(frozen=True)
class Table:
    """One kind of table: a game by name with its seats, and its share of all hands."""

    game: str
    seats: tuple[int, ...]
    share: float
    has_straddle: bool = False
    has_rake: bool = False


TABLES = {
    "nlhe-2": Table("nlhe", (2,), 0.12),
    "nlhe-3": Table("nlhe", (3,), 0.12),
    "nlhe-6": Table("nlhe", (6,), 0.15),
    "nlhe-9": Table("nlhe", (9,), 0.08),
    "nlhe-straddle": Table("nlhe", (3, 4, 6, 9), 0.08, has_straddle=True),
    "nlhe-rake": Table("nlhe", (2, 3, 6), 0.10, has_rake=True),
    "limit-holdem": Table("limit-holdem", (2, 3, 6, 9), 0.13),
    "plo4": Table("plo4", (2, 3, 6), 0.08),
    "plo5": Table("plo5", (2, 3, 6, 9), 0.04),
    "short-deck": Table("short-deck", (2, 3, 6, 9), 0.10),
}


def random_game(table: Table, rng: random.Random) -> Any:
    """A game with small chips (so that pots split unevenly), many short stacks, and some antes."""
    players = rng.choice(table.seats)
    small, big = rng.choice([(1, 2), (2, 5), (5, 10), (50, 100), (3, 3)])
    options: dict[str, Any] = {"players": players, "menu": "min"}
    if table.game == "short-deck":
        options |= {"antes": big, "button_blind": big, "bets": big, "unit": big}
    else:
        options |= {"small_blind": small, "big_blind": big}
        options["antes"] = rng.choice([0, 0, 0, rng.randint(1, big), big_blind_ante(players, big)])
    if table.game == "limit-holdem":
        options["bets"] = [big, big, 2 * big, 2 * big]
    if table.has_straddle:
        options["straddle"] = 2 * big
    if table.has_rake:
        no_flop_no_drop = rng.random() < 0.5
        options["rake"] = {"fraction": 0.05, "no_flop_no_drop": no_flop_no_drop}
        options["rake"]["cap"] = rng.choice([0, rng.randint(1, 3 * big)])
    shortness, deepest = rng.random(), rng.choice([10, 30, 100]) * big
    options["stacks"] = [
        rng.randint(1, rng.choice([big, 3 * big]) if rng.random() < shortness else deepest)
        for _ in range(players)
    ]
    return load_game(table.game, **options)


def big_blind_ante(players: int, big: int) -> list[int]:
    antes = [0] * players
    antes[0 if players == 2 else 1] = big
    return antes

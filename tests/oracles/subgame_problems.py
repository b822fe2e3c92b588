# SPDX-License-Identifier: MIT
"""Games, depths and ranges that the tests of subgames share."""

from typing import Any

import numpy as np

from regretless import _native
from regretless.games import Game

Job = _native.Subgames
NONE = np.zeros(0, np.int32)
NO_SEEDS = np.zeros(0, np.uint64)
PROBLEMS = [("kuhn", 1), ("leduc", "round"), ("leduc", 2), ("liars-dice-1x3f", 2)]
ITERATIONS = 7


def make_job(
    game: Game,
    depth: int | str,
    name: str = "linear",
    *,
    alternating: bool = True,
    iterations: int = ITERATIONS,
    **options: Any,
) -> Job:
    discounts = _native.Discounts(name)
    discounts.alternating = alternating
    cut = {"ends_with_round": True} if depth == "round" else {"max_decisions": depth}
    states = _native.PublicStates(game, board=options.pop("board", []))
    return Job(states, discounts, iterations=iterations, **cut, **options)  # type: ignore[arg-type]


def random_ranges(random: np.random.Generator, count: int, hands: int) -> np.ndarray:
    """With zeros here and there, and now and then without any mass."""
    ranges = random.exponential(size=(count, 2, hands)) * (random.random((count, 2, hands)) < 0.7)
    ranges[::9, 0] = 0
    return ranges

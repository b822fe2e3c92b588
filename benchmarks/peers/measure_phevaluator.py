# SPDX-License-Identifier: MIT
"""phevaluator: strengths of random seven-card hands, one call per hand as its API asks."""

import random
from collections import deque
from itertools import starmap

from phevaluator import evaluate_cards
from stopwatch import Timing, Work, main

NUM_HANDS = 1 << 15


def prepare_evaluations() -> Work:
    rng = random.Random(0)
    hands = [tuple(rng.sample(range(52), 7)) for _ in range(NUM_HANDS)]

    def evaluate() -> int:
        deque(starmap(evaluate_cards, hands), maxlen=0)
        return NUM_HANDS

    return evaluate


if __name__ == "__main__":
    main("phevaluator", {"evaluate7": Timing(prepare_evaluations, "evaluations/s")})

# SPDX-License-Identifier: MIT
"""Measures of NFSP in heads-up no-limit hold'em, on the processor.

The networks are those of `configs/nlhe_2_nfsp.yaml`: attention, 1,024 and 512 wide.
A round has 1/64 of its hands and of the rows of its minibatches.
"""

import functools
import itertools
from typing import Any

from benchmarks.measure import Measure, rate, torch_threads
from regretless.algorithm import Shard
from regretless.games import load_game

SCALE = 64  # what hands and minibatches of the recipe are divided by
HANDS = 16_384 // SCALE


def _playing(seconds: float) -> float:
    """Hands per second of play alone."""
    learner, rounds = _learner(), itertools.count(1_000)

    def work() -> int:
        learner.generator.make(learner.weights(), Shard(HANDS * next(rounds), HANDS))
        return HANDS

    with torch_threads(1):
        return rate(work, seconds)


def _learning(seconds: float) -> float:
    """Hands per second of whole rounds."""
    learner = _learner()

    def work() -> int:
        learner.step()
        return HANDS

    with torch_threads(1):
        return rate(work, seconds)


@functools.cache
def _learner() -> Any:
    """After a round, so that all memory is at hand."""
    from regretless.algorithms.nfsp import NFSP, NFSPConfig

    config = NFSPConfig(
        encoder="table30",
        rename_suits=True,
        episodes=HANDS,
        tables=HANDS,
        best_response=0.99,
        record="all",
        learn_from="best-response",
        epsilon=0.1,
        widths=(1024, 1024, 512, 512),
        layer_norm=True,
        residual=True,
        stream=512,
        dueling=True,
        history_layers=2,
        capacity=100_000,
        average_capacity=100_000,
        batch=8192 // SCALE,
        best_response_steps=24,
        average_steps=12,
        min_transitions=1,
    )
    learner = NFSP(load_game("nlhe"), config)
    with torch_threads(1):
        learner.step()
    return learner


LEARNING = (
    Measure(
        name="nfsp_play",
        description="Hands of NFSP's self-play, heads-up, with networks of 1,024 and attention",
        unit="hands/s",
        run=_playing,
    ),
    Measure(
        name="nfsp_round",
        description=f"The same with learning, minibatches of 1/{SCALE} of the recipe's rows",
        unit="hands/s",
        run=_learning,
    ),
)

# SPDX-License-Identifier: MIT
"""Measures of MCCFR on a card abstraction of hold'em.

Buckets are of the default sizes but go by index: looking them up, and the rows that they lead to,
cost what they do with buckets by equity, which take minutes to build.
"""

import statistics
import time
from collections.abc import Callable
from functools import cache

import numpy as np

from benchmarks.measure import Measure, rate
from regretless.abstraction.building import AbstractionConfig
from regretless.abstraction.card_abstraction import CardAbstraction, Cards, StreetBuckets
from regretless.algorithms.mccfr import MCCFR, MCCFRConfig
from regretless.games import load_game
from regretless.notation.cards import STREETS

MENU = "deep-cfr-7"
BATCH = 500


@cache
def index_buckets() -> CardAbstraction:
    """An abstraction of the default sizes, without building."""
    cards, config = Cards(), vars(AbstractionConfig())
    streets = {}
    for name, size in cards.table_sizes.items():
        buckets = int(config[name])
        index = np.arange(size)
        table = index * buckets // size if name in ("preflop", "river") else index % buckets
        ones = np.ones(buckets, np.uint64)
        streets[name] = StreetBuckets(table.astype(np.uint16), ones, ones.astype(np.float32))
    return CardAbstraction(cards, {name: streets[name] for name in STREETS}, {})


def blueprint(threads: int) -> MCCFR:
    config = MCCFRConfig(
        weight_power=1.0,
        batch=BATCH,
        iterations_per_step=BATCH,
        threads=threads,
        storage="tree",
        max_entries=200_000_000,
    )
    return MCCFR(load_game("nlhe", menu=MENU), config, abstraction=index_buckets())


def visits(solver: MCCFR) -> Callable[[], int]:
    """One step of it, and the infosets that it visits."""

    def step() -> int:
        before = solver.decisions
        solver.step()
        return solver.decisions - before

    return step


def _one_core(seconds: float) -> float:
    return rate(visits(blueprint(1)), seconds)


def _threads(seconds: float) -> float:
    """Two threads over one, in wall time, taking turns so that noise meets both."""
    solvers = {threads: blueprint(threads) for threads in (1, 2)}
    rates = {1: 0.0, 2: 0.0}
    for _ in range(3):
        for threads, solver in solvers.items():
            found = rate(visits(solver), seconds / 6, time.perf_counter)
            rates[threads] = max(rates[threads], found)
    return rates[2] / rates[1]


BLUEPRINT = (
    Measure(
        name="blueprint",
        description="External-sampling MCCFR on heads-up no-limit hold'em in buckets",
        unit="infosets/s",
        run=_one_core,
    ),
    Measure(
        name="blueprint_threads",
        description="The same: two threads over one",
        unit="ratio",
        run=_threads,
        floor=1.6,
        goal=1.9,
        cores=2,
        summary=statistics.median,
    ),
)

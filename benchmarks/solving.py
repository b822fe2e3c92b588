# SPDX-License-Identifier: MIT
"""Measures of the solvers."""

import statistics
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from benchmarks.measure import Measure, Peer, Work, rate
from regretless.algorithms.mccfr import MCCFR, MCCFRConfig
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig
from regretless.solvers.stopping import Budget, run

NUM_MCCFR_ITERATIONS = 20_000

# The spots that the best open solver was measured on.
RIVER_BOARD, TURN_BOARD = "Td9d6hQc2s", "Td9d6hQc"
RIVER_MENU = {"all": {"open": "50%,100%,a", "raise": "60%,a"}}  # 24 decision nodes
TURN_MENU = {"all": {"open": "60%,a", "raise": "60%,a"}}  # 1,740 decision nodes
FLOP_BOARD = "Td9d6h"
FLOP_MENU = {
    "all": {"open": "60%,e,a", "raise": "2.5x"},
    "add_all_in": 1.5,
    "force_all_in": 0.15,
    "merge": 0.1,
}  # 164,716 decision nodes
TURN_OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"  # 167 hands, 180
TURN_IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"  # 250 hands, 265


def _iterate(solver: CFR, count: int) -> Callable[[], int]:
    def iterate() -> int:
        solver.step(count)
        return count

    return iterate


def _cfr(game: str, count: int) -> Callable[[float], float]:
    return lambda seconds: rate(_iterate(CFR(load_game(game), CFRConfig("cfr+")), count), seconds)


def _leduc_solve(seconds: float) -> float:
    """From nothing to an exploitability of 1e-3, the measuring included."""
    game = load_game("leduc")

    def solve() -> int:
        run(CFR(game, CFRConfig("cfr+")), Budget(target=1e-3))
        return 1

    return rate(solve, seconds)


def _leduc_exploitability(seconds: float) -> float:
    solver = CFR(load_game("leduc"))
    solver.step(10)

    def measure() -> int:
        for _ in range(100):
            solver.solver.step(0)  # forgets what was measured before
            solver.exploitability()
        return 100

    return rate(measure, seconds)


def _leduc_mccfr(seconds: float) -> float:
    solver = MCCFR(load_game("leduc"), MCCFRConfig(iterations_per_step=NUM_MCCFR_ITERATIONS))

    def iterate() -> int:
        solver.step()
        return NUM_MCCFR_ITERATIONS

    return rate(iterate, seconds)


def _spot(
    board: str, menu: Mapping[str, Any], oop: str, ip: str, threads: int = 1, precision: int = 32
) -> CFR:
    spot = make_spot(board, 200, 900, oop, ip, menu)
    return CFR(spot.game, CFRConfig("dcfr", threads=threads, precision=precision))


def _river_of() -> CFR:
    return _spot(RIVER_BOARD, RIVER_MENU, "random", "random")


def _river(seconds: float) -> float:
    return rate(_iterate(_river_of(), 20), seconds)


def _turn(seconds: float) -> float:
    return rate(_iterate(_spot(TURN_BOARD, TURN_MENU, TURN_OOP, TURN_IP), 2), seconds)


def _threads(make: Callable[[int], CFR], iterations: int) -> Callable[[float], float]:
    """Two threads over one, in wall time, taking turns so that noise meets both."""

    def measure(seconds: float) -> float:
        solvers = {threads: make(threads) for threads in (1, 2)}
        rates = {1: 0.0, 2: 0.0}
        for _ in range(3):
            for threads, solver in solvers.items():
                found = rate(_iterate(solver, iterations), seconds / 6, time.perf_counter)
                rates[threads] = max(rates[threads], found)
        return rates[2] / rates[1]

    return measure


def _turn_of(threads: int) -> CFR:
    return _spot(TURN_BOARD, TURN_MENU, TURN_OOP, TURN_IP, threads)


@cache
def _flop_of(threads: int = 1, precision: int = 32) -> CFR:
    """Kept: its memory is taken once."""
    return _spot(FLOP_BOARD, FLOP_MENU, TURN_OOP, TURN_IP, threads, precision)


def _flop(seconds: float) -> float:
    return rate(_iterate(_flop_of(), 1), seconds)


def _work_of(make: Callable[[], CFR], entry_bytes: int = 4) -> Callable[[], Work]:
    """An iteration reads regrets of both players twice and writes them once, and sums once each.

    Of an action and hand it makes the strategy three times, a reach twice, and a sum, a value and a
    regret: 20 operations (of half the speed in double precision), without those of showdowns.
    """

    def work() -> Work:
        entries = make().solver.size.entries
        return Work(5 * entry_bytes * entries, 2 * entry_bytes * entries, 5 * entry_bytes * entries)

    return work


def _flop_density(precision: int) -> Callable[[float], float]:
    """The size that is known before memory is taken; a test compares it with what is taken."""

    def measure(seconds: float) -> float:
        size = _flop_of(1, precision).solver.size
        return 1024 * size.entries / size.bytes

    return measure


SOLVING = (
    Measure(
        name="leduc_cfr",
        description="CFR+ on Leduc poker, both players updated",
        unit="iterations/s",
        run=_cfr("leduc", 500),
        work=_work_of(lambda: CFR(load_game("leduc")), 8),
        peers=(Peer("open_spiel", "leduc_cfr", target=400),),
        goal=100e3,
    ),
    Measure(
        name="leduc_solve",
        description="Leduc poker from nothing to an exploitability of 1e-3 by CFR+",
        unit="solutions/s",
        run=_leduc_solve,
        peers=(Peer("open_spiel", "leduc_solve", target=400),),
    ),
    Measure(
        name="leduc_exploitability",
        description="Exact exploitability of a strategy in Leduc poker",
        unit="measures/s",
        run=_leduc_exploitability,
        peers=(Peer("open_spiel", "leduc_exploitability", target=1000),),
        goal=100e3,
    ),
    Measure(
        name="dice_cfr",
        description="CFR+ on Liar's Dice with one die of six faces each",
        unit="iterations/s",
        run=_cfr("liars-dice-1x6f", 20),
        work=_work_of(lambda: CFR(load_game("liars-dice-1x6f")), 8),
        peers=(Peer("open_spiel", "dice_cfr", target=100),),
    ),
    Measure(
        name="leduc_mccfr",
        description="External-sampling MCCFR on Leduc poker, a traversal for each player",
        unit="iterations/s",
        run=_leduc_mccfr,
        peers=(Peer("open_spiel", "leduc_mccfr", target=20),),
        floor=704e3,
        goal=3e6,
    ),
    Measure(
        name="river",
        description="DCFR on a river spot, all 1,081 hands on both sides, 24 decision nodes",
        unit="iterations/s",
        run=_river,
        work=_work_of(_river_of),
        floor=1 / 0.19e-3,
        goal=1 / 0.12e-3,
    ),
    Measure(
        name="turn",
        description="DCFR on a turn spot, 167 and 250 hands, 1,740 decision nodes",
        unit="iterations/s",
        run=_turn,
        work=_work_of(lambda: _turn_of(1)),
        floor=1 / 4e-3,
        goal=1 / 2.5e-3,
    ),
    Measure(
        name="turn_threads",
        description="The turn spot: two threads over one",
        unit="ratio",
        run=_threads(_turn_of, 2),
        floor=1.6,
        goal=1.9,
        cores=2,
        summary=statistics.median,
    ),
    Measure(
        name="flop",
        description="DCFR on a flop spot, 180 and 265 hands, 164,716 decision nodes",
        unit="iterations/s",
        run=_flop,
        work=_work_of(_flop_of),
        floor=1 / 0.5,
        goal=1 / 0.4,
    ),
    Measure(
        name="flop_threads",
        description="The flop spot: two threads over one",
        unit="ratio",
        run=_threads(_flop_of, 1),
        floor=1.6,
        goal=1.9,
        cores=2,
        summary=statistics.median,
    ),
    Measure(
        name="flop_density",
        description="The flop spot: actions times hands that a KiB of memory holds, in 32 bits",
        unit="entries/KiB",
        run=_flop_density(32),
        floor=83_078_830 / (695.75 * 1024),  # the best open solver's
    ),
    Measure(
        name="flop_density16",
        description="The same in 16 bits",
        unit="entries/KiB",
        run=_flop_density(16),
        floor=83_078_830 / (362.90 * 1024),
    ),
)

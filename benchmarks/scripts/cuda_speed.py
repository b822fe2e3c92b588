# SPDX-License-Identifier: MIT
"""The kernels for CUDA on the spots of `regretless bench`: speed, agreement and equal bytes.

`PYTHONPATH=src:. python benchmarks/scripts/cuda_speed.py`; below 9 minutes on one GPU.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from benchmarks.machine import describe_machine
from benchmarks.solving import (
    FLOP_BOARD,
    FLOP_MENU,
    RIVER_BOARD,
    RIVER_MENU,
    TURN_BOARD,
    TURN_IP,
    TURN_MENU,
    TURN_OOP,
)
from regretless.games.spots import make_spot
from regretless.solvers.cuda.batch import SpotBatch
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.engine import Tuning
from regretless.solvers.cuda.layout import Layout
from regretless.solvers.cuda.leaves import TorchLeaves
from regretless.solvers.cuda.solver import CudaCFR
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig
from regretless.solvers.stopping import Budget, run

POT, STACK = 200, 900
TURN = (TURN_BOARD, TURN_MENU, TURN_OOP, TURN_IP)
FLOP = (FLOP_BOARD, FLOP_MENU, TURN_OOP, TURN_IP)
RIVER = (RIVER_BOARD, RIVER_MENU, "random", "random")
TUNINGS = [Tuning(v, w, t) for v in (1, 4) for w in (1, 2, 4) for t in (128, 256)]
WHOLE = (Tuning(whole=2), Tuning(whole=4), Tuning(whole=4, ending_threads=160))
BATCHES = (32, 64, 132, 264, 528, 1056)


@dataclass(frozen=True)
class Plan:
    """The work of a call."""

    device: Device
    seconds: float = 2.0
    """Seconds of each measurement."""
    tunings: tuple[Tuning, ...] = (Tuning(), *TUNINGS)
    whole: tuple[Tuning, ...] = WHOLE
    """Further tunings for batches of rivers."""
    batches: tuple[int, ...] = BATCHES
    spots: tuple[tuple[str, tuple[Any, ...]], ...] = (("turn", TURN), ("flop", FLOP))
    turns: tuple[int, ...] = (64, 256)
    leaf_batches: tuple[int, ...] = (1, 32)
    target: float = 0.005
    """Share of the pot, for the time from nothing."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    given = parser.parse_args()
    begun = time.perf_counter()
    device = CupyDevice(given.device)
    print(f"kernels ready after {time.perf_counter() - begun:.1f} s; {describe_machine()['cpu']}")
    for line in report(Plan(device, given.seconds)):
        print(line, flush=True)


def report(plan: Plan) -> Iterator[str]:
    """Yields a line for each figure."""
    for name, spot in plan.spots:
        game = make_spot(spot[0], POT, STACK, *spot[2:], spot[1]).game
        config = CFRConfig("dcfr", precision=32)
        yield from _agreement(plan, name, game, config)
        native = CFR(game, config)
        base = rate(native.step, plan.seconds)
        yield f"{name}: native, one core: {base:,.1f} iterations/s"
        del native
        best, fastest = 0.0, Tuning()
        for tuning in plan.tunings:
            found = rate(
                CudaCFR(game, config, device=plan.device, tuning=tuning).step, plan.seconds
            )
            best, fastest = max((best, fastest), (found, tuning), key=lambda each: each[0])
            yield f"{name}: {tuning}: {found:,.1f} iterations/s"
        yield f"{name}: best {best:,.1f} iterations/s, {best / base:,.1f} times one core, {fastest}"
        half = CFRConfig("dcfr", precision=16)
        found = rate(CudaCFR(game, half, device=plan.device, tuning=fastest).step, plan.seconds)
        yield f"{name}: 16 bits: {found:,.1f} iterations/s"
        yield _from_nothing(plan, name, game, config)
    for size in plan.batches:
        for tuning in (*plan.tunings[:3], *plan.whole):
            batch = rivers(size, plan.device, tuning)
            found = size * rate(batch.step, plan.seconds)
            minutes = 10_000_000 * 250 / found / 60
            yield (
                f"{size} rivers: {tuning}: {found:,.0f} iterations/s over all; ten million of 250 "
                f"iterations in {minutes:,.0f} minutes, extrapolated"
            )
    yield from _turns(plan)
    yield from _leaves(plan)


def _turns(plan: Plan) -> Iterator[str]:
    """Batches of the spot `turn`: its ranges, and all hands."""
    game = make_spot(TURN[0], POT, STACK, *TURN[2:], TURN[1]).game
    ranges = [np.flatnonzero(np.array(weights) > 0) for weights in game.weights]
    every = np.arange(1326)
    for size, hands, name in [
        *((each, ranges, "its ranges") for each in plan.turns),
        *((each // 4, [every, every], "all hands") for each in plan.turns[-1:]),
    ]:
        generator = np.random.default_rng(1)
        boards = np.stack([generator.choice(52, 4, replace=False) for _ in range(size)])
        weights = np.ones((size, 2, max(len(each) for each in hands)))
        begun = time.perf_counter()
        batch = SpotBatch(game, boards, weights, hands=hands, device=plan.device)
        built = time.perf_counter() - begun
        found = size * rate(batch.step, plan.seconds)
        yield f"{size} turns, {name}: {found:,.0f} iterations/s over all; building {built:.1f} s"


class _Network:
    """A network of the shape that a street's values have, with random weights: 5 x 1,024.

    Ranges become histograms over 128 bins of the hands by a matrix of each board, and values of the
    bins become values of the hands by the same matrix.
    """

    def prepare(self, layout: Layout, sets: Any, device: Any) -> None:
        assert layout.leaves is not None
        cards, positions = len(layout.leaves.boards), layout.leaves.units[0] * 32
        torch.manual_seed(1)
        bins, width = 128, 1024
        layers: list[Any] = []
        for inputs in (2 * bins, *[width] * 4):
            layers += [torch.nn.Linear(inputs, width), torch.nn.LayerNorm(width), torch.nn.GELU()]
        layers.append(torch.nn.Linear(width, 2 * bins))
        self.layers = torch.nn.Sequential(*layers).to(device, torch.bfloat16).eval()
        matrix = torch.rand((cards, positions, bins), device=device)
        self.matrix = (matrix / matrix.sum(2, keepdim=True)).bfloat16()

    def __call__(self, ranges: Any, cards: Any = None) -> Any:
        spots, lines, cards, _, positions = ranges.shape
        rows = ranges.bfloat16().permute(2, 0, 1, 3, 4).reshape(cards, -1, positions)
        binned = rows @ self.matrix
        values = self.layers(binned.reshape(-1, 2 * binned.shape[2])).reshape(binned.shape)
        found = (values @ self.matrix.transpose(1, 2)).reshape(cards, spots, lines, 2, positions)
        return found.permute(1, 2, 0, 3, 4).float()


def _leaves(plan: Plan) -> Iterator[str]:
    """Trees cut after the next card, with a network at the leaves, all hands."""
    for name, (board, menu, *_) in plan.spots:
        for size in plan.leaf_batches:
            game = make_spot(board, POT, STACK, "random", "random", menu).game
            cards = len(board) // 2
            generator = np.random.default_rng(1)
            boards = np.stack([generator.choice(52, cards, replace=False) for _ in range(size)])
            leaves = TorchLeaves(_Network())
            config = CFRConfig("dcfr", alternating=False)
            weights = np.ones((size, 2, 1326))
            batch = SpotBatch(game, boards, weights, config, leaves=leaves, device=plan.device)
            rows = batch.layout.leaves
            found = rate(batch.step, plan.seconds)
            yield (
                f"{size} x {name} cut at leaves ({len(rows.stakes)} lines of {len(rows.boards)} "
                f"cards, network 5 x 1,024): {1000 / found:.3f} ms an iteration"
            )


def _agreement(plan: Plan, name: str, game: Any, config: CFRConfig) -> Iterator[str]:
    solvers = [CudaCFR(game, config, device=plan.device) for _ in range(2)]
    native = CFR(game, config)
    for solver in (*solvers, native):
        solver.step(10)
    states = [solver.state() for solver in solvers]
    is_same = all(np.array_equal(table, states[1][key]) for key, table in states[0].items())
    yield f"{name}: the same bytes twice: {is_same}"
    figures = [f"{solver.exploitability():.5f}" for solver in (solvers[0], native)]
    values = [f"{solver.values()[0]:.5f}" for solver in (solvers[0], native)]
    yield f"{name}: device and native after 10: exploitability {figures}, value {values}"


def _from_nothing(plan: Plan, name: str, game: Any, config: CFRConfig) -> str:
    begun = time.perf_counter()
    solver = CudaCFR(game, config, device=plan.device)
    built = time.perf_counter()
    solved = run(solver, Budget(target=plan.target * POT / game.unit, iterations=5000))
    done = time.perf_counter()
    solver.packed()
    packed = time.perf_counter()
    return (
        f"{name}: {solved.exploitability * game.unit / POT:.3%} of the pot after "
        f"{solved.iterations} iterations: {packed - begun:.2f} s (building {built - begun:.2f}, "
        f"solving {done - built:.2f}, packing {packed - done:.2f})"
    )


def rivers(size: int, device: Device, tuning: Tuning) -> SpotBatch:
    """Random boards, all hands."""
    game = make_spot(RIVER[0], POT, STACK, *RIVER[2:], RIVER[1]).game
    generator = np.random.default_rng(1)
    boards = np.stack([generator.choice(52, 5, replace=False) for _ in range(size)])
    return SpotBatch(game, boards, np.ones((size, 2, 1326)), device=device, tuning=tuning)


def rate(step: Callable[[int], Any], seconds: float) -> float:
    """Iterations a second; a first step warms up."""
    step(1)
    count = 1
    while True:
        begun = time.perf_counter()
        step(count)
        taken = time.perf_counter() - begun
        if taken >= seconds:
            return count / taken
        count = max(2 * count, int(count * 1.2 * seconds / max(taken, 1e-6)))


if __name__ == "__main__":
    main()

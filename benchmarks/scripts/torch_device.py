# SPDX-License-Identifier: MIT
"""Iterations per second of CFR+ on a torch device, beside the native kernel on one core."""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from benchmarks.machine import describe_machine
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig
from regretless.solvers.torch_cfr import TorchCFR

BATCHES = {"leduc": (1, 1024, 8192), "river spot": (1, 256), "turn spot": (1,)}
RANGES = ("22+,A2s+,K9s+,QTs+,JTs,ATo+,KTo+", "22+,A2s+,K7s+,Q9s+,J9s+,T9s,A7o+,KTo+,QJo")
SPOTS = {"river spot": "Td9d6hQc2s", "turn spot": "Td9d6hQc"}
MENU = {"all": {"open": "50%,100%,a", "raise": "2.5x,a"}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="float32", choices=["float32", "float64"])
    parser.add_argument("--threads", type=int, default=1, help="of torch on the CPU")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    is_one_core = arguments.device == "cpu" and arguments.threads == 1
    clock = time.process_time if is_one_core else time.perf_counter
    place = {"device": arguments.device, "precision": arguments.precision}
    table = Table("problem", "hands", "subgames", "native", "device", "device / native", box=None)
    for name, game, options in problems():
        native = CFR(game, CFRConfig(**options))
        base = rate(native.step, arguments.seconds, time.process_time)
        hands = " x ".join(str(len(native.problem.hands(p))) for p in range(2))
        for batch in BATCHES[name]:
            solver = TorchCFR(game, **problem_of(game, options, batch), **place)
            found = batch * rate(synchronized(solver), arguments.seconds, clock)
            row = [f"{base:,.1f}", f"{found:,.1f}", f"{found / base:.3f}"]
            table.add_row(name, hands, str(batch), *row)
            del solver
    console = Console(width=100)
    console.print(
        f"{describe_device(arguments)}; native on one core of {describe_machine()['cpu']}"
    )
    console.print("iterations/s, over all subgames of a batch")
    console.print(table)


def problems() -> list[tuple[str, Any, dict[str, Any]]]:
    """Name, game and options of each; a batch of Leduc has random ranges, so all suits are kept."""
    listed: list[tuple[str, Any, dict[str, Any]]] = [
        ("leduc", load_game("leduc"), {"merge_suits": False})
    ]
    for name, board in SPOTS.items():
        spot = make_spot(board, 200, 900, *RANGES, MENU)
        weights = tuple(each.weights.tolist() for each in spot.ranges)
        listed.append((name, spot.game, {"board": spot.board, "weights": weights}))
    return listed


def problem_of(game: Any, options: dict[str, Any], batch: int) -> dict[str, Any]:
    """The problem itself, or a batch of it with random weights of the same hands."""
    if batch == 1:
        return {"config": CFRConfig(**options)}
    weights = np.random.default_rng(1).random((batch, 2, game.num_hands))
    if "weights" in options:
        weights *= np.array(options["weights"]) > 0
    return {"config": CFRConfig(**options | {"weights": None}), "batch_weights": weights}


def synchronized(solver: TorchCFR) -> Callable[[int], object]:
    """Steps that end when the device has done them."""
    kind = solver.placement.device.type
    wait = {"cuda": torch.cuda.synchronize, "mps": torch.mps.synchronize, "cpu": lambda: None}[kind]

    def step(count: int) -> None:
        solver.step(count)
        wait()

    return step


def rate(step: Callable[[int], object], seconds: float, clock: Callable[[], float]) -> float:
    """Iterations per second after a warm-up: of CPU time on one core, else of wall time."""
    step(2)
    done, count = 0, 1
    start = clock()
    while (elapsed := clock() - start) < seconds:
        step(count)
        done += count
        count = min(2 * count, 1024)
    return done / elapsed


def describe_device(arguments: argparse.Namespace) -> str:
    name = arguments.device
    if name.startswith("cuda"):
        name = torch.cuda.get_device_name(torch.device(name))
    elif name == "cpu":
        name = f"cpu, {arguments.threads} thread(s)"
    return f"torch {torch.__version__} on {name}, {arguments.precision}"


if __name__ == "__main__":
    main()

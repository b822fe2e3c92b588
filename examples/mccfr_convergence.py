# SPDX-License-Identifier: MIT
"""Exploitability of MCCFR by game, sampling and number of iterations, three seeds each.

python examples/mccfr_convergence.py
python examples/mccfr_convergence.py --games leduc --samplings external --batches 1 10 100 1000
"""

import argparse
import itertools
import statistics

from regretless import load_game
from regretless.algorithms.mccfr import MCCFR, MCCFRConfig

GAMES = ["kuhn", "leduc", "liars-dice-1x4f", "liars-dice-1x6f"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--samplings", nargs="+", default=["external", "outcome"])
    parser.add_argument("--batches", type=int, nargs="+", default=[1])
    parser.add_argument("--iterations", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    columns = " | ".join(f"{count:,}" for count in arguments.iterations)
    print(f"| game | sampling | batch | {columns} |")
    print("|---" * (len(arguments.iterations) + 3) + "|")
    rows = itertools.product(arguments.games, arguments.samplings, arguments.batches)
    for name, sampling, batch in rows:
        config = MCCFRConfig(sampling, batch=batch)
        runs = [
            measure(name, config, seed, arguments.iterations) for seed in range(arguments.seeds)
        ]
        cells = [
            f"{statistics.mean(column):.4f} ± {statistics.stdev(column):.4f}"
            for column in zip(*runs, strict=True)
        ]
        print(f"| {name} | {sampling} | {batch} | {' | '.join(cells)} |", flush=True)


def measure(name: str, config: MCCFRConfig, seed: int, iterations: list[int]) -> list[float]:
    """The exploitability after each number of iterations."""
    algorithm = MCCFR(load_game(name), config, seed=seed)
    results = []
    for count in iterations:
        algorithm.step(count // config.iterations_per_step - algorithm.steps_done)
        results.append(algorithm.exploitability())
    return results


if __name__ == "__main__":
    main()

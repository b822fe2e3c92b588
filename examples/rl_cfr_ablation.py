# SPDX-License-Identifier: MIT
"""The effect of each component of RL-CFR on the exploitability, alone and together.

python examples/rl_cfr_ablation.py --game kuhn
"""

import argparse
import dataclasses
import statistics

from regretless import load_game
from regretless.algorithms.mccfr import MCCFR
from regretless.algorithms.rl_cfr import RLCFR, RLCFRConfig

DEFAULT = RLCFRConfig()
PLAIN = RLCFRConfig(final_epsilon=0.6, learning_rate=1, bootstrap="none", replay_capacity=0)

ROWS = {
    "sampled traversals alone": PLAIN,
    "no exploration": dataclasses.replace(PLAIN, epsilon=0, final_epsilon=0),
    "+ exploration that decays": dataclasses.replace(PLAIN, final_epsilon=DEFAULT.final_epsilon),
    "+ learning rate": dataclasses.replace(PLAIN, learning_rate=DEFAULT.learning_rate),
    "+ bootstrapped values": dataclasses.replace(PLAIN, bootstrap="baseline"),
    "+ bootstrapped values, uncorrected": dataclasses.replace(PLAIN, bootstrap="substitute"),
    "+ replay of the last 1,000": dataclasses.replace(PLAIN, replay_capacity=1_000),
    "+ replay of the last 100,000": dataclasses.replace(PLAIN, replay_capacity=100_000),
    "all but replay": dataclasses.replace(DEFAULT, replay_capacity=0),
    "all together": DEFAULT,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="kuhn")
    parser.add_argument("--iterations", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    game = load_game(arguments.game)
    print("| | " + " | ".join(f"{count:,}" for count in arguments.iterations) + " |")
    print("|---" * (len(arguments.iterations) + 1) + "|")
    algorithms = {"external sampling (MCCFR)": lambda seed: MCCFR(game, seed=seed)} | {
        name: lambda seed, config=config: RLCFR(game, config, seed=seed)
        for name, config in ROWS.items()
    }
    for name, make in algorithms.items():
        runs = [measure(make(seed), arguments.iterations) for seed in range(arguments.seeds)]
        cells = [
            f"{statistics.mean(column):.4f} ± {statistics.stdev(column):.4f}"
            for column in zip(*runs, strict=True)
        ]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def measure(algorithm: MCCFR | RLCFR, iterations: list[int]) -> list[float]:
    """The exploitability after each number of iterations."""
    results = []
    for count in iterations:
        algorithm.step(count // algorithm.config.iterations_per_step - algorithm.steps_done)
        results.append(algorithm.exploitability())
    return results


if __name__ == "__main__":
    main()

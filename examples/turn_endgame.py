# SPDX-License-Identifier: MIT
"""The value network in turn endgame hold'em, compared with other values of the leaves.

Trains a network for each seed by configs/turn_endgame_rebel.yaml, or takes runs that did, and
measures players who search with equal iterations and differ in the values of their leaves alone.
The exploitability is that of the whole player, the rivers that he solves anew included, by an exact
best response in the full tree of the board with all hands.

python examples/turn_endgame.py [RUN ...] [--iterations 64 256] [--playthroughs 0 16]
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regretless import Run, RunConfig, load_game, make_algorithm, read_config
from regretless.algorithms import set_up_process
from regretless.algorithms.rebel import ReBeL
from regretless.search.leaf_values import LeafValues, ZeroLeaves
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import SearchConfig, solved_leaves
from regretless.training.preparation import restored

CONFIG = Path(__file__).parent.parent / "configs" / "turn_endgame_rebel.yaml"

Leaves = Callable[[Any], LeafValues]


def trained(config: RunConfig, seed: int) -> ReBeL:
    """A network of this seed, with all steps of the config."""
    game = load_game(config.game.name, **config.game.options)
    set_up_process("rebel", **config.algorithm.options)
    algorithm = make_algorithm("rebel", game, seed=seed, **config.algorithm.options)
    assert isinstance(algorithm, ReBeL)
    begun = time.perf_counter()
    for _ in range(config.budget.steps or 1):
        metrics = algorithm.step()
    print(
        f"seed {seed}: {algorithm.steps_done} epochs, {metrics['buffer/added']:,.0f} examples, "
        f"loss {metrics['loss']:.5f}, {time.perf_counter() - begun:.0f} s",
        flush=True,
    )
    return algorithm


def opened(path: Path) -> ReBeL:
    algorithm, _ = restored(Run.existing(path))
    assert isinstance(algorithm, ReBeL)
    return algorithm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="*", help="of this config, instead of training")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--iterations", type=int, nargs="+", default=[64])
    parser.add_argument(
        "--playthroughs",
        type=int,
        nargs="+",
        default=[0],
        help="for each of the iterations; 0: every stop of the search (see SearchProfileTable)",
    )
    parser.add_argument("--exact", type=int, default=64, help="iterations of exact leaves; 0: none")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    config = read_config(CONFIG, [f"algorithm.threads={arguments.threads}"])
    networks = [opened(path) for path in arguments.runs]
    networks = networks or [trained(config, seed) for seed in range(arguments.seeds)]
    game, trained_with = networks[0].game, networks[0].config
    print("| iterations | stops | leaves | big blinds | % of the pot | gains by seat | seconds |")
    print("|---|---|---|---|---|---|---|")
    for iterations, playthroughs in zip(arguments.iterations, arguments.playthroughs, strict=True):
        search = SearchConfig(
            iterations=iterations,
            depth=trained_with.depth,
            cfr=trained_with.cfr,
            alternating=trained_with.play_alternating,
            board=trained_with.board,
        )
        sources: dict[str, Leaves] = {"zero": lambda _: ZeroLeaves()}
        sources |= {
            f"network {i}": lambda _, network=network: network.leaves()
            for i, network in enumerate(networks)
        }
        if arguments.exact:
            exact = SearchConfig(arguments.exact, board=search.board, threads=search.threads)
            sources["exact"] = solved_leaves(game, exact)
        for name, leaves in sources.items():
            begun = time.perf_counter()
            table = SearchProfileTable(
                game, search, leaves, playthroughs, threads=arguments.threads
            )
            gains, chips = table.gains(), table.exploitability()
            pot = networks[0].states.stakes()[0] / game.unit
            seats = ", ".join(f"{gain:.4f}" for gain in gains)
            print(
                f"| {iterations} | {playthroughs or 'all'} | {name} | {chips:.4f} "
                f"| {100 * chips / pot:.2f} | {seats} | {time.perf_counter() - begun:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

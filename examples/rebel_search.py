# SPDX-License-Identifier: MIT
"""Iterations of a search against exploitability, with trained and with exact leaves.

    regretless train configs/leduc_rebel.yaml
    python examples/rebel_search.py runs/leduc_rebel-001 --iterations 32 128 512

prints a table in Markdown, in chips, and with --plot FILE draws it (needs the extra `plot`). Exact
leaves are solved to the end of the game by CFR+, which only small games allow.
"""

import argparse
import time
from pathlib import Path
from typing import Any

from regretless import Run, load_game
from regretless.algorithms.rebel import ReBeL
from regretless.search.leaf_values import ZeroLeaves
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import SearchConfig, solved_leaves
from regretless.training.preparation import restored

EXACT_ITERATIONS = 400


def measure(game: Any, search: SearchConfig, leaves: Any, playthroughs: int) -> float:
    return SearchProfileTable(game, search, leaves, playthroughs).exploitability()


def sources(learner: ReBeL | None, search: SearchConfig, game: Any) -> dict[str, Any]:
    """Returns the sources of leaf values by name."""
    exact = SearchConfig(EXACT_ITERATIONS, "end", "cfr+", board=search.board)
    found: dict[str, Any] = {"zero": lambda _: ZeroLeaves(), "exact": solved_leaves(game, exact)}
    if learner is not None:
        found["trained"] = lambda _: learner.leaves()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "run", nargs="?", type=Path, help="a run of ReBeL; without one: Leduc, no network"
    )
    parser.add_argument("--iterations", type=int, nargs="+", default=[32, 128, 512])
    parser.add_argument("--cfr", nargs="+", default=["linear", "dcfr"])
    parser.add_argument("--leaves", nargs="+", default=["exact", "trained"])
    parser.add_argument("--playthroughs", type=int, default=0, help="0: every stop")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    learner = None
    if options.run:
        learner, record = restored(Run.existing(options.run))
        assert isinstance(learner, ReBeL)
        print(f"{options.run}: epoch {record.step}\n")
    game = learner.game if learner else load_game("leduc")
    depth = learner.config.depth if learner else "round"
    curves: dict[str, list[float]] = {}
    print("| search | " + " | ".join(f"{each:,}" for each in options.iterations) + " |")
    print("|---" * (1 + len(options.iterations)) + "|")
    for cfr in options.cfr:
        for name in options.leaves:
            row = curves.setdefault(f"{cfr}, {name} leaves", [])
            begun = time.perf_counter()
            for iterations in options.iterations:
                search = SearchConfig(iterations, depth, cfr)
                known = sources(learner, search, game)
                if name in known:
                    row.append(measure(game, search, known[name], options.playthroughs))
            if row:
                figures = " | ".join(f"{each:.4f}" for each in row)
                seconds = time.perf_counter() - begun
                print(f"| {cfr}, {name} leaves | {figures} | <!-- {seconds:.0f} s -->", flush=True)
    if options.plot:
        draw(options.plot, options.iterations, curves)


def draw(path: Path, iterations: list[int], curves: dict[str, list[float]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    colors = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555", "#e69f00")
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2))
    for (name, row), color in zip(curves.items(), colors, strict=False):
        if row:
            axes.loglog(iterations[: len(row)], row, "o-", label=name, color=color)
    axes.set_xlabel("iterations of the search, each updating both players")
    axes.set_ylabel("exploitability, chips")
    axes.set_xticks(iterations, [str(each) for each in iterations])
    axes.grid(alpha=0.3, which="both")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()

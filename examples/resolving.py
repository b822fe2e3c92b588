# SPDX-License-Identifier: MIT
"""Continual re-solving on small games: exact exploitability against iterations of the search.

    python examples/resolving.py                       # Leduc, searches of one betting round
    python examples/resolving.py --game liars-dice-1x4f --depth 2 --iterations 100 400
    regretless train leduc_rebel
    python examples/resolving.py --run runs/leduc_rebel-001 --cfr cfr+ dcfr

prints a table in Markdown, in units of the game, with and without the re-solving gadget. Leaves are
exact (solved to the end of the game by CFR+) or, with --run, those of a value network of ReBeL;
with `--depth end` a search has no leaves.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regretless import Run, load_game
from regretless.algorithms.rebel import ReBeL
from regretless.policies.asking import policy_table
from regretless.policies.strategy_table import TableEvaluator
from regretless.search.resolving import Gadget, ResolvingPolicy
from regretless.search.subgames import SearchConfig, solved_leaves
from regretless.training.preparation import restored

EXACT = SearchConfig(200, "end", "cfr+")
GADGETS = {
    "none": None,
    "uniform weights": Gadget(estimate=0, least_follow=0),
    "estimated range": Gadget(least_follow=0),
    "estimated range, every hand plays": Gadget(),
}


def exploitability(policy: ResolvingPolicy) -> float:
    table = policy_table(policy.game, policy)
    return TableEvaluator(policy.game).evaluate(table).exploitability


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--run", type=Path, help="a run of ReBeL, whose value network answers")
    parser.add_argument("--depth", default="round", help="decisions, round or end")
    parser.add_argument("--iterations", type=int, nargs="+", default=[100, 400, 1600])
    parser.add_argument("--cfr", nargs="+", default=["cfr+", "dcfr"])
    parser.add_argument("--gadgets", nargs="+", choices=list(GADGETS), default=list(GADGETS))
    options = parser.parse_args()
    depth = int(options.depth) if options.depth.isdigit() else options.depth
    game = load_game(options.game)
    leaves: Callable[[Any], Any] | None = None if depth == "end" else solved_leaves(game, EXACT)
    if options.run:
        learner, _ = restored(Run.existing(options.run))
        assert isinstance(learner, ReBeL)
        game, leaves = learner.game, lambda _: learner.leaves()
    print("| search | gadget | " + " | ".join(f"{each:,}" for each in options.iterations) + " |")
    print("|---" * (2 + len(options.iterations)) + "|")
    for cfr in options.cfr:
        for name in options.gadgets:
            print(f"| {cfr} | {name} |", end="", flush=True)
            for iterations in options.iterations:
                search = SearchConfig(iterations, depth, cfr)
                policy = ResolvingPolicy(game, search, leaves, gadget=GADGETS[name])
                print(f" {exploitability(policy):.4f} |", end="", flush=True)
            print()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""`make leaderboard`: every algorithm on the small games, the same time each, measured exactly.

python examples/leaderboard.py --seconds 10 --output docs/leaderboard.md
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regretless.algorithms import ALGORITHMS, make_solver, set_up_process
from regretless.benchmarks.machine import describe_machine
from regretless.config import read_config
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.units import unit_name
from regretless.solving import Budget, run

INTRODUCTION = """\
Every algorithm with its default recipe and the same time on each game, best first. Exploitability
is exact: NashConv over the number of players, the mean gain of a best response over the whole game.
The seconds include measuring. What an iteration is, the page of the algorithm says (of Q-learning a
step of 2,000 episodes); what counts as a node touched, [training.md](training.md) says. The CFR
family solves these games; the sampling algorithms are made for larger ones; Q-learning in self-play
has no promise to keep. ReBeL has the recipe of `configs/`, and its figure is that of the player who
searches, with 64 playthroughs; it takes minutes to learn."""

CONFIGS = Path(__file__).parent.parent / "configs"
GAMES = ("kuhn", "leduc", "liars-dice-1x4f", "liars-dice-1x6f")


@dataclass(frozen=True)
class Entry:
    """What one algorithm reached on one game."""

    algorithm: str
    iterations: int
    nodes: int | None
    seconds: float
    exploitability: float
    infosets: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each algorithm and game")
    parser.add_argument("--output", type=Path, default=Path("docs/leaderboard.md"))
    parser.add_argument("--games", nargs="+", default=GAMES)
    arguments = parser.parse_args()
    begun, cpu_begun = time.perf_counter(), time.process_time()
    sections = [_section(load_game(name), arguments.seconds) for name in arguments.games]
    share = (time.process_time() - cpu_begun) / (time.perf_counter() - begun)
    arguments.output.write_text(_page(sections, arguments.seconds, share), encoding="utf-8")
    print(arguments.output)


def _section(game: Game, seconds: float) -> str:
    entries, absent = [], []
    for algorithm in ALGORITHMS:
        print(f"{game.name}: {algorithm}", file=sys.stderr, flush=True)
        try:
            entries.append(_entry(algorithm, game, seconds))
        except InputError as error:
            absent.append(f"{algorithm} does not apply: {error}")
    entries.sort(key=lambda entry: entry.exploitability)
    lines = [
        f"## {game.name}",
        "",
        f"Exploitability in {unit_name(game)}.",
        "",
        "| algorithm | iterations | nodes touched | seconds | exact exploitability | infosets |",
        "|---|---:|---:|---:|---:|---:|",
        *(_row(entry) for entry in entries),
        *([""] if absent else []),
        *absent,
    ]
    return "\n".join(lines)


def _entry(algorithm: str, game: Game, seconds: float) -> Entry:
    """Building the solver, or the tree it needs, is not counted."""
    recipe = _recipe(algorithm, game)
    set_up_process(algorithm, **recipe)
    solver = make_solver(algorithm, game, **recipe)
    progress = run(solver, Budget(seconds=seconds))
    return Entry(
        algorithm,
        progress.iterations,
        progress.nodes,
        progress.seconds,
        progress.exploitability,
        solver.num_infosets(),
    )


def _recipe(algorithm: str, game: Game) -> dict[str, Any]:
    """What an algorithm that learns is told about a game; a quick measure is enough here."""
    if not ALGORITHMS[algorithm].needs_torch:
        return {}
    path = CONFIGS / f"{game.name.replace('-', '_')}_{algorithm}.yaml"
    if not path.exists():
        raise InputError("there is no recipe")
    return {**read_config(path).algorithm.options, "playthroughs": 64, "threads": 1}


def _row(entry: Entry) -> str:
    nodes = "" if entry.nodes is None else f"{entry.nodes:.3g}"
    return (
        f"| {entry.algorithm} | {entry.iterations:,} | {nodes} | {entry.seconds:.2f} | "
        f"{entry.exploitability:.3g} | {entry.infosets:,} |"
    )


def _page(sections: list[str], seconds: float, share: float) -> str:
    machine = describe_machine()
    origin = (
        f"Made by `make leaderboard SECONDS={seconds:g}` on {machine['cpu']}, one thread, "
        f"{machine['system']}, Python {machine['python']}; the process had {share:.0%} of a core."
    )
    return "\n\n".join(["# Leaderboard", INTRODUCTION, origin, *sections]) + "\n"


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""`make leaderboard`: every algorithm on the small games, at equal time and at equal nodes touched.

python -m benchmarks.scripts.leaderboard --seconds 10 --nodes 1000000 --output docs/leaderboard.md

With `--cluster local` or another Ray cluster its workers run the algorithms, one game and one seed
each at a time.
"""

import argparse
import math
import shlex
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.machine import describe_machine
from regretless.algorithm import Algorithm, ExactMeasures
from regretless.algorithms import ALGORITHMS, make_algorithm, set_up_process
from regretless.cluster.connection import connected
from regretless.errors import InputError
from regretless.evaluation.measures import exact_values
from regretless.games import Game, load_game
from regretless.games.face import unit_name
from regretless.recipes.config import ClusterConfig, read_config
from regretless.storage.files import write_file

INTRODUCTION = """\
Every algorithm with its default recipe, best first: at equal time, and at equal nodes touched,
which do not depend on the machine. There it is stopped at the first step that has touched so many;
one step of ReBeL touches more. Exploitability is exact: NashConv over the number of players, the
mean gain of a best response over the whole game. The seconds are those of the steps; building and
measuring come on top. What an iteration is, the page of the algorithm says (of Q-learning a step of
2,000 episodes); what counts as a node touched, [training.md](training.md) says. The CFR family
solves these games; the sampling algorithms are made for larger ones; Q-learning in self-play has no
promise to keep. ReBeL, Deep CFR, Single Deep CFR and NFSP have the recipes of `configs/`, which are
made for minutes and hours. ReBeL's figure is that of the player who searches, with 64 playthroughs.
Deep CFR's is that of its strategy networks; here they are fitted after every iteration, with 100
minibatches each time, so that there is a figure however soon it is stopped."""

MODULE = "benchmarks.scripts.leaderboard"  # where workers find it
CONFIGS = Path(__file__).parents[2] / "configs"
SOLVERS = [name for name, row in ALGORITHMS.items() if row.games != "holdem"]
GAMES = ("kuhn", "leduc", "liars-dice-1x4f", "liars-dice-1x6f")
CHANGES: dict[str, dict[str, Any]] = {  # of recipes that are made for longer runs
    "rebel": {"playthroughs": 64},
    "deep-cfr": {"strategy_every": 1, "strategy_steps": 100},
}
CHUNK_SECONDS = 0.1
MOST_CHUNK = 1 << 20  # of an algorithm that has nothing more to do


@dataclass(frozen=True)
class Limit:
    """The end of the steps: the first of these limits to be reached."""

    seconds: float
    nodes: float = math.inf


@dataclass(frozen=True)
class Entry:
    """The result of one algorithm on one game."""

    algorithm: str
    iterations: int
    nodes: int
    seconds: float
    exploitability: float
    infosets: int | None
    """That the strategy covers; None: networks answer everywhere."""
    range: tuple[float, float] | None = None
    """The least and the largest exploitability of several seeds; the other figures are means."""


@dataclass(frozen=True)
class Job:
    """One algorithm on one game with one seed, until a limit."""

    algorithm: str
    game: str
    limit: Limit
    seed: int

    @property
    def name(self) -> str:
        what = "seconds" if self.limit.nodes == math.inf else "nodes"
        return f"{self.game}: {self.algorithm}, {what}, seed {self.seed}"

    def arguments(self) -> dict[str, Any]:
        nodes = None if self.limit.nodes == math.inf else self.limit.nodes
        limit = {"seconds": self.limit.seconds, "nodes": nodes}
        return {"algorithm": self.algorithm, "game": self.game, "seed": self.seed, **limit}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="of the tables at equal time")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of those at equal nodes ...")
    parser.add_argument("--longest", type=float, default=60.0, help="... for at most these seconds")
    parser.add_argument("--output", type=Path, default=Path("docs/leaderboard.md"))
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--algorithms", nargs="+", default=SOLVERS, choices=SOLVERS)
    parser.add_argument("--seeds", type=int, default=1, help="seeds of each algorithm")
    parser.add_argument("--cluster", help="a Ray cluster: local, auto or HOST:PORT")
    parser.add_argument("--workers", type=int, help="workers of the cluster")
    arguments = parser.parse_args()
    for key in ("seconds", "nodes", "longest", "seeds"):
        if not vars(arguments)[key] > 0:
            parser.error(f"--{key}: must be positive, not {vars(arguments)[key]}")
    if not arguments.output.absolute().parent.is_dir():
        parser.error(f"--output: there is no folder {str(arguments.output.parent)!r}")
    try:
        games = [load_game(name) for name in arguments.games]
    except InputError as error:
        parser.error(str(error))
    by_time, by_nodes = Limit(arguments.seconds), Limit(arguments.longest, arguments.nodes)
    begun, cpu_begun = time.perf_counter(), time.process_time()
    jobs = [
        Job(algorithm, game, limit, seed)
        for game in arguments.games
        for algorithm in arguments.algorithms
        for limit in (by_time, by_nodes)
        for seed in range(arguments.seeds)
    ]
    try:
        results = _results(jobs, arguments.cluster, arguments.workers)
    except InputError as error:
        parser.error(str(error))
    sections = [
        _section(game, {job: found for job, found in results.items() if job.game == name}, by_nodes)
        for name, game in zip(arguments.games, games, strict=True)
    ]
    share = (time.process_time() - cpu_begun) / (time.perf_counter() - begun)
    where = f"the process had {share:.0%} of a core"
    if arguments.cluster is not None:
        where = f"on the workers of a cluster ({arguments.cluster})"
    write_file(arguments.output, _page(sections, where))
    print(arguments.output)


def _results(jobs: list[Job], cluster: str | None, workers: int | None) -> dict[Job, Any]:
    """The entries of jobs; where an algorithm does not apply, why not."""
    by_name = {job.name: job for job in jobs}
    if cluster is None:
        return {job: _or_why_not(job) for job in jobs}
    config = ClusterConfig(name=cluster, workers=workers)
    tasks, found = {job.name: job.arguments() for job in jobs}, {}
    with connected(config, 1, lambda note: print(note, file=sys.stderr)) as workers_there:
        for name, result in workers_there.run_tasks(f"{MODULE}:run_entry", tasks):
            print(name, file=sys.stderr, flush=True)
            found[name] = result.error if result.error is not None else Entry(**result.value)
    return {job: found[name] for name, job in by_name.items()}


def _or_why_not(job: Job) -> Entry | str:
    print(job.name, file=sys.stderr, flush=True)
    try:
        return Entry(**run_entry(**job.arguments()))
    except InputError as error:
        return str(error)


def _section(game: Game, results: dict[Job, Any], by_nodes: Limit) -> str:
    groups: dict[tuple[str, Limit], list[Any]] = {}
    for job, found in results.items():
        groups.setdefault((job.algorithm, job.limit), []).append(found)
    absent = {
        algorithm: f"{algorithm} does not apply: {found[0]}"
        for (algorithm, _), found in groups.items()
        if isinstance(found[0], str)
    }
    whole = {key: _mean(found) for key, found in groups.items() if key[0] not in absent}
    timed = [entry for (_, limit), entry in whole.items() if limit != by_nodes]
    counted = [entry for (_, limit), entry in whole.items() if limit == by_nodes]
    (by_time,) = {limit for _, limit in groups} - {by_nodes}
    short = [entry for entry in counted if entry.nodes < by_nodes.nodes]
    blocks = [
        f"## {game.name}\n\nExploitability in {unit_name(game)}.",
        f"### {by_time.seconds:g} seconds\n\n{_table(timed)}",
        f"### {by_nodes.nodes:,} nodes touched",
        _table([entry for entry in counted if entry not in short]),
    ]
    if short:
        blocks.append(f"Not so many in {by_nodes.seconds:g} seconds:\n\n{_table(short)}")
    return "\n\n".join([*blocks, *absent.values()])


def _mean(entries: list[Entry]) -> Entry:
    if len(entries) == 1:
        return entries[0]
    values = [each.exploitability for each in entries]
    return replace(
        entries[0],
        iterations=round(fmean(each.iterations for each in entries)),
        nodes=round(fmean(each.nodes for each in entries)),
        seconds=fmean(each.seconds for each in entries),
        exploitability=fmean(values),
        range=(min(values), max(values)),
    )


def run_entry(
    algorithm: str, game: str, seed: int, seconds: float, nodes: float | None
) -> dict[str, Any]:
    """The entry of one job as plain data: a task of a cluster."""
    limit = Limit(seconds, math.inf if nodes is None else nodes)
    return asdict(_entry(algorithm, load_game(game), limit, seed))


def _entry(name: str, game: Game, limit: Limit, seed: int = 0) -> Entry:
    """Building the algorithm, or the tree it needs, is not counted."""
    recipe = _recipe(name, game)
    set_up_process(name, **recipe)
    algorithm = make_algorithm(name, game, seed=seed, **recipe)
    begun, chunk = time.perf_counter(), 1
    nodes, seconds = 0, 0.0
    while nodes < limit.nodes and seconds < limit.seconds:
        metrics = algorithm.step(chunk)
        before, seconds = seconds, time.perf_counter() - begun
        nodes = int(metrics["nodes"])
        if limit.nodes == math.inf:  # else one by one, so that it ends with the first to reach them
            faster = min(2, CHUNK_SECONDS / max(seconds - before, 1e-9))
            chunk = min(max(1, int(chunk * faster)), MOST_CHUNK)
    iterations = int(metrics.get("iterations", algorithm.steps_done))
    return Entry(name, iterations, nodes, seconds, *_measured(algorithm, game))


def _measured(algorithm: Algorithm, game: Game) -> tuple[float, int | None]:
    """The exploitability, and the infosets that are covered."""
    if isinstance(algorithm, ExactMeasures):
        return algorithm.exploitability(), algorithm.num_infosets()
    return exact_values(game, algorithm.policy()).exploitability, None


def _recipe(algorithm: str, game: Game) -> dict[str, Any]:
    """Returns the options of a learner for a game."""
    if not ALGORITHMS[algorithm].needs_torch:
        return {}
    path = CONFIGS / f"{game.name}_{algorithm}.yaml".replace("-", "_")
    if not path.exists():
        raise InputError("there is no recipe")
    return {**read_config(path).algorithm.options, **CHANGES.get(algorithm, {}), "threads": 1}


def _table(entries: list[Entry]) -> str:
    columns = "iterations", "nodes touched", "seconds", "exact exploitability", "infosets"
    heading = f"| algorithm | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}"
    rows = [_row(each) for each in sorted(entries, key=lambda each: each.exploitability)]
    return "\n".join([heading, *rows])


def _row(entry: Entry) -> str:
    infosets = "" if entry.infosets is None else f"{entry.infosets:,}"
    spread = "" if entry.range is None else f" ({entry.range[0]:.3g} to {entry.range[1]:.3g})"
    return (
        f"| {entry.algorithm} | {entry.iterations:,} | {entry.nodes:,} | {entry.seconds:.2f} | "
        f"{entry.exploitability:.3g}{spread} | {infosets} |"
    )


def _page(sections: list[str], where: str) -> str:
    machine = describe_machine()
    origin = (
        f"Made by `{shlex.join(['python', *sys.argv])}` on {machine['cpu']}, one thread, "
        f"{machine['system']}, Python {machine['python']}; {where}."
    )
    return "\n\n".join(["# Leaderboard", INTRODUCTION, origin, *sections]) + "\n"


if __name__ == "__main__":
    main()

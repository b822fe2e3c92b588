# SPDX-License-Identifier: MIT
"""`regretless solve`: run a tabular algorithm on a game or on a hold'em spot."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from regretless.algorithm import Algorithm
from regretless.algorithms import make_algorithm
from regretless.cfr_problem import CFRConfig
from regretless.cli.kuhn_table import kuhn_table
from regretless.cli.output import JsonFlag, console, print_json
from regretless.cli.spot import OnPublicTree, SpotOptions, read_spot, spot_result
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.spots import Spot
from regretless.games.units import unit_name
from regretless.solving import Budget, Progress, run
from regretless.storage.bundle import require_replaceable
from regretless.storage.bundle_manifest import AlgorithmFacts
from regretless.storage.room import free_memory
from regretless.storage.solution import write_solution
from regretless.strategy_table import check_table

_MOST_ROWS = 40  # a larger strategy is not printed


def solve(
    game: Annotated[str, typer.Argument(help="A game (see `regretless games`).")],
    algorithm: Annotated[
        str | None,
        typer.Option(help="See `docs/algorithms`.", show_default="dcfr for a spot, else cfr+"),
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after so many.")] = None,
    target: Annotated[
        float | None,
        typer.Option(help="Stop at this exploitability, in units (of a spot: % of the pot)."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long.")] = None,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
    precision: Annotated[
        int | None,
        typer.Option(
            help="Of a spot: 32 bits for each number, or 16, which take half the memory.",
            show_default="32, or 16 where 32 do not fit into memory",
        ),
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cuda, mps or cpu: solve with PyTorch on that device.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    seed: Annotated[int, typer.Option(help="For algorithms that sample.")] = 0,
    board: Annotated[str, typer.Option(help="Of a hold'em spot: 3, 4 or 5 cards.")] = "",
    pot: Annotated[int, typer.Option(help="Chips in the middle.")] = 0,
    stack: Annotated[int, typer.Option(help="Chips behind, each.")] = 0,
    range_oop: Annotated[str, typer.Option(help="Range of the first to speak.")] = "random",
    range_ip: Annotated[str, typer.Option(help="Range of the other.")] = "random",
    bets: Annotated[str, typer.Option(help="Sizes of bets, such as 33%,75%,a.")] = "50%,100%,a",
    raises: Annotated[str, typer.Option(help="Sizes of raises, such as 2.5x,a.")] = "2.5x,a",
    add_all_in: Annotated[
        float, typer.Option(help="Offer all-in where it is at most so many pots.")
    ] = 0.0,
    force_all_in: Annotated[
        float, typer.Option(help="All-in instead of what leaves at most so many pots behind.")
    ] = 0.0,
    merge: Annotated[
        float, typer.Option(help="Drop the smaller of sizes closer than this share of the pot.")
    ] = 0.0,
    menu: Annotated[
        Path | None, typer.Option(help="Sizes by street and seat, a YAML file (see notation.md).")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option(help="Write the strategy there, to evaluate, play or ship.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Solve a game, or with --board a hold'em spot, and measure how far the solution is off."""
    sizes = (bets, raises, add_all_in, force_all_in, merge, menu)
    spot = read_spot(game, SpotOptions(board, pot, stack, range_oop, range_ip, *sizes))
    if bundle is not None:
        require_replaceable(bundle)
    if iterations is None and target is None and seconds is None:
        target = 0.5 if spot else 1e-3
    algorithm = algorithm or ("dcfr" if spot else "cfr+")  # dcfr is the quickest to 0.5 % of a pot
    scale = spot.pot / 100 if spot else 1.0  # of what the user calls exploitability, in units
    loaded = _game(game, players, spot)
    if precision is not None and (device is not None or spot is None):
        raise InputError("--precision belongs to a spot that is solved without --device")
    options = {"threads": threads, "seed": seed, "device": device, "precision": precision}
    solver = _solver(algorithm, loaded, spot, options)
    if bundle is not None and isinstance(solver, OnPublicTree):
        check_table(solver.problem, loaded, free_memory() or CFRConfig.max_bytes)
    budget = Budget(iterations, target * scale if target is not None else None, seconds)
    if isinstance(solver, OnPublicTree) and spot and not json:
        console.print(_size_line(solver))
    unit = "% of the pot" if spot else f"{unit_name(loaded)} per game"
    progress = _run(solver, budget, scale, unit, quiet=json)
    is_measured = not math.isnan(progress.exploitability)
    exploitability = progress.exploitability / scale if is_measured else None
    result = {
        "game": game,
        "algorithm": algorithm,
        "iterations": progress.iteration,
        "seconds": progress.seconds,
        "exploitability": exploitability,
        "exploitability_unit": unit,
        "infosets": solver.num_infosets(),
    }
    if spot and isinstance(solver, OnPublicTree):
        result |= spot_result(spot, solver)
    else:
        result |= _game_result(solver, exploitability)
    if bundle is not None:
        facts = AlgorithmFacts(
            name=algorithm, iterations=progress.iteration, seconds=progress.seconds, seed=seed
        )
        written = write_solution(bundle, solver, facts, progress.exploitability)
        result["bundle"] = str(written.path)
    if json:
        print_json(result)
        return
    _show(game, result, solver, spot)


def _game(name: str, players: int | None, spot: Spot | None) -> Game:
    if spot is None:
        return load_game(name, **({} if players is None else {"players": players}))
    if players not in (None, 2):
        raise InputError(f"--players: a spot is of two, not {players}")
    return spot.game


def _solver(name: str, game: Game, spot: Spot | None, options: dict[str, Any]) -> Algorithm:
    options = {key: value for key, value in options.items() if value is not None}
    if spot is not None:
        options["max_bytes"] = free_memory() or CFRConfig.max_bytes
    return make_algorithm(name, game, **options)


def _run(solver: Algorithm, budget: Budget, scale: float, unit: str, quiet: bool) -> Progress:
    if quiet:
        return run(solver, budget)
    with Live(console=Console(stderr=True), transient=True, refresh_per_second=8) as live:
        return run(solver, budget, lambda p: live.update(_progress_line(p, scale, unit)))


def _progress_line(progress: Progress, scale: float, unit: str) -> Text:
    return Text(
        f"iteration {progress.iteration:,}   exploitability "
        f"{progress.exploitability / scale:.3g} {unit}   {progress.rate:,.0f} iterations/s"
    )


def _size_line(solver: OnPublicTree) -> str:
    size = solver.problem.size
    return (
        f"{size.decisions:,} decision nodes, {size.entries:,} entries, "
        f"{solver.memory_bytes / 2**20:.1f} MiB in {solver.bits} bits"
    )


def _game_result(solver: Algorithm, exploitability: float | None) -> dict[str, Any]:
    values = solver.values() if exploitability is not None else None
    return {
        "exploitability_mbb": None if exploitability is None else 1000 * exploitability,
        "value": values[0] if values else None,
        "values": values,
    }


def _show(game: str, result: dict[str, Any], solver: Algorithm, spot: Spot | None) -> None:
    if spot is None and result["values"] and solver.num_infosets() <= _MOST_ROWS:
        strategy = solver.strategy()
        console.print(kuhn_table(strategy) if _is_kuhn(game, strategy) else _table(strategy))
    for key, value in result.items():
        console.print(f"[bold]{key}[/bold]  {_text(value)}", highlight=False)


def _is_kuhn(game: str, strategy: dict[str, Any]) -> bool:
    return (
        game == "kuhn" and len(strategy) == 12 and all(len(row) == 3 for row in strategy.values())
    )


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "  ".join(_text(each) for each in value)
    if isinstance(value, dict):
        return "  ".join(f"{key} {_text(each)}" for key, each in value.items())
    return f"{value:,}" if isinstance(value, int) else str(value)


def _table(strategy: dict[str, Any]) -> Table:
    table = Table("infoset", "probabilities", box=None)
    for name in sorted(strategy):
        table.add_row(name, "  ".join(f"{p:.3f}" for p in strategy[name]))
    return table

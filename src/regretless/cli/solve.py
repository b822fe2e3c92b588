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

from regretless import _native
from regretless.algorithm import Algorithm
from regretless.algorithms import make_algorithm
from regretless.algorithms.cfr import CFR
from regretless.cli.bundle_writing import write_solution
from regretless.cli.kuhn_table import kuhn_table
from regretless.cli.output import JsonFlag, console, print_json
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.cards import format_cards
from regretless.games.equity import equity
from regretless.games.spots import Spot, make_spot
from regretless.games.text_file import read_yaml
from regretless.solving import Budget, Progress, run
from regretless.storage.bundle import require_replaceable

_MOST_ROWS = 40  # a larger strategy is not printed


def solve(
    game: Annotated[str, typer.Argument(help="A game (see `regretless games`).")],
    algorithm: Annotated[str, typer.Option(help="See `docs/algorithms`.")] = "cfr+",
    iterations: Annotated[int | None, typer.Option(help="Stop after so many.")] = None,
    target: Annotated[
        float | None,
        typer.Option(help="Stop at this exploitability, in units (of a spot: % of the pot)."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long.")] = None,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    seed: Annotated[int, typer.Option(help="For algorithms that sample.")] = 0,
    board: Annotated[str, typer.Option(help="Of a hold'em spot: 3, 4 or 5 cards.")] = "",
    pot: Annotated[int, typer.Option(help="Chips in the middle.")] = 0,
    stack: Annotated[int, typer.Option(help="Chips behind, each.")] = 0,
    range_oop: Annotated[str, typer.Option(help="Range of the first to speak.")] = "random",
    range_ip: Annotated[str, typer.Option(help="Range of the other.")] = "random",
    bets: Annotated[str, typer.Option(help="Sizes of bets, such as 33%,75%,a.")] = "50%,100%,a",
    raises: Annotated[str, typer.Option(help="Sizes of raises, such as 2.5x,a.")] = "2.5x,a",
    menu: Annotated[
        Path | None, typer.Option(help="Sizes by street and seat, a YAML file (see notation.md).")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option(help="Write the strategy there, to evaluate, play or ship.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Solve a game, or with --board a hold'em spot, and measure how far the solution is off."""
    spot = _spot(game, board, pot, stack, range_oop, range_ip, bets, raises, menu)
    if spot and bundle:
        raise InputError("--bundle: the strategy of a spot cannot be written as a bundle yet")
    if bundle is not None:
        require_replaceable(bundle)
    if iterations is None and target is None and seconds is None:
        target = 0.5 if spot else 1e-3
    scale = spot.pot / 100 if spot else 1.0  # of what the user calls exploitability, in units
    solver = _solver(algorithm, game, players, spot, threads, seed)
    if isinstance(solver, CFR) and spot and not json:
        console.print(_size_line(solver))
    budget = Budget(iterations, target * scale if target is not None else None, seconds)
    progress = _run(solver, budget, scale, "% of the pot" if spot else "", quiet=json)
    result = _result(game, algorithm, solver, progress, scale)
    if isinstance(solver, CFR) and spot:
        result |= _spot_result(spot, solver)
    if bundle is not None:
        result["bundle"] = str(write_solution(bundle, solver, algorithm, progress, seed).path)
    if json:
        print_json(result)
        return
    _show(game, result, solver, spot)


def _spot(
    game: str,
    board: str,
    pot: int,
    stack: int,
    range_oop: str,
    range_ip: str,
    bets: str,
    raises: str,
    menu: Path | None,
) -> Spot | None:
    if not board:
        if pot or stack or menu:
            raise InputError("--pot, --stack and --menu belong to a spot: give --board too")
        return None
    if game != "nlhe":
        raise InputError(f"--board: a spot is of nlhe, not of {game!r}")
    sizes: Any = {"all": {"open": bets, "raise": raises}}
    if menu is not None:
        sizes = read_yaml(menu)
    return make_spot(board, pot, stack, range_oop, range_ip, sizes)


def _solver(
    name: str, game: str, players: int | None, spot: Spot | None, threads: int, seed: int
) -> Algorithm:
    if spot is None:
        loaded = load_game(game, **({} if players is None else {"players": players}))
        return make_algorithm(name, loaded, threads=threads, seed=seed)
    weights = tuple(each.weights.tolist() for each in spot.ranges)
    return make_algorithm(
        name, spot.game, threads=threads, seed=seed, board=spot.board, weights=weights
    )


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


def _size_line(solver: CFR) -> str:
    size = solver.solver.size
    return (
        f"{size.decisions:,} decision nodes, {size.entries:,} entries, {size.bytes / 2**20:.1f} MiB"
    )


def _result(
    game: str, algorithm: str, solver: Algorithm, progress: Progress, scale: float
) -> dict[str, Any]:
    is_measured = not math.isnan(progress.exploitability)
    values = solver.values() if is_measured else None
    return {
        "game": game,
        "algorithm": algorithm,
        "iterations": progress.iteration,
        "seconds": progress.seconds,
        "exploitability": progress.exploitability / scale if is_measured else None,
        "value": values[0] if values else None,
        "values": values,
        "infosets": solver.num_infosets(),
    }


def _spot_result(spot: Spot, solver: CFR) -> dict[str, Any]:
    native = solver.solver
    oop, ip = (value + spot.pot / 2 for value in solver.values())
    shares = equity(spot.ranges, format_cards(spot.board, spot.game.rules.deck)).equities
    mix, reach = native.strategy(0), native.hand_weights(0)
    weights = spot.ranges[0].weights[native.hands(0)] * reach
    root = _native.PokerEpisode(spot.game, hole=[], board=list(spot.board))
    names = [root.slot_text(slot) for slot in native.events[1 : 1 + len(mix)].tolist()]
    return {
        "exploitability_unit": "% of the pot",
        "ev_oop": oop,
        "ev_ip": ip,
        "equity_oop": shares[0],
        "root_mix": dict(zip(names, (mix @ weights / weights.sum()).tolist(), strict=True)),
        "memory_bytes": native.size.bytes,
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

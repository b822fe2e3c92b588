# SPDX-License-Identifier: MIT
"""`regretless solve`: run a tabular algorithm on a game or on a hold'em spot."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table

from regretless.bundles.bundle import require_replaceable
from regretless.cli.field_options import takes
from regretless.cli.output import (
    ForceFlag,
    JsonFlag,
    console,
    print_facts,
    print_json,
    print_line,
    require_new,
    rows_table,
    value_text,
)
from regretless.cli.progress import Telling
from regretless.cli.session import Stop
from regretless.errors import InputError
from regretless.explorer.locks import read_lock_options
from regretless.games.spots import Spot
from regretless.solvers.backend import backend_name
from regretless.solvers.stopping import Budget
from regretless.solving.solution import Problem, Solution
from regretless.solving.spot_options import SpotOptions

_MOST_ROWS = 40  # a larger strategy is not printed
_TOLERANCE = 0.02  # of a probability beside the theory


@dataclass(frozen=True)
class _Limits:
    """Limits of a run, of which the first to be reached ends it."""

    iterations: int | None = None
    """Most iterations; default, without another limit: the usual number."""
    target: float | None = None
    """Stop at this exploitability, in units (spots: % of the pot); default, without another limit:
    0.001, spots 0.5."""
    seconds: float | None = None
    """Stop after this time, without building and measuring."""


@dataclass(frozen=True)
class _Options:
    """Options of the algorithm."""

    algorithm: str | None = None
    """Algorithm (see docs/algorithms); default: dcfr for a spot, else cfr+."""
    threads: int | None = None
    """Number of threads; default: 1, for a spot whose iterations take long all processors."""
    precision: int | None = None
    """Bits of a number for spots: 32, or 16 for half the memory; default: 16 beyond 2 GiB or if
    memory is short."""
    device: str | None = None
    """cuda, mps or cpu: solve on that device; auto: on CUDA if it is there."""
    players: int | None = None
    """Number of players."""
    seed: int = 0
    """Seed of sampling algorithms."""


Locks = Annotated[
    list[str] | None,
    typer.Option(
        "--lock", help="Fix a strategy at a node: 'x b50% = f 0.6, c 0.4', or a YAML file."
    ),
]
BundlePath = Annotated[Path | None, typer.Option(help="Write the strategy to this directory.")]


@takes(_Limits)
@takes(_Options)
@takes(SpotOptions)
def solve(
    game: Annotated[str, typer.Argument(help="A game (see `regretless games`).")],
    *,
    limits: _Limits,
    options: _Options,
    spot: SpotOptions,
    lock: Locks = None,
    bundle: BundlePath = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Solve a game, or with --board a hold'em spot, and measure its exploitability."""
    found = spot.spot(game)
    _check(found, options, bundle)
    if bundle is not None and not force:
        require_new(bundle, "a bundle")
    if limits != _Limits():
        Budget(**vars(limits))  # what makes no sense is refused first
    given = {key: value for key, value in vars(options).items() if value is not None}
    locks = read_lock_options(lock or [])
    say = (lambda _: None) if json else print_line
    stop = Stop()
    try:
        with Telling(for_programs=json) as telling:
            given |= {"tell": say, "watch": telling.watch()}
            problem = Problem.make(found or game, locks=locks, **given)
            budget = problem.budget(**vars(limits))
            if bundle is not None and (why := problem.no_bundle()) is not None:
                raise InputError(f"--bundle: {why}")
        say(problem.budget_text(budget))
        with stop.listening():
            solution = _solve(problem, budget, stop, json)
            result = solution.to_json(game)
            if locks and stop.signal is None:
                free = _solve(Problem.make(found or game, **given), budget, stop, json)
                result["lock_cost"] = solution.lock_cost(free.evs, locks)
            if bundle is not None:
                with Telling("writing the bundle", for_programs=json):
                    result["bundle"] = str(solution.write_bundle(bundle).path)
    except KeyboardInterrupt:
        print("interrupted: nothing was written", file=sys.stderr)
        raise typer.Exit(130) from None
    print_json(result) if json else _show(solution, result)
    if stop.signal is not None:
        print(f"stopped after {solution.iterations:,} iterations", file=sys.stderr)
        sys.stdout.flush()
        raise typer.Exit(128 + stop.signal)


def _check(spot: Spot | None, options: _Options, bundle: Path | None) -> None:
    """Refuses options that do not go together, before anything is built."""
    if spot and options.players not in (None, 2):
        raise InputError(f"--players: a spot is of two, not {options.players}")
    has_bits = options.device is None or backend_name({"device": options.device}) == "cuda"
    if options.precision is not None and (not has_bits or spot is None):
        raise InputError("--precision belongs to a spot that is solved natively or on CUDA")
    if bundle is not None:
        require_replaceable(bundle)


def _solve(problem: Problem, budget: Budget, stop: Stop, json: bool) -> Solution:
    """Solves; the first signal ends with the current strategy, the second without."""
    with Telling("solving", for_programs=json) as telling:
        watch = telling.watch(lambda: stop.signal is not None)
        return problem.solve(
            budget, lambda at: telling.say(problem.progress_line(at, budget)), watch
        )


def _show(solution: Solution, result: dict[str, Any]) -> None:
    is_listed = solution.problem.spot is None and result["values"]
    if is_listed and result["infosets"] <= _MOST_ROWS:
        strategy = solution.strategy
        rows = ((name, "  ".join(f"{p:.3f}" for p in strategy[name])) for name in sorted(strategy))
        plain = rows_table(["infoset", "probabilities"], rows)
        is_kuhn = result["game"] == "kuhn" and len(strategy) == 12  # for two
        console.print(_kuhn_table(strategy) if is_kuhn else plain)
    print_facts({key: value_text(value) for key, value in result.items()})


def _kuhn_table(strategy: Mapping[str, NDArray[np.float64]]) -> Table:
    """The solution of Kuhn poker for two beside what theory says of it (Kuhn 1950).

    The equilibria form a family: the first player bets the jack with alpha, anything from 0 to 1/3,
    the king with 3 alpha, never the queen, and calls with the queen with alpha + 1/3.
    """
    call, bet = 1, 2  # slots
    alpha = float(strategy["J:"][bet])
    theory = [
        ("P0 J bet", "J:", bet, "alpha, 0 to 1/3", min(max(alpha, 0), 1 / 3)),
        ("P0 Q bet", "Q:", bet, "0", 0.0),
        ("P0 K bet", "K:", bet, f"3 alpha = {3 * alpha:.3f}", 3 * alpha),
        ("P0 J call", "J:cr", call, "0", 0.0),
        ("P0 Q call", "Q:cr", call, f"alpha + 1/3 = {alpha + 1 / 3:.3f}", alpha + 1 / 3),
        ("P0 K call", "K:cr", call, "1", 1.0),
        ("P1 J bet after a check", "J:c", bet, "1/3", 1 / 3),
        ("P1 Q bet after a check", "Q:c", bet, "0", 0.0),
        ("P1 K bet after a check", "K:c", bet, "1", 1.0),
        ("P1 J call", "J:r", call, "0", 0.0),
        ("P1 Q call", "Q:r", call, "1/3", 1 / 3),
        ("P1 K call", "K:r", call, "1", 1.0),
    ]
    rows = []
    for what, infoset, slot, text, expected in theory:
        found = float(strategy[infoset][slot])
        agrees = abs(found - expected) <= _TOLERANCE
        rows.append((what, f"{found:.3f}", text, "yes" if agrees else "no"))
    return rows_table(["infoset", "probability", "theory", "agrees"], rows)

# SPDX-License-Identifier: MIT
"""`regretless preflop`: jam or fold, and small trees of raises, before the flop."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from regretless.cli.output import JsonFlag, console, print_json, print_line
from regretless.cli.preflop_chart import action_letters, chart, value_chart
from regretless.preflop.description import flop_note, line_text, solution_csv, solution_json
from regretless.preflop.solving import DEFAULT_ITERATIONS, PreflopSolution, Progress, solve_preflop
from regretless.preflop.tree import SEAT_NAMES, PreflopSpot
from regretless.storage.files import told_on_failure, write_file

_MOST_CHARTS = 12
_RAREST = 1e-4  # of all deals: what is met less often has no chart

Stack = Annotated[
    float, typer.Option(help="Stack of each player before antes and blinds, 2 to 200 big blinds.")
]
SmallBlind = Annotated[float, typer.Option(help="In the unit of the stack.")]
BigBlind = Annotated[float, typer.Option(help="In the unit of the stack.")]
Ante = Annotated[float, typer.Option(help="Paid by each player.")]
BigBlindAnte = Annotated[float, typer.Option(help="Paid by the big blind for both.")]
Sizes = Annotated[
    str,
    typer.Option(
        help="First raise / second / others, as in menus: 2.5u,a/3x,a/a.", show_default="a: jam"
    ),
]
Limp = Annotated[bool, typer.Option("--limp", help="The small blind may call the big blind.")]
MaxRaises = Annotated[int | None, typer.Option(help="Most raises.")]
Target = Annotated[
    float | None,
    typer.Option(
        help="Stop at this exploitability, in big blinds.",
        show_default="3e-8, or 1e-5 if a flop is seen",
    ),
]
Ev = Annotated[bool, typer.Option("--ev", help="Print EVs instead of frequencies, in big blinds.")]
Iterations = Annotated[int, typer.Option(help="Most iterations.")]
Csv = Annotated[
    Path | None, typer.Option(help="Write a row for each decision, hand and action to this file.")
]


def preflop(
    stack: Stack = 10.0,
    small_blind: SmallBlind = PreflopSpot.small_blind,
    big_blind: BigBlind = PreflopSpot.big_blind,
    ante: Ante = PreflopSpot.ante,
    big_blind_ante: BigBlindAnte = PreflopSpot.big_blind_ante,
    sizes: Sizes = PreflopSpot.sizes,
    limp: Limp = PreflopSpot.limp,
    max_raises: MaxRaises = PreflopSpot.max_raises,
    target: Target = None,
    iterations: Iterations = DEFAULT_ITERATIONS,
    ev: Ev = False,
    csv: Csv = None,
    json: JsonFlag = False,
) -> None:
    """Solve preflop play of two players, jam or fold or with a few sizes, and print charts."""
    spot = PreflopSpot(stack, small_blind, big_blind, ante, big_blind_ante, sizes, limp, max_raises)
    solution = _solve(spot, target, iterations, quiet=json)
    if csv is not None:
        with told_on_failure(csv):
            write_file(csv, solution_csv(solution))
    if json:
        print_json(solution_json(solution))
    else:
        _show(solution, ev)


def _solve(
    spot: PreflopSpot, target: float | None, iterations: int, quiet: bool
) -> PreflopSolution:
    def run(progress: Progress | None) -> PreflopSolution:
        return solve_preflop(spot, target=target, iterations=iterations, progress=progress)

    if quiet:
        return run(None)
    with Live(console=Console(stderr=True), transient=True, refresh_per_second=8) as live:
        return run(
            lambda done, gap: live.update(
                Text(f"iteration {done:,}   exploitability {gap:.3g} big blinds")
            )
        )


def _show(solution: PreflopSolution, ev: bool) -> None:
    decisions = solution.tree.decisions
    order = sorted(range(len(decisions)), key=lambda i: -solution.frequencies[i])
    shown = sorted(i for i in order[:_MOST_CHARTS] if solution.frequencies[i] >= _RAREST)
    for i in shown:
        print_line(_heading(solution, i, ev), "bold")
        console.print((value_chart if ev else chart)(solution, i), end="")
        print_line(_totals(solution, i))
        print_line("")
    if len(shown) < len(decisions):
        count = len(decisions) - len(shown)
        print_line(f"decisions that are met more rarely, in --json and --csv alone: {count}")
    table = Table("line", "seat", "met", "choices", box=None)
    for i in shown:
        line = line_text(decisions[i].line) or "first in"
        choices = _choices(solution, i)
        table.add_row(
            line, SEAT_NAMES[decisions[i].seat], f"{solution.frequencies[i]:.2%}", choices
        )
    if len(decisions) > 2:
        console.print(table)
    print_line(
        f"value {solution.value:+.5f} bb to the small blind, {-solution.value:+.5f} to the big "
        f"blind; exploitability {solution.exploitability:.2g} bb after "
        f"{solution.iterations:,} iterations"
    )
    print_line(flop_note(solution))


def _heading(solution: PreflopSolution, i: int, ev: bool) -> str:
    decision = solution.tree.decisions[i]
    line = line_text(decision.line)
    where = f"after {line}" if line else "first in"
    shown = f": {decision.actions[1]} %" if len(decision.actions) == 2 else ""
    return f"{SEAT_NAMES[decision.seat]} {where}{': ev in bb' if ev else shown}"


def _totals(solution: PreflopSolution, i: int) -> str:
    actions = solution.tree.decisions[i].actions
    letters = dict(zip(actions, action_letters(actions), strict=True))
    names = [each if len(actions) == 2 else f"{each} ({letters[each]})" for each in actions]
    totals = solution.totals(i)
    return "  " + "   ".join(f"{n} {t:.2%}" for n, t in zip(names, totals, strict=True))


def _choices(solution: PreflopSolution, i: int) -> str:
    actions = solution.tree.decisions[i].actions
    return ", ".join(f"{n} {t:.1%}" for n, t in zip(actions, solution.totals(i), strict=True))

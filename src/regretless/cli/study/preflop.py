# SPDX-License-Identifier: MIT
"""`regretless preflop`: jam or fold, and small trees of raises, before the flop."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.field_options import takes
from regretless.cli.output import JsonFlag, console, print_json, print_line, rows_table
from regretless.cli.preflop_chart import action_letters, chart, value_chart
from regretless.cli.progress import Telling
from regretless.preflop.description import flop_note, line_text, solution_csv, solution_json
from regretless.preflop.solving import DEFAULT_ITERATIONS, PreflopSolution, solve_preflop
from regretless.preflop.tree import SEAT_NAMES, PreflopSpot
from regretless.storage.files import told_on_failure, write_file

_MOST_CHARTS = 12
_RAREST = 1e-4  # of all deals: what is met less often has no chart


@takes(PreflopSpot)
def preflop(
    *,
    spot: PreflopSpot,
    target: Annotated[
        float | None,
        typer.Option(
            help="Stop at this exploitability, in big blinds.",
            show_default="3e-8, or 1e-5 if a flop is seen",
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(help="Most iterations.")] = DEFAULT_ITERATIONS,
    ev: Annotated[
        bool, typer.Option("--ev", help="Print EVs instead of frequencies, in big blinds.")
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(help="Write a row for each decision, hand and action to this file."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Solve preflop play of two players, jam or fold or with a few sizes, and print charts."""
    with Telling(for_programs=json) as telling:
        solution = solve_preflop(
            spot,
            target=target,
            iterations=iterations,
            progress=lambda done, gap: telling.say(
                f"iteration {done:,}   exploitability {gap:.3g} big blinds"
            ),
        )
    if csv is not None:
        with told_on_failure(csv):
            write_file(csv, solution_csv(solution))
    if json:
        print_json(solution_json(solution))
    else:
        _show(solution, ev)


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
    if len(decisions) > 2:
        rows = [_row(solution, i) for i in shown]
        console.print(rows_table(["line", "seat", "met", "choices"], rows))
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


def _row(solution: PreflopSolution, i: int) -> list[str]:
    decision = solution.tree.decisions[i]
    pairs = zip(decision.actions, solution.totals(i), strict=True)
    choices = ", ".join(f"{name} {total:.1%}" for name, total in pairs)
    line = line_text(decision.line) or "first in"
    return [line, SEAT_NAMES[decision.seat], f"{solution.frequencies[i]:.2%}", choices]

# SPDX-License-Identifier: MIT
"""A solution before the flop as plain data and as rows of a CSV file."""

import csv
import io
import math
from dataclasses import asdict
from typing import Any

from regretless.preflop.matchups import CLASS_NAMES, COMBOS
from regretless.preflop.solving import PreflopSolution
from regretless.preflop.tree import BIG_BLIND, SEAT_NAMES, SMALL_BLIND

COLUMNS = ("line", "seat", "hand", "combos", "reach", "action", "probability", "ev")


def line_text(line: tuple[str, ...]) -> str:
    """`SB raise 2.5, BB all-in`; empty before anything was done."""
    seats = (SMALL_BLIND, BIG_BLIND)
    return ", ".join(f"{SEAT_NAMES[seats[i % 2]]} {action}" for i, action in enumerate(line))


def solution_json(solution: PreflopSolution) -> dict[str, Any]:
    """Everything as numbers and texts; values in big blinds, hands by class."""
    return {
        **asdict(solution.spot),
        "exact": solution.is_exact,
        "flops": flop_note(solution),
        "iterations": solution.iterations,
        "exploitability": solution.exploitability,
        "value": solution.value,
        "values": {
            SEAT_NAMES[seat]: dict(
                zip(CLASS_NAMES, solution.class_values[seat].tolist(), strict=True)
            )
            for seat in (SMALL_BLIND, BIG_BLIND)
        },
        "decisions": [_decision(solution, i) for i in range(len(solution.tree.decisions))],
    }


def flop_note(solution: PreflopSolution) -> str:
    """Says in one sentence whether the solution is exact."""
    if solution.is_exact:
        return "exact: every line ends with a fold or all-in"
    count = int(solution.tree.sees_flop.sum())
    lines = "1 line sees a flop" if count == 1 else f"{count} lines see a flop"
    return f"an approximation: {lines} with chips left, valued by equity as if checked down"


def solution_csv(solution: PreflopSolution) -> str:
    """A row for each decision, class and action, under COLUMNS."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for i in range(len(solution.tree.decisions)):
        told = _decision(solution, i)
        for name, combos in zip(CLASS_NAMES, COMBOS.tolist(), strict=True):
            head = (told["line"], told["seat"], name, combos, f"{told['reaches'][name]:.6g}")
            columns = told["actions"], told["strategy"][name], told["evs"][name]
            for action, share, value in zip(*columns, strict=True):
                shown = "" if value is None else f"{value:.6g}"
                writer.writerow((*head, action, f"{share:.6g}", shown))
    return text.getvalue()


def _decision(solution: PreflopSolution, i: int) -> dict[str, Any]:
    decision = solution.tree.decisions[i]
    count = len(decision.actions)
    rows = solution.strategy[i, :count].T.tolist()
    values = [
        [None if math.isnan(each) else each for each in row]
        for row in solution.action_values[i, :count].T.tolist()
    ]
    return {
        "line": line_text(decision.line),
        "seat": SEAT_NAMES[decision.seat],
        "actions": list(decision.actions),
        "frequency": float(solution.frequencies[i]),
        "totals": solution.totals(i).tolist(),
        "reaches": dict(zip(CLASS_NAMES, solution.ranges[i].tolist(), strict=True)),
        "strategy": dict(zip(CLASS_NAMES, rows, strict=True)),
        "evs": dict(zip(CLASS_NAMES, values, strict=True)),
    }

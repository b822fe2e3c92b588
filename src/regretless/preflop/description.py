# SPDX-License-Identifier: MIT
"""A solution before the flop as plain data and as rows of a CSV file."""

import csv
import io
import math
from dataclasses import asdict
from typing import Any

import numpy as np

from regretless.preflop.equilibrium import PushFoldSolution
from regretless.preflop.matchups import CLASS_NAMES, COMBOS, Floats
from regretless.preflop.solving import PreflopSolution
from regretless.preflop.tree import BIG_BLIND, SEAT_NAMES, SMALL_BLIND

_DIGITS = 4  # decimals for a page
COLUMNS = ("line", "seat", "hand", "combos", "reach", "action", "probability", "ev")


AnySolution = PreflopSolution | PushFoldSolution


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
            SEAT_NAMES[seat]: _by_class(solution.class_values[seat])
            for seat in (SMALL_BLIND, BIG_BLIND)
        },
        "decisions": [_decision(solution, i) for i in range(len(solution.decisions))],
    }


def push_fold_json(solution: PushFoldSolution) -> dict[str, Any]:
    """Everything as numbers and texts; values in `unit`, hands by class."""
    players = []
    for seat, name in enumerate(solution.names):
        player = {
            "seat": name,
            "stack": solution.spot.stacks[seat],
            "value": float(solution.values[seat]),
            "gain": float(solution.gains[seat]),
            "values": _by_class(solution.class_values[seat]),
        }
        if solution.spot.prizes:
            player["equity"] = float(solution.spot.equities_before()[seat])
        players.append(player)
    return {
        **asdict(solution.spot),
        "unit": solution.unit,
        "exact": solution.is_exact,
        "method": exactness_note(solution),
        "iterations": solution.iterations,
        "epsilon": solution.epsilon,
        "players": players,
        "decisions": [_decision(solution, i) for i in range(len(solution.decisions))],
    }


def solution_columns(solution: AnySolution) -> dict[str, Any]:
    """Everything in short, for a page: one number for each of `classes`, rounded.

    Seats are in the order in which they act.
    """
    if isinstance(solution, PushFoldSolution):
        note, gap, unit = exactness_note(solution), solution.epsilon, solution.unit
        players = [
            {key: each for key, each in player.items() if key != "values"}
            for player in push_fold_json(solution)["players"]
        ]
    else:
        note, gap, unit = flop_note(solution), solution.exploitability, "bb"
        players = [
            {"seat": SEAT_NAMES[seat], "stack": solution.spot.stack, "value": value}
            for seat, value in ((SMALL_BLIND, solution.value), (BIG_BLIND, -solution.value))
        ]
    return {
        "unit": unit,
        "exact": solution.is_exact,
        "note": note,
        "iterations": solution.iterations,
        "exploitability": gap,
        "players": players,
        "classes": CLASS_NAMES,
        "combos": COMBOS.tolist(),
        "decisions": [_columns(solution, i) for i in range(len(solution.decisions))],
    }


def _columns(solution: AnySolution, i: int) -> dict[str, Any]:
    decision = solution.decisions[i]
    count = len(decision.actions)
    values = np.round(solution.action_values[i, :count], _DIGITS).astype(object)
    values[np.isnan(solution.action_values[i, :count])] = None
    return {
        "line": list(decision.line),
        "text": solution.line_text(i),
        "seat": solution.names[decision.seat],
        "actions": list(decision.actions),
        "frequency": float(solution.frequencies[i]),
        "totals": np.round(solution.totals(i), _DIGITS + 2).tolist(),
        "reaches": np.round(solution.ranges[i], _DIGITS).tolist(),
        "strategy": np.round(solution.strategy[i, :count], _DIGITS).tolist(),
        "evs": values.tolist(),
    }


def exactness_note(solution: PushFoldSolution) -> str:
    """Says in one sentence whether the values are exact."""
    if solution.is_exact:
        return "exact: all deals are counted"
    return (
        "an approximation: cards of more than two seats are corrected pair by pair, all-ins of "
        "four or more are valued by those of two and three"
    )


def flop_note(solution: PreflopSolution) -> str:
    """Says in one sentence whether the solution is exact."""
    if solution.is_exact:
        return "exact: every line ends with a fold or all-in"
    count = int(solution.tree.sees_flop.sum())
    lines = "1 line sees a flop" if count == 1 else f"{count} lines see a flop"
    return f"an approximation: {lines} with chips left, valued by equity as if checked down"


def solution_csv(solution: AnySolution) -> str:
    """A row for each decision, class and action, under COLUMNS."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for i in range(len(solution.decisions)):
        row = _decision(solution, i)
        for name, combos in zip(CLASS_NAMES, COMBOS.tolist(), strict=True):
            head = (row["line"], row["seat"], name, combos, f"{row['reaches'][name]:.6g}")
            columns = row["actions"], row["strategy"][name], row["evs"][name]
            for action, share, value in zip(*columns, strict=True):
                shown = "" if value is None else f"{value:.6g}"
                writer.writerow((*head, action, f"{share:.6g}", shown))
    return text.getvalue()


def _by_class(values: Floats) -> dict[str, float]:
    return dict(zip(CLASS_NAMES, values.tolist(), strict=True))


def _decision(solution: AnySolution, i: int) -> dict[str, Any]:
    decision = solution.decisions[i]
    count = len(decision.actions)
    rows = solution.strategy[i, :count].T.tolist()
    values = [
        [None if math.isnan(each) else each for each in row]
        for row in solution.action_values[i, :count].T.tolist()
    ]
    return {
        "line": solution.line_text(i),
        "seat": solution.names[decision.seat],
        "actions": list(decision.actions),
        "frequency": float(solution.frequencies[i]),
        "totals": solution.totals(i).tolist(),
        "reaches": _by_class(solution.ranges[i]),
        "strategy": dict(zip(CLASS_NAMES, rows, strict=True)),
        "evs": dict(zip(CLASS_NAMES, values, strict=True)),
    }

# SPDX-License-Identifier: MIT
"""Random command lines: status 0, 2 or 130, no traceback, and Ctrl-C is heard."""

from command_lines import fuzz
from turn import Turn


def run(turn: Turn) -> None:
    for outcome in fuzz(turn.seed * 1_000_000 + turn.number, count=1_000_000):
        turn.count("command lines")
        if outcome.problem:
            turn.find("command line", outcome.problem, outcome)
        if turn.left() < 0:
            return

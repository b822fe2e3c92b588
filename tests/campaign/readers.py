# SPDX-License-Identifier: MIT
"""Damaged and strange inputs for every reader: each is read or refused in one line."""

from reader_fuzz import fuzz, make_readers
from turn import Turn


def run(turn: Turn) -> None:
    seed = turn.seed * 1_000_000 + turn.number
    found, done = fuzz(make_readers(turn.folder), seed, seconds=turn.left())
    for reader, (inputs, _) in done.items():
        turn.count("inputs", inputs)
        turn.count(f"inputs: {reader}", inputs)
    for each in found:
        turn.find(f"reader {each.reader}", each.problem, each.input)

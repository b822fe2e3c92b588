# SPDX-License-Identifier: MIT
"""Strange input from three fuzzers: for readers, for the command line, and for the native core."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import command_lines
import reader_fuzz
from turn import Turn

PROGRAM = Path(__file__).parents[2] / "build" / "fuzz-native" / "native_fuzz"
CORPUS = Path(__file__).with_name("native_inputs.txt")
"""Inputs of the native fuzzer that together reach much of the core, as hexadecimal lines."""
MOST_BYTES, MOST_SECONDS = 600, 10  # of an input
WHAT_BROKE = re.compile(r"broken promise: .*|runtime error: .*|SUMMARY: .*|terminate called.*")


def read_inputs(turn: Turn) -> None:
    """Damaged and strange inputs for every reader: each is read or refused in one line."""
    seed = turn.seed * 1_000_000 + turn.number
    readers = reader_fuzz.make_readers(turn.folder)
    found, done = reader_fuzz.fuzz(readers, seed, seconds=turn.left())
    for reader, (inputs, _) in done.items():
        turn.count("inputs", inputs)
        turn.count(f"inputs: {reader}", inputs)
    for each in found:
        turn.find(f"reader {each.reader}", each.problem, each.input)


def run_commands(turn: Turn) -> None:
    """Random command lines: status 0, 2 or 130, no traceback, and Ctrl-C is heard."""
    seed = turn.seed * 1_000_000 + turn.number
    for outcome in command_lines.fuzz(seed, count=1_000_000):
        turn.count("command lines")
        if outcome.problem:
            turn.find("command line", outcome.problem, outcome)
        if turn.left() < 0:
            return


def feed_core(turn: Turn) -> None:
    """Bytes that libFuzzer changes, for the native core under sanitizers (native_fuzz.cpp)."""
    corpus = turn.kept / "corpus"
    if not corpus.exists():
        corpus.mkdir(parents=True)
        for number, line in enumerate(CORPUS.read_text(encoding="ascii").split()):
            (corpus / f"{number:04}").write_bytes(bytes.fromhex(line))
    seed = (turn.seed * 1_000_000 + turn.number * 1_000) % (1 << 31)
    while turn.left() > 1:
        seed += 1
        left = [f"-max_total_time={int(turn.left())}", f"-seed={seed}", f"-max_len={MOST_BYTES}"]
        left += [
            f"-timeout={MOST_SECONDS}",
            "-rss_limit_mb=3000",
            "-print_final_stats=1",
            "-len_control=0",
        ]
        command = [str(PROGRAM), *left, f"-artifact_prefix={turn.folder}/", str(corpus)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        for name, noun in (
            ("number_of_executed_units", "native inputs"),
            ("new_units_added", "native inputs that reached new code"),
        ):
            if said := re.search(rf"stat::{name}: +(\d+)", done.stderr):
                turn.count(noun, int(said[1]))
        if done.returncode == 0:
            continue
        broke = WHAT_BROKE.search(done.stderr)
        kind = broke[0] if broke else f"status {done.returncode}"
        inputs = [each.read_bytes().hex() for each in sorted(turn.folder.glob("*-*"))]
        turn.find(f"native: {kind[:100]}", done.stderr[-1500:], inputs[-1:])
        for each in turn.folder.glob("*-*"):
            each.unlink()


def main() -> None:
    """Feeds the core for some seconds; prints the figures and findings of one turn."""
    parser = argparse.ArgumentParser(description="Strange inputs for the native core.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = PROGRAM.parent / "kept"
        turn = Turn("native", options.seed, 0, options.seconds, Path(folder), kept)
        feed_core(turn)
    for noun, number in turn.counts.items():
        print(f"{number:,} {noun}")
    sys.exit("\n".join(f"{each['kind']}: {each['data']}" for each in turn.findings) or None)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""The stopwatch of every peer's script: one core, CPU time, best of three, one JSON object."""

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import NamedTuple

REPEATS = 3

# Does a batch of work worth a few milliseconds and returns how many units it did.
Work = Callable[[], int]


class Timing(NamedTuple):
    """The work of one measure of a peer, and its count."""

    prepare: Callable[[], Work]
    unit: str


def main(peer: str, timings: Mapping[str, Timing]) -> None:
    """Time the measure named on the command line and print its rate."""
    parser = argparse.ArgumentParser(description=f"One measure of {peer} on one core.")
    parser.add_argument("measure", choices=sorted(timings))
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of each repeat")
    arguments = parser.parse_args()
    _pin_to_one_core()
    timing = timings[arguments.measure]
    with _native_output_discarded():
        rate = _best_rate(timing.prepare(), arguments.seconds)
    result = {
        "peer": peer,
        "measure": arguments.measure,
        "rate": rate,
        "unit": timing.unit,
        "version": version(peer),
    }
    print(json.dumps(result))


@contextlib.contextmanager
def _native_output_discarded() -> Iterator[None]:
    """Discards the output of native code, which pokers prints at each showdown."""
    stdout, sink = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(stdout, 1)
        os.close(stdout)
        os.close(sink)


def _best_rate(work: Work, seconds: float) -> float:
    _rate(work, seconds / 4)
    return max(_rate(work, seconds) for _ in range(REPEATS))


def _rate(work: Work, seconds: float) -> float:
    """Units per second of CPU time, which other work on the machine does not change."""
    done = 0
    start = time.process_time()
    elapsed = 0.0
    while elapsed < seconds:
        done += work()
        elapsed = time.process_time() - start
    return done / elapsed


def _pin_to_one_core() -> None:
    """Also keeps the threads that a peer starts later on that core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

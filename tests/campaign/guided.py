# SPDX-License-Identifier: MIT
"""The readers under coverage-guided fuzzing (Atheris): inputs that reach new code are kept.

Half of the mutations are those of `reader_fuzz`, which know the structure of an input; the other
half are libFuzzer's. Inputs that reached new code are kept for the turns that follow.
"""

import contextlib
import gc
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from types import FunctionType
from typing import Any

from turn import Turn

TIMES = 4  # readers in a turn
REPORT_EVERY = 1024


def run(turn: Turn) -> None:
    import reader_fuzz

    (turn.folder / "files").mkdir()
    readers = reader_fuzz.make_readers(turn.folder / "files")
    instrument()
    names = list(readers)
    for place in range(TIMES):
        name = names[(turn.number * TIMES + place) % len(names)]
        seconds = max(1, int(turn.left() / (TIMES - place)))
        corpus = turn.kept / name.replace(" ", "_")
        corpus.mkdir(parents=True, exist_ok=True)
        result = turn.folder / "result.json"
        result.write_text("{}")
        child = os.fork()
        if child == 0:
            try:
                seed = turn.seed * 1_000_000 + turn.number
                _fuzz(readers[name], name, seed, seconds, corpus, result)
            finally:
                os._exit(3)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told = json.loads(result.read_text() or "{}")
        turn.count("guided inputs", told.get("inputs", 0))
        turn.count("inputs that reached new code", told.get("new", 0))
        turn.count(f"guided inputs: {name}", told.get("inputs", 0))
        for problem, content in told.get("found", {}).items():
            turn.find(f"reader {name}", problem, content)
        if status not in (0, 3):
            turn.find(f"reader {name}: status {status}", "the process ended", told.get("last"))


def instrument() -> None:
    """Has every function of regretless that is loaded report its branches.

    Atheris' own hook for imports has no effect on a package that is installed as editable.
    """
    import atheris

    for each in gc.get_objects():
        if type(each) is FunctionType and str(each.__module__).startswith("regretless"):
            atheris.instrument_func(each)


def _fuzz(reader: Any, name: str, seed: int, seconds: int, corpus: Path, result: Path) -> None:
    """Runs libFuzzer on one reader; does not return."""
    import atheris

    from reader_fuzz import _give_up, attempt

    found: dict[str, tuple[str, str]] = {}
    inputs, begun, kept = 0, time.monotonic(), len(list(corpus.iterdir()))
    kind = type(reader.change(random.Random(0), reader.seeds[0]))

    def decoded(data: bytes) -> Any:
        if kind is bytes:
            return data
        text = data.decode("utf-8", "surrogateescape")
        return text if kind is str else json.loads(text)

    def encoded(content: Any) -> bytes:
        if isinstance(content, bytes):
            return content
        text = content if isinstance(content, str) else json.dumps(content)
        return text.encode("utf-8", "surrogateescape")

    def mutated(data: bytes, most: int, number: int) -> bytes:
        draw = random.Random(number)
        if draw.random() < 0.5:
            with contextlib.suppress(UnicodeError, ValueError):
                return encoded(reader.change(draw, draw.choice(reader.seeds)))[:most]
        return bytes(atheris.Mutate(data, most))

    def one(data: bytes) -> None:
        nonlocal inputs
        inputs += 1
        try:
            content = decoded(data)
        except (ValueError, RecursionError):
            return
        problem = attempt(reader.read, content)
        if problem is not None:
            place = problem.rpartition("(")[2] or problem  # one of each kind is enough
            found.setdefault(place, (problem, repr(content)[:2000]))
        is_over = time.monotonic() - begun > seconds
        if is_over or problem is not None or inputs % REPORT_EVERY == 0:
            new = len(list(corpus.iterdir())) - kept if is_over else 0
            told = {"inputs": inputs, "found": dict(found.values()), "new": new}
            result.write_text(json.dumps(told))
        if is_over:
            os._exit(0)

    seeds = corpus.parent / f"{corpus.name}.seeds"
    seeds.mkdir(exist_ok=True)
    for number in range(20):
        with contextlib.suppress(UnicodeError, ValueError):
            (seeds / str(number)).write_bytes(encoded(reader.input(name, seed, number)))
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    arguments = [sys.argv[0], f"-seed={seed % (1 << 31)}", "-max_len=4096", "-handle_alrm=0"]
    arguments += ["-rss_limit_mb=0", "-print_final_stats=0", str(corpus), str(seeds)]
    atheris.Setup(arguments, one, custom_mutator=mutated)
    signal.signal(signal.SIGALRM, _give_up)
    atheris.Fuzz()

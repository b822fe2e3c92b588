# SPDX-License-Identifier: MIT
"""A program that trains a small run again and again and kills it: `killed_runs.py < JOB`.

It imports everything once and forks for each run, so that a kill does not cost a start of Python.
JOB is JSON: `tree` (a config), `folder`, and `kills`, for each run a list of kills: the number of
the file operation before which it is killed, or the seconds after which it is (a float). Without
`kills` there is one run for each file operation. It prints a JSON line for each run: `statuses`,
whether it `had` a sound bundle right after the last kill, and what is `left` when it was begun or
resumed until its end, or None if that failed.
"""

import hashlib
import importlib
import itertools
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorboard.compat.proto.event_pb2
import tensorboard.summary.writer.record_writer  # noqa: F401

from regretless.algorithms import make_algorithm, set_up_process
from regretless.buffers import Buffer, buffers_of
from regretless.bundles.bundle import open_bundle
from regretless.errors import InputError
from regretless.games import load_game
from regretless.recipes.config import make_config
from regretless.runs import Run, read_checkpoint
from regretless.runs.metrics import read_metrics
from regretless.training.loop import train

SCHEDULES: dict[str, Any] = {
    "evaluate": {"every_steps": 4},
    "checkpoint": {"every_steps": 2, "every_seconds": None, "keep": 2},
    "bundle": {"every_steps": 4},
}
_FITS = {"traversals": 20, "steps": 5, "batch": 32, "capacity": 300, "widths": [16]}
_OPTIONS: dict[str, dict[str, Any]] = {
    "cfr": {},
    "pcfr+": {},
    "mccfr": {},
    "rl-cfr": {"iterations_per_step": 20},
    "q-learning": {},
    "fictitious-play": {},
    "sequence-form": {},
    "nfsp": {
        "episodes": 32,
        "tables": 32,
        "batch": 32,
        "capacity": 200,
        "average_capacity": 300,
        "best_response_steps": 1,
        "average_steps": 1,
        "min_transitions": 32,
        "widths": [16],
    },
    "deep-cfr": {**_FITS, "strategy_every": 4, "strategy_steps": 5},
    "sd-cfr": _FITS,
    "rebel": {
        "depth": 1,
        "iterations": 8,
        "games": 8,
        "examples": 16,
        "width": 16,
        "minibatches": 4,
        "replay": 128,
        "play_iterations": 4,
    },
    "street-values": {
        "boards": 2,
        "all_boards": 8,
        "replay": 8,
        "holdout": 2,
        "spots": 2,
        "iterations": 4,
        "width": 16,
        "layers": 1,
        "batch": 4,
        "minibatches": 2,
        "steps": 5,
    },
}
TREES: dict[str, dict[str, Any]] = {
    name: {
        "game": "nlhe" if name == "street-values" else "kuhn",
        "algorithm": {"name": name, **options},
        "budget": {"steps": 10 if name == "cfr" else 5},
        **SCHEDULES,
    }
    for name, options in _OPTIONS.items()
}
"""Small runs of every algorithm that `train` takes, with a checkpoint every two steps."""

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def begin_or_go_on(tree: dict[str, Any], path: Path) -> None:
    """As a user does: `train`, or `resume` where there is a run."""
    if (path / "config.yaml").exists():
        run = Run.existing(path)
    else:
        run = Run.new(make_config({**tree, "output": str(path)}, "test"), "test")
    assert train(run).is_finished


class KilledBefore:
    """Ends this process before the file operation of some number, counted from 0."""

    def __init__(self, number: int) -> None:
        self.left = number
        sys.addaudithook(self._hear)
        os.fsync = lambda _: self._count()  # a killed process loses nothing that the system has

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in CHANGES or (event == "open" and (arguments[2] or 0) & WRITES):
            self._count()

    def _count(self) -> None:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1


def in_child(work: Callable[[], Any], seconds: float | None = None) -> int:
    """The status of a process of its own that does some work, killed after some seconds."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(status)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)  # it is there until it is waited for
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed(kill: float, tree: dict[str, Any], path: Path) -> int:
    def work() -> None:
        if isinstance(kill, int):
            KilledBefore(kill)
        begin_or_go_on(tree, path)

    return in_child(work, None if isinstance(kill, int) else kill)


def has_bundle(path: Path) -> bool:
    try:
        open_bundle(path / "bundle").verify()
    except InputError:
        return False
    return True


def left_of(path: Path) -> dict[str, Any]:
    """All that must be the same whether a run was killed or not."""
    run = Run.existing(path)
    config = run.config.algorithm
    game = load_game(run.config.game.name)
    algorithm = make_algorithm(config.name, game, seed=run.config.seed, **config.options)
    buffers = buffers_of(algorithm)
    told: list[str] = []
    latest = run.latest(told.append, buffers)
    assert latest is not None and not told
    checkpoints = [read_checkpoint(each) for each in run.checkpoints()]
    saved = [each for checkpoint in checkpoints for each in checkpoint.buffers.values()]
    assert {piece.sha256 for each in saved for piece in each.pieces} == {
        each.name for each in run.segments.path.glob("*")
    }
    files = {
        str(each.relative_to(path)): _digest(each.read_bytes())
        for each in path.rglob("*")
        if each.is_file() and not {"tensorboard", "segments"} & set(each.parts)
    }
    clocked = ("manifest.json", "metrics.jsonl", "SHA256SUMS", "README.md", "config.yaml")
    rows = [
        {key: value for key, value in row.items() if key.split("/")[0] not in ("time", "sys")}
        for row in read_metrics(run.metrics_path)
    ]
    return {
        "files": {k: None if k.endswith(clocked) else v for k, v in sorted(files.items())},
        "rows": rows,
        "buffers": {name: _digest(_contents(each)) for name, each in buffers.items()},
        "measures": [checkpoint.record.measures for checkpoint in checkpoints],
    }


def _contents(buffer: Buffer) -> bytes:
    rows = buffer.get(np.arange(min(buffer.num_added, buffer.capacity)))
    return f"{buffer.num_added} ".encode() + rows.tobytes()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def every_operation() -> Iterator[list[int]]:
    """No kill, then one before each operation."""
    yield []
    for number in itertools.count():
        yield [number]


def main() -> None:
    job = json.load(sys.stdin)
    tree = job["tree"]
    algorithm = make_config(tree, "test").algorithm
    set_up_process(algorithm.name, **algorithm.options)
    if "torch" in sys.modules:  # the first optimizer would import it, in every child
        importlib.import_module("torch._dynamo")
    for kills in job.get("kills") or every_operation():
        path = Path(job["folder"]) / "run"
        statuses = [killed(each, tree, path) for each in kills]
        result = {"statuses": statuses, "had": has_bundle(path)}
        told = Path(job["folder"]) / "left.json"

        def finish(path: Path = path, told: Path = told) -> None:
            os.fsync = lambda _: None
            begin_or_go_on(tree, path)
            told.write_text(json.dumps(left_of(path)))

        left = json.loads(told.read_text()) if in_child(finish) == 0 else None
        print(json.dumps({**result, "left": left}), flush=True)
        shutil.rmtree(path, ignore_errors=True)
        if "kills" not in job and statuses == [0]:
            break


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""`sweep`: a recipe trained with many settings and seeds, each run in a process of its own.

A run is found again by its directory, which is named by its settings and seed: what is done is
skipped, what was stopped goes on, and a larger grid adds to a smaller one.
"""

import contextlib
import hashlib
import itertools
import json
import re
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regretless.algorithms import ALGORITHMS
from regretless.errors import InputError
from regretless.notation.text_file import read_yaml
from regretless.pictures.curves import BANDS
from regretless.pictures.progress_bar import ProgressBar
from regretless.pictures.result_table import ResultTable, Tabular
from regretless.recipes.config import MAY_CHANGE, RunConfig, read_config
from regretless.recipes.names import config_file
from regretless.runs.run import Run
from regretless.runs.run_groups import EXPLOITABILITY, group_standing
from regretless.runs.run_record import is_run, read_run
from regretless.storage.files import require_writable, write_bytes
from regretless.training.loop import train
from regretless.watch import UNWATCHED, Stopped, Watch

_MOST_RUNS = 10_000
_MOST_NAME = 80  # characters of a directory
_POLL_SECONDS = 0.2
_MARK = ".sweep"  # a file that workers of a cluster see where they share the folder of the runs
RunTasks = Callable[..., Iterator[tuple[str, Any]]]
"""`Cluster.run_tasks`."""


@dataclass(frozen=True)
class SweepRun:
    """One run of a sweep."""

    path: Path
    settings: Mapping[str, str]
    """The values of the keys that differ from run to run."""
    overrides: tuple[str, ...]
    config: RunConfig

    @property
    def changes(self) -> tuple[str, ...]:
        """The overrides that a run which is resumed may have."""
        return tuple(each for each in self.overrides if each.split(".")[0] in MAY_CHANGE)

    def left(self) -> list[str] | None:
        """The command that trains or resumes it; None if it is done."""
        if not is_run(self.path):
            return ["train", f"output={self.path}", *self.overrides]
        run = Run.existing(self.path, self.changes)
        for key in RunConfig.model_fields.keys() - {*MAY_CHANGE, "output"}:
            if getattr(run.config, key) != getattr(self.config, key):
                raise InputError(
                    f"{self.path}: is a run with another {key}; sweep into another --output"
                )
        return None if run.is_finished() else ["resume", str(self.path), *self.changes]


@dataclass(frozen=True, repr=False)
class Sweep(Tabular):
    """The runs of a sweep, and those that failed with the reason."""

    runs: tuple[SweepRun, ...]
    measure: str
    skipped: int
    """Runs that were done before."""
    failed: Mapping[Path, str]

    def __repr__(self) -> str:
        return f"<Sweep {len(self.runs)} runs, {len(self.failed)} failed, {self.measure}>"

    def table(self) -> ResultTable:
        """A row for each setting: the mean over its seeds with the 95 % interval (Student's t).

        `last` is the mean of the last figures and `best` the best mean along the way.
        """
        groups: dict[tuple[str, ...], list[SweepRun]] = {}
        for each in self.runs:
            if each.path not in self.failed and is_run(each.path):
                groups.setdefault(tuple(each.settings.values()), []).append(each)
        return ResultTable.of_rows(map(self._row, groups.values()), self.measure)

    def require_measured(self) -> None:
        """InputError if none of the runs has the measure; it names those that they have."""
        done = [each.path for each in self.runs if each.path not in self.failed]
        metrics = [row for path in done for row in read_run(path).metrics]
        known = sorted({key for row in metrics for key in row if key.startswith("eval/")})
        if done and self.measure not in known:
            problem = f"none of the runs has a metric {self.measure!r}"
            raise InputError.unknown(problem, self.measure, known)

    def _row(self, group: Sequence[SweepRun]) -> dict[str, Any]:
        records = [read_run(each.path) for each in group]
        found = group_standing("", records, self.measure, BANDS[1]).to_json()
        names = ("last", "low", "high", "best", "iterations", "nodes", "seconds")
        figures = {name: found[name] for name in names}
        return {**group[0].settings, "seeds": len(group), **figures}


def plan_sweep(
    recipe: str | Path,
    settings: Sequence[str] = (),
    *,
    seeds: int = 1,
    settings_file: str | Path | None = None,
    output: str | Path | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> list[SweepRun]:
    """The runs of a sweep, every config checked; nothing is begun.

    `settings` are overrides `key=a,b,c`, of which all combinations are taken. `settings_file` is a
    YAML list of mappings of overrides, each combined with all of them. The seeds count from that of
    the recipe; an algorithm without randomness gets one.
    """
    file = config_file(recipe)
    folder = Path(output) if output is not None else Path("runs") / f"{file.stem}-sweep"
    if not 1 <= seeds <= _MOST_RUNS:
        raise InputError(f"seeds: must be 1 to {_MOST_RUNS:,}, not {seeds}")
    grid = [_values(each) for each in settings]
    listed = _listed(settings_file) if settings_file is not None else [{}]
    found: list[SweepRun] = []
    without_chance: set[str] = set()
    combinations = itertools.product(*grid)
    for row, chosen in itertools.product(listed, combinations):
        pairs = row | dict(chosen)
        swept = {*row, *(key for options in grid for key, _ in options if len(options) > 1)}
        shown = {key: value for key, value in pairs.items() if key in swept}
        overrides = [f"{key}={value}" for key, value in pairs.items()]
        first = read_config(file, overrides)
        name = first.algorithm.name
        is_random = name not in ALGORITHMS or ALGORITHMS[name].samples
        without_chance |= set() if is_random or seeds == 1 else {name}
        for seed in range(first.seed, first.seed + (seeds if is_random else 1)):
            path = folder / _directory(shown, seed)
            changes = (*overrides, f"seed={seed}")
            found.append(SweepRun(path, shown, changes, read_config(file, changes)))
            if len(found) > _MOST_RUNS:
                raise InputError(f"a sweep has at most {_MOST_RUNS:,} runs")
    for name in sorted(without_chance):
        note(f"{name} has no randomness, so all seeds are equal: one is trained")
    return found


def sweep(
    recipe: str | Path,
    *settings: str,
    seeds: int = 1,
    settings_file: str | Path | None = None,
    output: str | Path | None = None,
    measure: str = EXPLOITABILITY,
    jobs: int = 1,
    run_tasks: RunTasks | None = None,
    note: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
    progress: bool | None = None,
) -> Sweep:
    """Trains a recipe with all combinations of settings: `sweep("kuhn_cfr", "budget.steps=9,99")`.

    Each run is a directory in `output`, by default `runs/RECIPE-sweep`, which `compare` and
    `leaderboard` read. Runs that are done are skipped, so a sweep that was stopped goes on.
    `jobs` runs train at the same time; with `run_tasks` of a cluster, one on each of its workers,
    which share the folder. `note` receives lines for the user.
    """
    if "/" not in measure:
        raise InputError(f"measure: {measure!r} is no metric, such as {EXPLOITABILITY}")
    file = config_file(recipe)
    planned = plan_sweep(
        file, settings, seeds=seeds, settings_file=settings_file, output=output, note=note
    )
    commands = [(each, left) for each in planned if (left := each.left()) is not None]
    failed: dict[Path, str] = {}
    if commands:
        require_writable(commands[0][0].path)
    skipped = len(planned) - len(commands)
    with ProgressBar(progress) as bar:
        shown = bar.watch(watch)

        def tell(done: int, name: str) -> None:
            done += skipped
            shown.tell(f"{done} of {len(planned)} runs, now {name}", done / len(planned))

        making = (
            _here(file, commands, jobs, shown, tell)
            if run_tasks is None
            else _elsewhere([each for each, _ in commands], run_tasks, shown, tell)
        )
        with contextlib.closing(making):
            for path, error in making:
                if error is not None:
                    failed[path] = error
                    note(f"{path}: {error}")
    if watch.should_stop():
        raise Stopped
    return Sweep(tuple(planned), measure, skipped, failed)


def _here(
    file: Path,
    commands: Sequence[tuple[SweepRun, list[str]]],
    jobs: int,
    watch: Watch,
    tell: Callable[[int, str], None],
) -> Generator[tuple[Path, str | None], None, None]:
    """Trains runs in processes of this machine; yields each with the reason if it failed."""
    with (
        ThreadPoolExecutor(max_workers=max(1, jobs)) as pool,
        _stopping(watch) as pool_watch,  # ends first: the pool waits for its runs
    ):
        waiting = [pool.submit(_train, file, each, left, pool_watch) for each, left in commands]
        pairs = zip(commands, waiting, strict=True)
        for done, ((each, _), future) in enumerate(pairs):
            while not wait([future], timeout=1.0).done:
                tell(done, each.path.name)
            yield each.path, future.result()


def _elsewhere(
    runs: Sequence[SweepRun],
    run_tasks: RunTasks,
    watch: Watch,
    tell: Callable[[int, str], None],
) -> Generator[tuple[Path, str | None], None, None]:
    """Trains each run on a worker of a cluster; all workers see the folder of the runs."""
    if not runs:
        return
    mark, token = runs[0].path.parent.resolve() / _MARK, secrets.token_hex(8)
    tasks = {}
    for each in runs:
        if each.config.cluster is not None:
            raise InputError("cluster: a sweep on a cluster trains each run on one of its workers")
        config = {**each.config.model_dump(mode="json"), "output": str(each.path.resolve())}
        shared = {"mark": str(mark), "token": token}
        tasks[str(each.path)] = {"config": config, "changes": each.changes, **shared}
    mark.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(mark, [token.encode()])
    try:
        tell(0, "the first of the cluster")
        for done, (name, result) in enumerate(run_tasks(f"{__name__}:train_task", tasks, watch), 1):
            tell(done, Path(name).name)
            yield Path(name), result.error
    finally:
        mark.unlink(missing_ok=True)


def train_task(config: dict[str, Any], changes: Sequence[str], mark: str, token: str) -> None:
    """Trains a run, or goes on with it, where a task of a cluster runs."""
    try:
        is_shared = Path(mark).read_text(encoding="utf-8") == token
    except OSError:
        is_shared = False
    if not is_shared:
        raise InputError(f"{Path(mark).parent}: the workers of the cluster do not see this folder")
    found = RunConfig.model_validate(config)
    path = Path(config["output"])
    train(Run.existing(path, tuple(changes)) if is_run(path) else Run(path, found))


@contextlib.contextmanager
def _stopping(watch: Watch) -> Iterator[Watch]:
    """A watch that also stops where Ctrl-C ends the block: runs are then saved, not left alone."""
    is_over = threading.Event()
    pool_watch = replace(watch, should_stop=lambda: is_over.is_set() or watch.should_stop())
    try:
        yield pool_watch
    finally:
        is_over.set()


def _train(file: Path, run: SweepRun, left: list[str], watch: Watch) -> str | None:
    """Trains one run; returns the reason if it failed."""
    if watch.should_stop():
        return "stopped before it began"
    command, *rest = left
    arguments = [command, *([str(file)] if command == "train" else []), *rest, "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "regretless", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,  # Ctrl-C reaches it once, from here
    )
    is_stopping = False
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            _, output = process.communicate(timeout=_POLL_SECONDS)
            break
        if watch.should_stop() and not is_stopping:
            process.terminate()  # it saves a checkpoint
            is_stopping = True
    if process.returncode == 0:
        return None
    if is_stopping:
        return "stopped; it goes on with the same sweep"
    errors = [line.removeprefix("error: ") for line in output.splitlines() if "error: " in line]
    return [f"ended with status {process.returncode}", *errors][-1]


def _values(text: str) -> list[tuple[str, str]]:
    """The key with each value of `key=a,b,c`; commas within brackets and quotes belong to one."""
    key, sign, rest = text.partition("=")
    if not sign or not key.strip():
        raise InputError(f"{text!r}: a setting is key=value or key=a,b,c")
    values = [each.strip() for each in _split(rest)]
    if len(values) > 1 and not all(values):
        raise InputError(f"{text!r}: has an empty value")
    return [(key.strip(), value) for value in values]


def _split(text: str) -> Iterable[str]:
    depth, begin, quote = 0, 0, ""
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == "," and depth <= 0:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _listed(path: str | Path) -> list[dict[str, str]]:
    """The overrides of each mapping in a YAML list."""
    found = read_yaml(path)
    if not isinstance(found, list) or not found or not all(isinstance(e, dict) for e in found):
        raise InputError(f"{path}: must be a list of mappings, such as - {{budget.steps: 500}}")
    return [
        {
            str(key): value if isinstance(value, str) else json.dumps(value)
            for key, value in row.items()
        }
        for row in found
    ]


def _directory(settings: Mapping[str, str], seed: int) -> str:
    """A readable name, with a hash where the settings are too long or odd for one."""
    text = "_".join(f"{key.rsplit('.', 1)[-1]}={value}" for key, value in settings.items())
    name = re.sub(r"[^A-Za-z0-9.+=_-]", "-", text)[:_MOST_NAME]
    whole = ",".join(f"{key}={value}" for key, value in settings.items())
    if name != text or len({key.rsplit(".", 1)[-1] for key in settings}) < len(settings):
        name += f"-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
    return f"{name}_seed={seed}" if name else f"seed={seed}"

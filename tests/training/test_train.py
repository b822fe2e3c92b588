# SPDX-License-Identifier: MIT
"""Training as a whole: stopped, killed or damaged, a run goes on to the same bytes."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import without_progress
from regretless.errors import InputError
from regretless.recipes.config import RunConfig, make_config, read_config
from regretless.runs import Record, Run, read_checkpoint
from regretless.runs.metrics import read_metrics
from regretless.runs.room import Room
from regretless.training.loop import Progress, train
from regretless.watch import Watch

TREE: dict[str, Any] = {
    "game": "kuhn",
    "algorithm": {"name": "rl-cfr", "iterations_per_step": 20},
    "seed": 3,
    "budget": {"steps": 60},
    "evaluate": {"every_steps": 7},
    "checkpoint": {"every_steps": 1},
}
CHILD = """
import sys
from pathlib import Path
import tensorboard.compat.proto.event_pb2
from regretless.recipes.config import read_config
from regretless.runs import Run
from regretless.training.loop import train
path = Path(sys.argv[2])
is_begun = (path / "config.yaml").exists()
run = Run.existing(path) if is_begun else Run(path, read_config(Path(sys.argv[1])))
said = set()
def say(word):
    if word not in said:
        print(word, flush=True)
    said.add(word)
say("ready")
train(run, report=lambda _: say("steps"), tell=print)
"""


def make(path: Path, *overrides: str) -> Run:
    return Run(path, make_config(TREE, "test", overrides))


def rows(run: Run) -> list[dict[str, Any]]:
    """Returns the metrics without those of the clock and the machine."""
    kept = list(read_metrics(run.metrics_path))
    return [{k: v for k, v in r.items() if k.split("/")[0] not in ("time", "sys")} for r in kept]


def states(run: Run) -> dict[str, bytes]:
    return {path.name: (path / "state.safetensors").read_bytes() for path in run.checkpoints()}


def assert_same(run: Run, other: Run) -> None:
    assert rows(run) == rows(other)
    assert states(run) == states(other)
    ends = [read_checkpoint(each.checkpoints()[-1]).record for each in (run, other)]
    assert ends[0].measures == ends[1].measures
    assert ends[0].measured_at == ends[1].measured_at == ends[0].step


def stop_at(step: int) -> Any:
    """Returns arguments of `train` that stop it after some step."""
    seen = [0]

    def report(progress: Progress) -> None:
        seen[0] = progress.record.step

    return {"report": report, "watch": Watch(lambda: seen[0] >= step)}


def test_a_run_leaves_everything(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "log.every_steps=5", "checkpoint.every_steps=20")
    progress = train(run)
    assert progress.is_finished and progress.record.step == 60
    assert progress.record.exploitability == rows(run)[-1]["eval/exploitability"]
    steps = sorted({*range(5, 61, 5), *range(7, 61, 7), 20, 40})
    assert [row["step"] for row in rows(run)] == steps
    measured = [row["step"] for row in rows(run) if "eval/exploitability" in row]
    assert measured == [*range(7, 61, 7), 60]
    assert [path.name[-2:] for path in run.checkpoints()] == ["20", "40", "60"]
    assert Run.existing(run.path).config == run.config
    first = next(read_metrics(run.metrics_path))
    assert {key.split("/")[0] for key in first} == {"step", "train", "time", "sys"}


def test_tensorboard_reads_the_events(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = make(tmp_path / "run")
    train(run, **stop_at(20))
    train(run)
    events = EventAccumulator(str(run.events_path))
    events.Reload()
    measured = events.Scalars("eval/exploitability")
    assert [each.step for each in measured] == [*range(7, 61, 7), 60]
    assert {"train/iterations", "time/seconds", "sys/peak_memory_bytes"} <= set(
        events.Tags()["scalars"]
    )


def test_stopped_and_resumed_is_never_stopped(tmp_path: Path) -> None:
    steady, stopped = make(tmp_path / "steady"), make(tmp_path / "stopped")
    train(steady)
    for step in (1, 13, 14, 40, 59):
        assert not train(stopped, **stop_at(step)).is_finished
    assert train(stopped).is_finished
    assert_same(steady, stopped)
    before = states(stopped)
    assert train(stopped).record.step == 60  # nothing is left to do
    assert states(stopped) == before


def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    steady, short = make(tmp_path / "steady", "budget.steps=70"), make(tmp_path / "short")
    train(steady)
    train(short)
    train(Run.existing(short.path, ("budget.steps=70",)))
    last = "step_00000070"
    assert states(steady)[last] == states(short)[last]
    assert Run.existing(short.path).config.budget.steps == 70


def test_rows_after_the_checkpoint_are_not_doubled(tmp_path: Path) -> None:
    steady, torn = (make(tmp_path / name, "checkpoint.every_steps=25") for name in "ab")
    train(steady)
    train(torn)
    last = torn.checkpoints()[-1]
    (last / "manifest.json").unlink()
    with torn.metrics_path.open("ab") as file:
        file.write(b'{"step": 61, "tr')
    told: list[str] = []
    train(torn, tell=told.append)
    assert last.name in told[0]
    assert_same(steady, torn)


@pytest.mark.parametrize("name", ["state.safetensors", "manifest.json"])
def test_damaged_checkpoint_is_told_and_done_again(name: str, tmp_path: Path) -> None:
    steady, hurt = make(tmp_path / "steady"), make(tmp_path / "hurt")
    train(steady)
    train(hurt, **stop_at(31))
    path = hurt.checkpoints()[-1] / name
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    told: list[str] = []
    train(hurt, tell=told.append)
    assert str(path) in told[0] and len(told) == 1
    assert_same(steady, hurt)


def test_all_checkpoints_damaged_are_refused_and_begin_again_once_removed(tmp_path: Path) -> None:
    steady, hurt = make(tmp_path / "steady"), make(tmp_path / "hurt")
    train(steady)
    train(hurt, **stop_at(20))
    for path in hurt.checkpoints():
        (path / "state.safetensors").unlink()
    with pytest.raises(InputError, match="checkpoints"):
        train(hurt)
    shutil.rmtree(hurt.path / "checkpoints")
    train(hurt)
    assert_same(steady, hurt)


@pytest.mark.parametrize("times", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_moments(times: int, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(json.dumps({**TREE, "budget": {"steps": 120}}), encoding="utf-8")
    steady = Run(tmp_path / "steady", make_config(json.loads(config.read_text()), "test"))
    begun = time.perf_counter()
    train(steady)
    duration = time.perf_counter() - begun
    moments = random.Random(1)
    killed = Run(tmp_path / "killed", steady.config)
    for _ in range(times):
        with _start(config, killed.path) as child:
            if moments.random() < 0.7 and child.stdout is not None:
                assert child.stdout.readline() == "steps\n"
            time.sleep(moments.uniform(0, duration / (2 * times)))
            child.kill()
        assert child.returncode == -signal.SIGKILL
    with _start(config, killed.path) as child:
        output = child.communicate(timeout=60)[0]
    assert child.returncode == 0 and output == "steps\n"  # a kill damages nothing
    assert_same(steady, killed)


def _start(config: Path, path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", CHILD, str(config), str(path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    return child


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)],
    ids=["term", "int", "hup"],
)
def test_signal_saves_and_says_how_to_go_on(number: int, status: int, tmp_path: Path) -> None:
    path = tmp_path / "run"
    child = _regretless("train", _config(tmp_path), f"output={path}", "budget.steps=1000000000")
    while (
        not (path / "metrics.jsonl").exists() or len(list(read_metrics(path / "metrics.jsonl"))) < 3
    ):
        time.sleep(0.01)
        assert child.poll() is None
    child.send_signal(number)
    output, errors = child.communicate(timeout=60)
    assert child.returncode == status, errors
    assert errors.splitlines()[-1] == f"stopped; go on with: regretless resume {path}"
    latest = Run.existing(path).latest()
    assert latest is not None
    logged = [row["step"] for row in read_metrics(path / "metrics.jsonl")][-1]
    last = latest.record.step  # a step whose measure was stopped has no row yet
    assert last == logged or (last > logged and latest.record.unmeasured is not None)
    resumed = _regretless("resume", path, f"budget.steps={last + 5}", "--json")
    output, errors = resumed.communicate(timeout=60)
    result = json.loads(output)
    assert (result["steps"], result["is_finished"], errors) == (last + 5, True, "")
    assert result["exploitability"] > 0 and result["measured_at"] == last + 5


def _config(directory: Path) -> Path:
    path = directory / "small.yaml"
    path.write_text(json.dumps(TREE), encoding="utf-8")
    return path


def _regretless(*arguments: Any, **options: Any) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "regretless.cli", *map(str, arguments)]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=environment, **options
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["budget.stesp=5"], ["budget.stesp", "steps"]),
        (["algorithm.epsilonn=5"], ["epsilonn", "epsilon"]),
        (["game=khun"], ["khun", "kuhn"]),
        (["output=/proc/nothing/here"], ["/proc"]),
        (["output=small.yaml"], ["small.yaml"]),
        (["game=nlhe", "algorithm=cfr+"], ["nlhe"]),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: list[str], tmp_path: Path) -> None:
    child = _regretless("train", _config(tmp_path), *arguments, cwd=tmp_path)
    output, errors = child.communicate(timeout=120)
    errors = without_progress(errors)
    assert child.returncode == 2 and output == ""
    assert errors.startswith("error: ") and errors.count("\n") == 1, errors
    for word in words:
        assert word in errors
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]


@pytest.mark.parametrize("limit", [100, 1500, 4000])
def test_full_disk_is_one_line(limit: int, tmp_path: Path) -> None:
    """No file may grow beyond some bytes, which the system reports much like a full disk."""
    child = _regretless(
        "train",
        _config(tmp_path),
        f"output={tmp_path / 'run'}",
        "--json",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    output, errors = child.communicate(timeout=60)
    assert child.returncode == 2 and output == ""
    assert errors.startswith("error: ") and errors.count("\n") == 1, errors
    assert "too large" in errors and str(tmp_path / "run") in errors
    assert (tmp_path / "run").exists() == (limit > 100)  # not even a config could be written


def test_too_little_room_is_refused_before_anything_starts(tmp_path: Path) -> None:
    run = make(tmp_path / "run", "game=leduc", "algorithm=cfr+")
    with pytest.raises(InputError, match="disk"):
        train(run, room=lambda _: Room(memory=1 << 40, disk=1000))
    with pytest.raises(InputError, match="more than"):
        train(run, room=lambda _: Room(memory=1000, disk=1 << 40))
    assert not run.path.exists()


def test_budgets(tmp_path: Path) -> None:
    by_time = train(make(tmp_path / "time", "budget.steps=null", "budget.seconds=0.2"))
    assert by_time.is_finished and by_time.record.seconds >= 0.2
    target = ("budget.steps=null", "budget.target=0.1", "evaluate.every_steps=5")
    by_target = train(make(tmp_path / "target", *target))
    assert by_target.is_finished and by_target.record.step % 5 == 0
    assert (by_target.record.exploitability or 1) <= 0.1
    again = train(make(tmp_path / "target", *target))
    assert again.is_finished and again.record.step == by_target.record.step


def test_schedules_by_the_clock(tmp_path: Path) -> None:
    schedule = ("evaluate.every_steps=null", "checkpoint.every_steps=null")
    often = ("evaluate.every_seconds=1e-9", "checkpoint.every_seconds=1e-9", "checkpoint.keep=99")
    run = make(tmp_path / "run", *schedule, *often)
    train(run)
    assert len(run.checkpoints()) == 60
    assert all("eval/exploitability" in row for row in rows(run))


def test_games_too_large_to_measure_are_trained_all_the_same(tmp_path: Path) -> None:
    tree = {
        "game": "nlhe",
        "algorithm": {"name": "mccfr-outcome", "iterations_per_step": 10},
        "budget": {"steps": 3},
        "evaluate": {"every_steps": 1},
    }
    told: list[str] = []
    run = Run(tmp_path / "run", make_config(tree, "test"))
    progress = train(run, tell=told.append)
    assert progress.is_finished and progress.record.measures == {}
    assert len(told) == 1 and "not measured" in told[0]
    target = make_config(tree, "test", ["budget.target=0.1"])
    with pytest.raises(InputError, match=r"budget\.target"):
        train(Run(tmp_path / "target", target))


def test_progress_line() -> None:
    from regretless.cli.session import progress_line

    record = Record(500, seconds=10.0)
    config: RunConfig = make_config(TREE, "test", ["budget.steps=4100"])
    line = progress_line(
        Progress(record, 50.0, False, {"exploitability": 0.0123, "lbr/low": 1.0}), config.budget
    )
    assert line == "step 500 of 4,100   50 steps/s   0:01:12 left   exploitability 0.0123"


def test_resume_refuses_damaged_segments_and_changes_nothing(tmp_path: Path) -> None:
    """One flipped byte in the last piece that each checkpoint of an NFSP run restores."""
    pytest.importorskip("torch")
    recipe = Path(__file__).parents[2] / "configs" / "kuhn_nfsp.yaml"
    quick = ("checkpoint.every_steps=2", "checkpoint.keep=3", "evaluate.measures=[]")

    def begun(name: str, steps: int) -> Run:
        overrides = (f"budget.steps={steps}", f"output={tmp_path / name}", *quick)
        run = Run.new(read_config(recipe, overrides), "x")
        train(run)
        return run

    run, steady = begun("run", 6), begun("steady", 8)
    metrics = run.metrics_path.read_bytes()
    pieces = [
        list(read_checkpoint(path).buffers.values())[-1].pieces[-1] for path in run.checkpoints()
    ]
    kept = {run.segments.path / piece.sha256: b"" for piece in pieces}
    for path in kept:
        kept[path] = path.read_bytes()
        path.write_bytes(kept[path][:-1] + bytes([kept[path][-1] ^ 1]))
    told: list[str] = []
    longer = Run.existing(run.path, ("budget.steps=8",))
    with pytest.raises(InputError, match="all 3 checkpoints are damaged; remove"):
        train(longer, tell=told.append)
    assert sum("trying the checkpoint before it" in each for each in told) == 3
    assert run.metrics_path.read_bytes() == metrics and len(run.checkpoints()) == 3
    for path, data in list(kept.items())[:-1]:  # the newest stays damaged
        path.write_bytes(data)
    train(Run.existing(run.path, ("budget.steps=8",)))
    states = [read_checkpoint(each.checkpoints()[-1]).state for each in (run, steady)]
    assert all(states[0][name].tobytes() == each.tobytes() for name, each in states[1].items())


def test_two_trainings_started_together_have_two_names(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "regretless.cli", "train", "kuhn_cfr", "budget.steps=20"]
    started = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [each.wait(timeout=120) for each in started] == [0, 0, 0]
    names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert names == ["kuhn_cfr-001", "kuhn_cfr-002", "kuhn_cfr-003"]

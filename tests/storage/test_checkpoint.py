# SPDX-License-Identifier: MIT
"""Checkpoints: every type of array comes back to the byte, and no damage goes unnoticed."""

import contextlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.algorithm import Takes
from regretless.buffers import Column, Ring
from regretless.errors import InputError
from regretless.recipes.config import config_text, make_config
from regretless.runs import Record, Run, read_checkpoint, write_checkpoint
from regretless.runs.metrics import MetricsFile, read_metrics
from regretless.runs.room import Room, check_room, machine_room, needed_room, peak_memory
from regretless.runs.run import claim_path, claimed_run
from regretless.storage.manifest import DamagedError

STATE = {
    "keys": np.array([0, 1, 2**64 - 1], np.uint64),
    "table": np.arange(6.0).reshape(2, 3),
}


def make_run(path: Path, *overrides: str) -> Run:
    tree = {"game": "kuhn", "algorithm": "cfr+", "budget": {"steps": 10}, "output": str(path)}
    return Run.new(make_config(tree, "test", overrides), "test")


def save(run: Run, iteration: int, exploitability: float | None = None) -> Path:
    measures = {} if exploitability is None else {"exploitability": exploitability}
    record = Record(iteration, measures=measures, measured_at=iteration)
    return run.save({"table": np.full(3, float(iteration))}, record)


@pytest.mark.parametrize(
    "array",
    [np.arange(4).astype(kind) for kind in "bBhHiIlLqQefd?"]
    + [
        np.zeros(0),
        np.zeros((0, 3), np.uint64),
        np.array(5),
        np.arange(10)[::2],
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.array([np.nan, -0.0, np.inf]),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_arrays_come_back_to_the_byte(array: Any, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "it", {"it": array}, Record(1))
    back = read_checkpoint(tmp_path / "it").state["it"]
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()


def test_arrays_that_cannot_be_saved_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="str"):
        write_checkpoint(tmp_path / "it", {"it": np.array(["a"])}, Record(1))
    assert not list(tmp_path.iterdir())


def test_record_comes_back(tmp_path: Path) -> None:
    record = Record(7, seconds=1.25, measures={"exploitability": 0.5}, measured_at=5)
    write_checkpoint(tmp_path / "it", STATE, record)
    assert read_checkpoint(tmp_path / "it").record == record
    assert record.exploitability is None  # measured two steps before


@pytest.mark.parametrize("name", ["manifest.json", "state.safetensors"])
def test_damage_to_any_file_is_found(name: str, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "it", STATE, Record(1))
    path = tmp_path / "it" / name
    whole = path.read_bytes()
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedError, match=name):
            read_checkpoint(tmp_path / "it")
    for place in range(0, len(whole), 7):
        flipped = bytes([whole[place] ^ (1 << place % 8)])
        path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        with pytest.raises(DamagedError, match=name):
            read_checkpoint(tmp_path / "it")
    path.unlink()
    with pytest.raises(DamagedError, match=name):
        read_checkpoint(tmp_path / "it")
    path.write_bytes(whole)
    read_checkpoint(tmp_path / "it")


def test_later_version_is_not_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regretless.runs.checkpoint.VERSION", 99)
    write_checkpoint(tmp_path / "it", STATE, Record(1))
    monkeypatch.undo()
    with pytest.raises(InputError, match="version 99") as caught:
        read_checkpoint(tmp_path / "it")
    assert not isinstance(caught.value, DamagedError)


def test_files_outside_the_directory_are_refused(tmp_path: Path) -> None:
    from regretless.storage.files import sha256_of
    from regretless.storage.manifest import verify_files

    (tmp_path / "outside").write_bytes(b"")
    entry = {"bytes": 0, "sha256": sha256_of(tmp_path / "outside")}
    (tmp_path / "it").mkdir()
    with pytest.raises(DamagedError):
        verify_files(tmp_path / "it", {"files": {"../outside": entry}})


@pytest.mark.parametrize("failing", ["save_file", "write_manifest"])
def test_a_full_disk_leaves_nothing_half(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    write_checkpoint(tmp_path / "old", STATE, Record(1))
    monkeypatch.setattr(f"regretless.runs.checkpoint.{failing}", fail)
    with pytest.raises(InputError, match="No space left on device") as caught:
        write_checkpoint(tmp_path / "new", STATE, Record(2))
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_last_and_best_are_kept(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", "checkpoint.keep=2")
    with run.opened():
        for iteration, exploitability in enumerate((0.5, 0.1, 0.3, 0.2, None, 0.4), start=1):
            save(run, iteration, exploitability)
    assert [path.name for path in run.checkpoints()] == [
        "step_00000002",
        "step_00000005",
        "step_00000006",
    ]
    assert run.best() == run.checkpoints()[0]
    assert (latest := run.latest()) is not None and latest.record.step == 6


def test_checkpoints_are_in_the_order_of_steps(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        save(run, 99_999_999)
        save(run, 100_000_000)
        assert (latest := run.latest()) is not None and latest.record.step == 100_000_000


def test_damaged_newest_gives_way_to_the_one_before(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        save(run, 1)
        path = save(run, 2)
        (path / "state.safetensors").write_bytes(b"")
        told: list[str] = []
        assert (latest := run.latest(told.append)) is not None and latest.record.step == 1
        assert "step_00000002" in told[0] and len(told) == 1
        run.set_aside_after(1)
        save(run, 2)
        assert (latest := run.latest(told.append)) is not None and latest.record.step == 2


def test_run_is_for_one_process(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened(), pytest.raises(InputError, match="another process"), run.opened():
        pass


def test_directories_that_are_no_new_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        pass
    with pytest.raises(InputError, match="regretless resume"):
        make_run(tmp_path / "run")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is there already"):
        make_run(tmp_path / "file")
    with pytest.raises(InputError, match="Not a directory"), make_run(tmp_path / "file/x").opened():
        pass
    with pytest.raises(InputError, match="no run"):
        Run.existing(tmp_path / "none")


def test_default_output_is_the_next_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = make_run(tmp_path / "run", "output=null").config
    assert Run.new(config, "kuhn_cfr").path == Path("runs/kuhn_cfr-001")
    assert not Path("runs").exists()
    with claimed_run(config, "kuhn_cfr") as first, claimed_run(config, "kuhn_cfr") as second:
        assert [first.path.name, second.path.name] == ["kuhn_cfr-001", "kuhn_cfr-002"]
        assert Run.new(config, "kuhn_cfr").path == Path("runs/kuhn_cfr-003")
        with second.opened():
            pass
    assert [each.name for each in Path("runs").iterdir()] == ["kuhn_cfr-002"]


def test_a_claim_without_a_run_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = make_run(tmp_path / "run", "output=null").config
    with pytest.raises(InputError), claimed_run(config, "kuhn_cfr"):
        raise InputError("nothing was begun")
    assert not Path("runs").exists()


def test_claims_at_the_same_moment_differ(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(lambda _: claim_path(tmp_path / "runs", "x"), range(40)))
    assert len(set(paths)) == 40


def test_a_run_whose_checkpoints_are_all_damaged_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        assert run.latest() is None
        for path in (save(run, 1), save(run, 2)):
            (path / "state.safetensors").write_bytes(b"")
        with pytest.raises(InputError, match="all 2 checkpoints are damaged; remove") as caught:
            run.latest()
        assert "\n" not in str(caught.value)


def test_peak_memory_is_not_that_of_who_started_the_program() -> None:
    held = np.ones(1 << 27, np.uint8)
    script = "from regretless.runs.room import peak_memory; print(peak_memory())"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert 1 << 20 < int(found.stdout) < peak_memory() - len(held) // 2


def test_resumed_run_may_only_end_elsewhere(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        pass
    assert Run.existing(run.path, ("budget.steps=99",)).config.budget.steps == 99
    others = ("record_examples=true", "examples_from=x", "start_from=x", "output=x")
    for override in ("seed=3", "algorithm.name=dcfr", "game=leduc", *others):
        with pytest.raises(InputError, match="cannot change"):
            Run.existing(run.path, (override,))


def test_metrics_are_cut_to_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    metrics = MetricsFile(path)
    for step in range(1, 6):
        metrics.append(step, {"train/loss": float(step), "train/odd": float("nan")})
    metrics.close()
    path.write_bytes(path.read_bytes()[:-9])  # the last line was not finished
    assert [row["step"] for row in read_metrics(path)] == [1, 2, 3, 4]
    metrics = MetricsFile(path)
    metrics.cut(3)
    metrics.append(4, {"train/loss": 4.0})
    metrics.close()
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2, 3, 4]
    assert json.loads(lines[0]) == {"step": 1, "train/loss": 1.0, "train/odd": None}


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, 3))
def test_metrics_are_cut_whatever_they_were(tmp_path_factory: Any, tail: bytes, last: int) -> None:
    path = tmp_path_factory.mktemp("metrics") / "metrics.jsonl"
    path.write_bytes(b'{"step": 1}\n{"step": 2}\n' + tail)
    metrics = MetricsFile(path)
    metrics.cut(last)
    metrics.close()
    assert all(row["step"] <= last for row in read_metrics(path))
    assert len(list(read_metrics(path))) == path.read_bytes().count(b"\n")


def test_damaged_rows_are_told_and_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    rows = [json.dumps({"step": step}) for step in range(1, 7)]
    for number, damaged in ((1, '{"step"; 2}'), (1, '{"step": 900}'), (2, ""), (0, '{"steq": 1}')):
        lines = [*rows[:number], damaged, *rows[number + 1 :]]
        path.write_text("\n".join(lines) + "\n")
        told: list[str] = []
        left = [step for step in range(1, 7) if step != number + 1]
        assert [row["step"] for row in read_metrics(path, told.append)] == left
        assert told == [f"{path}: line {number + 1} is damaged and left out"]
        metrics = MetricsFile(path)
        assert metrics.cut(5) == [number + 1]
        metrics.append(6, {})
        metrics.close()
        assert [row["step"] for row in read_metrics(path)] == left
        assert (tmp_path / "metrics.damaged").read_text().endswith(f"{damaged}\n")


def test_a_run_killed_before_its_config_may_be_begun(tmp_path: Path) -> None:
    path = tmp_path / "run"
    (path / "checkpoints").mkdir(parents=True)
    for name in ("lock", ".writing-config.yaml.0"):
        (path / name).write_text("")
        with pytest.raises(InputError, match="no run"):
            Run.existing(path)
        with make_run(path).opened():
            assert sorted(each.name for each in path.iterdir()) == [
                "checkpoints",
                "config.yaml",
                "lock",
            ]
        (path / "config.yaml").unlink()
    (path / "notes.txt").write_text("")
    with pytest.raises(InputError, match="is there already"):
        make_run(path)


def test_a_run_of_another_game_is_not_written_over(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        pass
    before = (run.path / "config.yaml").read_bytes()
    other = make_config({"game": "leduc", "algorithm": "cfr+", "budget": {"steps": 1}}, "test")
    with pytest.raises(InputError, match="game: cannot change"), Run(run.path, other).opened():
        pass
    assert (run.path / "config.yaml").read_bytes() == before


def test_no_change_of_the_config_is_believed(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    file = run.path / "config.yaml"
    with run.opened():
        record = Record(1, config=config_text(run.config))
        run.save({"table": np.zeros(3)}, record)
    whole = file.read_bytes()
    refused = 0
    for place in range(len(whole)):
        flipped = bytes([whole[place] ^ (1 << place % 7)])
        file.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        try:
            assert Run.existing(run.path).config == run.config, place
        except InputError as error:
            refused += 1
            assert str(file) in str(error) and "\n" not in str(error)
    assert refused > len(whole) // 2
    for cut in range(0, len(whole), 5):
        file.write_bytes(whole[:cut])
        with contextlib.suppress(InputError):
            assert Run.existing(run.path).config == run.config, cut
    file.write_bytes(whole)
    assert Run.existing(run.path).config == run.config


def test_a_config_changed_before_anything_was_saved(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        pass
    file = run.path / "config.yaml"
    file.write_text(file.read_text().replace("steps: 10", "steps: 11"))
    with pytest.raises(InputError, match="no checkpoint says what it was"):
        Run.existing(run.path)


def test_overrides_are_sealed_before_the_next_checkpoint(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with run.opened():
        run.save({"table": np.zeros(3)}, Record(1, config=config_text(run.config)))
    with Run.existing(run.path, ("budget.steps=12",)).opened():
        pass  # killed before it saved anything
    assert Run.existing(run.path).config.budget.steps == 12


def test_room() -> None:
    config = make_run(Path("unused"), "checkpoint.keep=3").config
    needed = needed_room(Takes(state=8 << 20), config)
    assert needed.disk is not None and 40 << 20 < needed.disk < 44 << 20
    check_room(Path("x"), needed, Room(None, None))
    check_room(Path("x"), needed, machine_room(Path("none/such")))
    with pytest.raises(InputError, match=r"disk.*checkpoint\.keep=1"):
        check_room(Path("x"), needed, Room(memory=1 << 40, disk=1 << 20))
    with pytest.raises(InputError, match=r"memory.*1 MiB.*smaller"):
        check_room(Path("x"), needed, Room(memory=1 << 20, disk=1 << 40))


def test_room_of_buffers_is_that_of_full_ones(tmp_path: Path) -> None:
    rows = 1 << 20
    columns = [Column("row", "uint8", (8,))]
    inside, outside = Ring(columns, rows), Ring(columns, rows, directory=tmp_path)  # 8 MiB each
    config = make_run(Path("unused"), "checkpoint.keep=3").config
    without = make_run(Path("unused"), "checkpoint.buffers=false").config
    bare = needed_room(Takes(0), config)
    for ring, memory, disk in ((inside, 1, 0), (outside, 0, 1)):
        needed, least = (needed_room(Takes(0), each, {"ring": ring}) for each in (config, without))
        assert (needed.memory or 0) - (bare.memory or 0) == memory * ring.num_bytes
        assert (least.disk or 0) - (bare.disk or 0) == disk * ring.num_bytes
        # Five checkpoints that share nothing, with logs of half a buffer.
        assert (needed.disk or 0) - (least.disk or 0) == 7.5 * ring.num_bytes

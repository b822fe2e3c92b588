# SPDX-License-Identifier: MIT
"""Buffers on disk: saves write what is new, every one comes back to the byte, killed or not."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from buffer_copies import contents
from regretless.buffers import Buffer, Column, Reservoir, Ring
from regretless.errors import InputError
from regretless.recipes.config import make_config
from regretless.runs import Record, Run
from regretless.storage import segments as module
from regretless.storage.manifest import DamagedError
from regretless.storage.segments import SegmentStore

COLUMNS = (Column("number", "int64"), Column("rest", "uint8", (8,)))
CAPACITY = 500


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process loses nothing that it has written; only a machine does."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def short_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A buffer of ten rows."""
    monkeypatch.setattr(module, "_LEAST_BYTES", 160)


def pair(capacity: int = CAPACITY) -> dict[str, Ring | Reservoir]:
    return {"ring": Ring(COLUMNS, capacity), "sample": Reservoir(COLUMNS, capacity, seed=3)}


def add(buffers: dict[str, Any], count: int) -> None:
    for buffer in buffers.values():
        numbers = np.arange(buffer.num_added, buffer.num_added + count)
        rest = np.repeat(numbers[:, None] % 256, 8, axis=1).astype(np.uint8)
        buffer.add({"number": numbers, "rest": rest})


def all_contents(buffers: dict[str, Any]) -> dict[str, tuple[int, bytes]]:
    return {name: (each.num_added, contents(each)) for name, each in buffers.items()}


def size_of(path: Path) -> int:
    return sum(each.stat().st_size for each in path.iterdir())


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.integers(0, 700), min_size=1, max_size=7), st.booleans())
def test_every_save_comes_back(tmp_path_factory: Any, batches: list[int], is_resumed: bool) -> None:
    path = tmp_path_factory.mktemp("segments")
    store, buffers, saves = SegmentStore(path), pair(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LEAST_BYTES", 160)
        for batch in batches:
            add(buffers, batch)
            saves.append((store.write(buffers), all_contents(buffers)))
            if is_resumed:  # go on in a new process, as it were
                store, buffers = SegmentStore(path), pair()
                store.restore(saves[-1][0], buffers)
        for saved, wanted in saves:
            back = pair()
            SegmentStore(path).restore(saved, back)
            assert all_contents(back) == wanted
            logs = [p.bytes for each in saved.values() for p in each.pieces if p.first is None]
            assert sum(logs) <= 2 * CAPACITY * 16 * module.LOG_SHARE


@pytest.mark.parametrize("name", ["ring", "sample"])
def test_a_hundredth_of_change_writes_a_hundredth(name: str, tmp_path: Path) -> None:
    capacity = 1 << 20  # 16 MiB
    buffers = {name: pair(capacity)[name]}
    add(buffers, capacity)
    store = SegmentStore(tmp_path)
    store.write(buffers)
    before = size_of(tmp_path)
    assert before == capacity * 16
    add(buffers, capacity // 100)
    saved = store.write(buffers)
    # Indices of rows in a log take 8 bytes beside 16.
    assert size_of(tmp_path) - before < 0.0151 * before
    back = {name: pair(capacity)[name]}
    SegmentStore(tmp_path).restore(saved, back)
    assert all_contents(back) == all_contents(buffers)


def test_equal_segments_are_one_file(tmp_path: Path, short_segments: None) -> None:
    ring = Ring(COLUMNS, CAPACITY)
    ring.add({"number": np.zeros(CAPACITY, np.int64), "rest": np.zeros((CAPACITY, 8), np.uint8)})
    saved = SegmentStore(tmp_path).write({"ring": ring})
    assert len(saved["ring"].pieces) == CAPACITY // 10 and len(list(tmp_path.iterdir())) == 1
    back = Ring(COLUMNS, CAPACITY)
    SegmentStore(tmp_path).restore(saved, {"ring": back})
    assert contents(back) == contents(ring)


def test_nothing_new_writes_nothing(tmp_path: Path, short_segments: None) -> None:
    store, buffers = SegmentStore(tmp_path), pair()
    add(buffers, 700)
    first = store.write(buffers)
    names = {path.name for path in tmp_path.iterdir()}
    assert store.write(buffers) == first
    assert {path.name for path in tmp_path.iterdir()} == names


def test_other_buffers_do_not_build_on_these(tmp_path: Path) -> None:
    """A buffer that the store has not saved or filled is saved in full, whatever its name."""
    store, buffers = SegmentStore(tmp_path), pair()
    add(buffers, 100)
    store.write(buffers)
    others = pair()
    add(others, 300)
    back = pair()
    store.restore(store.write(others), back)
    assert all_contents(back) == all_contents(others)


def test_files_that_no_one_needs_are_swept(tmp_path: Path, short_segments: None) -> None:
    store, buffers = SegmentStore(tmp_path), pair()
    add(buffers, 600)
    old = store.write(buffers)
    add(buffers, 2000)
    new = store.write(buffers)
    (tmp_path / ".writing-abc").write_bytes(b"half")
    store.sweep([*old.values(), *new.values()])
    for saved in (old, new):
        store.restore(saved, pair())
    store.sweep(new.values())
    store.restore(new, pair())
    pieces = [piece for each in new.values() for piece in each.pieces]
    assert {path.name for path in tmp_path.iterdir()} == {piece.sha256 for piece in pieces}
    with pytest.raises(DamagedError, match="missing or altered"):
        store.restore(old, pair())


def test_damage_to_any_piece_is_found(tmp_path: Path, short_segments: None) -> None:
    store, buffers = SegmentStore(tmp_path), pair()
    add(buffers, 600)
    store.write(buffers)
    add(buffers, 20)
    saved = store.write(buffers)
    pieces = [piece for each in saved.values() for piece in each.pieces]
    assert {piece.first is None for piece in pieces} == {True, False}
    for piece in pieces:
        path = tmp_path / piece.sha256
        whole = path.read_bytes()
        for hurt in (b"", whole[:-1], whole + b"x", bytes([whole[0] ^ 1]) + whole[1:]):
            path.write_bytes(hurt)
            back = pair()
            with pytest.raises(DamagedError, match=piece.sha256) as caught:
                store.restore(saved, back)
            assert "\n" not in str(caught.value)
        path.write_bytes(whole)
    store.restore(saved, pair())


def test_buffers_of_another_shape_are_refused(tmp_path: Path) -> None:
    store, buffers = SegmentStore(tmp_path), pair()
    add(buffers, 10)
    saved = store.write(buffers)
    other: dict[str, Buffer] = {"ring": Ring(COLUMNS, CAPACITY + 1)}
    with pytest.raises(InputError, match="'ring' has other columns or another capacity"):
        store.restore(saved, other)
    other = {"ring": Ring((*COLUMNS, Column("more", "uint8")), CAPACITY)}
    with pytest.raises(InputError, match="another config"):
        store.restore(saved, other)


def test_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    buffers = pair()
    add(buffers, 10)
    monkeypatch.setattr(module, "write_bytes", fail)
    with pytest.raises(InputError, match="No space left on device") as caught:
        SegmentStore(tmp_path / "segments").write(buffers)
    assert "\n" not in str(caught.value)


# Whole runs, of which the process ends at some file operation.


def make_run(path: Path, *overrides: str) -> Run:
    tree = {"game": "kuhn", "algorithm": "cfr+", "budget": {"steps": 10}, "output": str(path)}
    return Run(path, make_config(tree, "test", overrides))


def go_on(run: Run, steps: int = 6, batch: int = 90) -> dict[str, Any]:
    """As the training loop does: from the newest checkpoint, a step, a save, and so on."""
    buffers = pair()
    with run.opened():
        checkpoint = run.latest(buffers=buffers)
        first = 0 if checkpoint is None else checkpoint.record.step
        for step in range(first + 1, steps + 1):
            add(buffers, batch)
            record = Record(step, measures={"exploitability": abs(step - 2.5)}, measured_at=step)
            run.save({"step": np.array([step])}, record, buffers)
    return all_contents(buffers)


def in_child(work: Callable[[], Any]) -> int:
    """The status of a process of its own that does some work."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}
KILLED = 77


def killed_at(number: int, work: Callable[[], Any]) -> Callable[[], None]:
    """The work, in a process that ends at once before file operation `number`."""

    def killed() -> None:
        left = [number]

        def hear(event: str, arguments: Any) -> None:
            if event in EVENTS:
                if left[0] == 0:
                    os._exit(KILLED)
                left[0] -= 1

        sys.addaudithook(hear)
        work()

    return killed


def files_of(run: Run) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in run.segments.path.iterdir()}
    states = {path.name: (path / "state.safetensors").read_bytes() for path in run.checkpoints()}
    return {**found, **states}


@pytest.mark.parametrize("stride", [23, pytest.param(7, marks=pytest.mark.slow)])
def test_killed_at_many_file_operations(stride: int, tmp_path: Path, short_segments: None) -> None:
    keep = "checkpoint.keep=2"
    steady = make_run(tmp_path / "steady", keep)
    wanted, number, is_done = go_on(steady), 0, False
    while not is_done:
        run = make_run(tmp_path / f"killed_{number}", keep)
        go_on(run, 3)
        work = killed_at(number, lambda run=run: go_on(make_run(run.path, keep), 5))
        status = in_child(work)
        assert status in (0, KILLED)
        is_done = status == 0
        told: list[str] = []
        again = make_run(run.path, keep)
        latest = again.latest(told.append, pair())
        assert latest is not None and latest.record.step in (3, 4, 5) and not told
        assert go_on(again) == wanted
        # The pieces depend on where the process ended, what they amount to does not.
        assert [path.name for path in again.checkpoints()] == [
            path.name for path in steady.checkpoints()
        ]
        kept = {piece for path in again.checkpoints() for piece in pieces_of(path)}
        assert {path.name for path in again.segments.path.iterdir()} == kept
        number += stride
    assert number > 100


def pieces_of(checkpoint: Path) -> set[str]:
    from regretless.runs import read_checkpoint

    saved = read_checkpoint(checkpoint).buffers.values()
    return {piece.sha256 for each in saved for piece in each.pieces}


def test_stopped_and_resumed_leaves_the_same_files(tmp_path: Path, short_segments: None) -> None:
    steady, stopped = make_run(tmp_path / "steady"), make_run(tmp_path / "stopped")
    go_on(steady)
    for steps in (1, 2, 5, 6):
        go_on(make_run(stopped.path), steps)
    assert files_of(steady) == files_of(stopped)


def test_damaged_newest_gives_way_to_the_one_before(tmp_path: Path, short_segments: None) -> None:
    steady, hurt = make_run(tmp_path / "steady"), make_run(tmp_path / "hurt")
    go_on(steady)
    go_on(hurt, 4)
    newest, before = (pieces_of(path) for path in reversed(hurt.checkpoints()[-2:]))
    path = hurt.segments.path / min(newest - before)
    path.write_bytes(path.read_bytes()[:-1])
    told: list[str] = []
    buffers = pair()
    again = make_run(hurt.path)
    latest = again.latest(told.append, buffers)
    assert latest is not None and latest.record.step == 3
    assert len(told) == 1 and str(path) in told[0]
    again.set_aside_after(3)
    assert go_on(make_run(hurt.path)) == all_contents(go_on_from(steady))
    assert files_of(steady) == files_of(hurt)


def test_a_damaged_piece_changes_no_buffer(tmp_path: Path, short_segments: None) -> None:
    store, buffers = SegmentStore(tmp_path), pair()
    add(buffers, 450)
    saved = store.write(buffers)
    path = tmp_path / saved["sample"].pieces[-1].sha256
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    others = pair()
    add(others, 7)
    before = all_contents(others)
    with pytest.raises(DamagedError, match=path.name):
        SegmentStore(tmp_path).restore(saved, others)
    assert all_contents(others) == before


def go_on_from(run: Run) -> dict[str, Any]:
    buffers = pair()
    assert make_run(run.path).latest(buffers=buffers) is not None
    return buffers


def test_buffers_may_be_left_out(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", "checkpoint.buffers=false")
    with run.opened():
        buffers = pair()
        add(buffers, 100)
        run.save({}, Record(1), buffers)
        assert not run.segments.path.exists()
        kept = pair()
        add(kept, 7)
        latest = run.latest(buffers=kept)
        assert latest is not None and latest.buffers == {}
        assert {each.num_added for each in kept.values()} == {7}  # left as they are

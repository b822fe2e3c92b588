# SPDX-License-Identifier: MIT
"""Directories that replace others: one is always there, and what killed writers leave goes."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from regretless.storage import files
from regretless.storage.files import (
    WRITING,
    new_directory,
    remove_leftovers,
    require_writable,
)

EVENTS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}


def write(target: Path, text: str) -> None:
    with new_directory(target) as folder:
        (folder / "a.txt").write_text(text)
        (folder / "b.txt").write_text(text)


def read(target: Path) -> str:
    return (target / "a.txt").read_text() + (target / "b.txt").read_text()


def killed_in(work: Callable[[], None], number: int) -> bool:
    """Do some work in a process that is killed before a file operation; False: it has fewer."""
    child = os.fork()
    if child == 0:
        left = [number]

        def hear(event: str, _: object) -> None:
            if event in EVENTS:
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1

        sys.addaudithook(hear)
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("exchanges", [True, False])
def test_killed_while_one_replaces_another(
    exchanges: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "it"
    if not exchanges:
        monkeypatch.setattr(files, "_exchange", lambda *_: False)
    number = moments_without = 0
    while True:
        write(target, "old ")
        is_killed = killed_in(lambda: write(target, "new "), number)
        moments_without += not target.exists()
        assert not target.exists() or read(target) in ("old old ", "new new ")
        remove_leftovers(tmp_path)  # as whoever writes there next
        assert read(target) in ("old old ", "new new ")
        assert [path.name for path in tmp_path.iterdir()] == ["it"]
        if not is_killed:
            break
        number += 1
    assert number > 5 and read(target) == "new new "
    is_linux = sys.platform == "linux"
    assert moments_without == 0 if exchanges and is_linux else moments_without <= 2


def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    assert killed_in(lambda: write(tmp_path / "it", "half "), 2)
    assert killed_in(lambda: write(tmp_path / "it.b", "half "), 2)
    write(tmp_path / "it", "whole ")
    left = {path.name.rpartition(".")[0] for path in tmp_path.iterdir()}
    assert left == {"", f"{WRITING}it.b"}  # of another name, and nobody else's business
    write(tmp_path / "it.b", "whole ")
    assert {path.name for path in tmp_path.iterdir()} == {"it", "it.b"}


def test_a_writer_that_lives_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "it"
    with new_directory(target) as folder:
        (folder / "a.txt").write_text("slow ")
        write(target, "fast ")
        remove_leftovers(tmp_path)
        assert read(target) == "fast fast "
        (folder / "b.txt").write_text("slow ")
    assert read(target) == "slow slow "
    assert [path.name for path in tmp_path.iterdir()] == ["it"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    for name in ("it", ".hidden", ".writing", "writing-it.0"):
        (tmp_path / name).write_text("")
    remove_leftovers(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    (tmp_path / f"{WRITING}it.0").write_text("")
    remove_leftovers(tmp_path, of="it")
    assert len(list(tmp_path.iterdir())) == 5
    remove_leftovers(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_kill_while_one_looks_whether_one_may_write_leaves_nothing(tmp_path: Path) -> None:
    number = 0
    while killed_in(lambda: require_writable(tmp_path / "it"), number):
        assert not list(tmp_path.iterdir())
        number += 1
    assert not list(tmp_path.iterdir())


def test_without_descriptors_nothing_is_left_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        with pytest.raises(OSError, match="Too many"), new_directory(tmp_path / "it"):
            pass
    assert not list(tmp_path.iterdir())

# SPDX-License-Identifier: MIT
"""Full disks, closed pipes and terminals that lack a sign: one line, or nothing at all."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from regretless.storage.files import write_bytes, write_file

CONFIG = Path(__file__).parents[2] / "configs" / "kuhn_cfr.yaml"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}


def regretless(
    *arguments: str, most_bytes: int | None = None, **options: object
) -> subprocess.CompletedProcess[bytes]:
    def limit() -> None:  # a file that cannot grow stands for a full disk
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes or 0, most_bytes or 0))

    command = [sys.executable, "-m", "regretless", *arguments]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **options}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, preexec_fn=None if most_bytes is None else limit, **given
    )


def told(result: subprocess.CompletedProcess[bytes]) -> str:
    """The one line, notes left out."""
    assert result.returncode == 2, result
    lines = result.stderr.decode().splitlines()
    (line,) = [each for each in lines if not each.startswith("note: ")]
    assert line.startswith("error: ")
    return line


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["solve", "liars-dice-1x3f", "--iterations", "5", "--bundle", "b"], "b: "),
        (["train", str(CONFIG), "budget.steps=20", "output=r"], "r"),
        (["match", "random", "caller", "--hands", "200", "--phh", "h.phhs"], "h.phhs"),
    ],
)
def test_a_full_disk(tmp_path: Path, arguments: list[str], word: str) -> None:
    line = told(regretless(*arguments, most_bytes=1000, cwd=tmp_path))
    assert word in line and "File too large" in line


def test_output_to_a_full_device(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        assert "No space left" in told(regretless("games", stdout=full))
    (tmp_path / "h.phhs").symlink_to("/dev/full")
    played = ["match", "random", "caller", "--hands", "50", "--phh", "h.phhs"]
    line = told(regretless(*played, cwd=tmp_path))
    assert line == "error: h.phhs: No space left on device"


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = regretless("games", "--json", stdout=writer)
    os.close(writer)
    assert result.returncode in (1, 141) and result.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "random", "caller", "--hands", "50"],
        ["bundle", "list"],
        ["games", "--help"],
        ["equity", "AsKs", "\u00b1"],
    ],
)
def test_a_terminal_that_lacks_signs(arguments: list[str]) -> None:
    result = regretless(*arguments, env={**os.environ, **ASCII})
    assert result.returncode == (2 if arguments[0] == "equity" else 0), result.stderr
    assert b"Traceback" not in result.stderr
    assert max(result.stdout + result.stderr) < 128


def test_devices_are_not_replaced(tmp_path: Path) -> None:
    """Replacing in one instant means a rename, which would put a file in the place of a device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="is there and is no file"):
        write_file(pipe, "text")
    with pytest.raises(OSError, match="is there and is no file"):
        write_bytes(pipe, [b"text"])
    assert pipe.is_fifo() and [*tmp_path.iterdir()] == [pipe]

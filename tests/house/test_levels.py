# SPDX-License-Identifier: MIT
"""Which compilation of the native core is chosen, and what is said where none fits."""

import os
import re
import subprocess
import sys

import pytest

import regretless
from regretless import _native, levels
from regretless.errors import InputError

WHEEL = ["x86-64-v4", "x86-64-v3", "x86-64-v2"]
EVERY = [*WHEEL, "x86-64"]


def run(*command: str, level: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != levels.VARIABLE}
    if level is not None:
        environment[levels.VARIABLE] = level
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    ("installed", "runnable", "wanted", "chosen"),
    [
        (WHEEL, EVERY, None, "x86-64-v4"),
        (WHEEL, EVERY[1:], None, "x86-64-v3"),
        (WHEEL, EVERY[2:], None, "x86-64-v2"),
        (WHEEL, EVERY, "", "x86-64-v4"),
        (WHEEL, EVERY, "x86-64-v2", "x86-64-v2"),
        (["native"], EVERY[3:], None, "native"),
        (["native", *WHEEL], EVERY, None, "native"),
        (["native", *WHEEL], EVERY, "x86-64-v3", "x86-64-v3"),
        (["native", *WHEEL], EVERY, "native", "native"),
        (["aarch64"], ["aarch64"], None, "aarch64"),
        (["other"], ["other"], None, "other"),
    ],
)
def test_the_best_that_runs_is_chosen(
    installed: list[str], runnable: list[str], wanted: str | None, chosen: str
) -> None:
    assert levels.choose(installed, runnable, wanted) == chosen


@pytest.mark.parametrize(
    ("installed", "runnable", "wanted", "words"),
    [
        (WHEEL, EVERY, "x86-64-v5", ["REGRETLESS_LEVEL", "'x86-64-v5'", "x86-64-v3"]),
        (WHEEL, EVERY, "native", ["REGRETLESS_LEVEL", "not in this build", "x86-64-v3"]),
        (["native"], EVERY, "x86-64-v2", ["REGRETLESS_LEVEL", "not in this build", "native"]),
        (WHEEL, EVERY[1:], "x86-64-v4", ["REGRETLESS_LEVEL", "cannot run", "x86-64-v3"]),
        (WHEEL, EVERY[3:], None, ["this processor is x86-64 ", "x86-64-v2"]),
        ([], EVERY, None, ["no native core"]),
    ],
)
def test_what_does_not_fit_is_one_line(
    installed: list[str], runnable: list[str], wanted: str | None, words: list[str]
) -> None:
    with pytest.raises(ImportError) as error:
        levels.choose(installed, runnable, wanted)
    assert isinstance(error.value, InputError)
    assert all(word in str(error.value) for word in words), error.value
    assert "\n" not in str(error.value)


def test_modules_are_named_as_cmake_names_them() -> None:
    for level, module in levels.MODULES.items():
        name = "local" if level == "native" else level.replace("-", "_")
        assert module == f"_native_{name}"


def test_this_processor_runs_what_is_loaded() -> None:
    assert _native.level() in levels.processor_levels()
    assert levels.chosen_level() in levels.installed_levels()
    assert levels.chosen_level() in ("native", _native.level())
    assert re.search(r"\d+\.\d+", _native.compiler())


def test_the_core_is_one_module_whatever_its_file() -> None:
    assert sys.modules["regretless._native"] is regretless._native
    assert _native.Deck.__module__ == "regretless._native"


def test_a_wrong_level_is_one_line_of_the_command() -> None:
    result = run("-m", "regretless.cli", "games", level="x86-64-v9")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: REGRETLESS_LEVEL: no level is called 'x86-64-v9'")
    assert result.stderr.count("\n") == 1


def test_a_wrong_level_fails_the_import() -> None:
    result = run("-c", "from regretless import _native", level="x86-64-v9")
    assert result.returncode == 1
    assert "LevelError: REGRETLESS_LEVEL: no level" in result.stderr.splitlines()[-1]


def test_version_says_the_level() -> None:
    result = run("-m", "regretless.cli", "--version")
    assert result.returncode == 0, result.stderr
    expected = rf"regretless {re.escape(regretless.__version__)}, {_native.level()} \(.+\)\n"
    assert re.fullmatch(expected, result.stdout)

# SPDX-License-Identifier: MIT
"""The command line as a user meets it: in a process of its own."""

import json
import subprocess
import sys

import pytest


def regretless(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "regretless.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["games"], {"games"}),
        (["games", "leduc", "--count", "--episode", "3"], {"name", "tree", "episode"}),
        (["equity", "JsTs", "2h2d", "--board", "2c3c4c"], {"equities", "method", "combos"}),
        (["solve", "kuhn", "--iterations", "50"], {"exploitability", "value", "infosets"}),
    ],
)
def test_json_is_one_object_and_nothing_else(arguments: list[str], keys: set[str]) -> None:
    result = regretless(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    assert keys <= json.loads(result.stdout).keys()
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["games", "ledduc"], ["ledduc", "leduc"]),
        (["games", "nlhe", "--players", "12"], ["nlhe", "players", "12"]),
        (["games", "liars-dice-9x9f"], ["liars-dice-9x9f"]),
        (["games", "missing.yaml"], ["missing.yaml"]),
        (["equity", "JsTs", "2x2d"], ["2x", "column"]),
        (["equity", "AsKs", "AsQd"], []),
        (["solve", "kuhn", "--algorithm", "cfrr"], ["cfrr"]),
        (["solve", "plo5"], ["plo5"]),
        (["solve", "nlhe", "--board", "Td9d", "--pot", "200", "--stack", "9"], ["board"]),
        (["solve", "kuhn", "--iterations", "-5"], ["iterations"]),
        (["bench", "nosuch"], ["nosuch"]),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: list[str]) -> None:
    result = regretless(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: "), result.stderr
    for word in words:
        assert word in lines[0]


def test_help_names_every_command() -> None:
    text = regretless("--help").stdout
    assert all(command in text for command in ("games", "equity", "solve", "match", "bench"))

# SPDX-License-Identifier: MIT
"""SIGKILL at every file operation of a run, and at any moment: nothing is lost, nothing is left."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCHEDULES: dict[str, Any] = {
    "evaluate": {"every_steps": 4},
    "checkpoint": {"every_steps": 2, "every_seconds": None, "keep": 2},
    "bundle": {"every_steps": 4},
}
CFR = {"game": "kuhn", "algorithm": {"name": "cfr"}, "budget": {"steps": 10}, **SCHEDULES}
NFSP = {
    "game": "kuhn",
    "algorithm": {
        "name": "nfsp",
        "episodes": 32,
        "tables": 32,
        "batch": 32,
        "capacity": 200,
        "average_capacity": 300,
        "best_response_steps": 2,
        "average_steps": 1,
        "min_transitions": 32,
        "widths": [16],
    },
    "budget": {"steps": 8},
    **SCHEDULES,
}
DEEP_CFR = {
    "game": "kuhn",
    "algorithm": {
        "name": "deep-cfr",
        "traversals": 20,
        "steps": 5,
        "batch": 32,
        "capacity": 300,
        "strategy_every": 4,
        "strategy_steps": 5,
        "widths": [16],
    },
    "budget": {"steps": 8},
    **SCHEDULES,
}


def runs(tree: dict[str, Any], folder: Path, kills: list[list[float]]) -> list[dict[str, Any]]:
    """What became of runs that were killed so, each until its end at last."""
    child = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed_runs.py"))],
        input=json.dumps({"tree": tree, "folder": str(folder), "kills": kills}),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0 and not child.stderr, child.stderr
    found = [json.loads(line) for line in child.stdout.splitlines()]
    assert len(found) == len(kills)
    return found


def sweep(tree: dict[str, Any], folder: Path, points: list[int]) -> None:
    """Killed before each of these file operations, once they are more than a run has."""
    steady, *killed = runs(tree, folder, [[], *([point] for point in points)])
    assert steady["left"] is not None
    had = False
    for point, each in zip(points, killed, strict=True):
        assert each["statuses"] in ([-signal.SIGKILL], [0]), point
        assert each["left"] == steady["left"], point
        assert each["had"] or not had, point  # there never is a moment without a bundle again
        had = each["had"]
    assert had


def num_operations(tree: dict[str, Any], folder: Path) -> int:
    """The least number that a run does not reach."""
    low, high = 0, 64
    while runs(tree, folder, [[high]])[0]["statuses"] != [0]:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        is_killed = runs(tree, folder, [[middle]])[0]["statuses"] != [0]
        low, high = (middle, high) if is_killed else (low, middle)
    return high


def test_killed_at_some_file_operations(tmp_path: Path) -> None:
    sweep(CFR, tmp_path, [0, 1, 2, 3, 4, 5, 8, 13, 21, 34, 55, 89, 144])


@pytest.mark.slow
@pytest.mark.parametrize("tree", [CFR, NFSP, DEEP_CFR], ids=["cfr", "nfsp", "deep-cfr"])
def test_killed_at_every_file_operation(tree: dict[str, Any], tmp_path: Path) -> None:
    sweep(tree, tmp_path, list(range(num_operations(tree, tmp_path))))


@pytest.mark.slow
@pytest.mark.parametrize("tree", [NFSP, DEEP_CFR], ids=["nfsp", "deep-cfr"])
def test_learners_killed_at_random_moments(tree: dict[str, Any], tmp_path: Path) -> None:
    longer = {**tree, "budget": {"steps": 40}}
    moments = random.Random(2)
    kills = [[moments.uniform(0.01, 0.4) for _ in range(8)] for _ in range(3)]
    steady, *killed = runs(longer, tmp_path, [[], *kills])
    assert steady["left"] is not None
    assert any(-signal.SIGKILL in each["statuses"] for each in killed)
    for each in killed:
        assert each["left"] == steady["left"]

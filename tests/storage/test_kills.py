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

from killed_runs import TREES

CFR, NFSP, DEEP_CFR = (TREES[name] for name in ("cfr", "nfsp", "deep-cfr"))


def runs(tree: dict[str, Any], folder: Path, **kills: list[list[float]]) -> list[dict[str, Any]]:
    """Returns the results of runs that were killed (see killed_runs.py) and then finished."""
    child = subprocess.run(
        [sys.executable, str(Path(__file__).parents[1] / "drivers" / "killed_runs.py")],
        input=json.dumps({"tree": tree, "folder": str(folder), **kills}),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0 and not child.stderr, child.stderr
    return [json.loads(line) for line in child.stdout.splitlines()]


def check(steady: dict[str, Any], *killed: dict[str, Any]) -> None:
    """Returns the results of runs that were killed later and later."""
    assert steady["left"] is not None
    had = False
    for point, each in enumerate(killed):
        assert each["statuses"] in ([-signal.SIGKILL], [0]), point
        assert each["left"] == steady["left"], point
        assert each["had"] or not had, point  # there never is a moment without a bundle again
        had = each["had"]
    assert had


def test_killed_at_some_file_operations(tmp_path: Path) -> None:
    points = [0, 1, 2, 3, 4, 5, 8, 13, 21, 34, 55, 89, 144]
    check(*runs(CFR, tmp_path, kills=[[], *([point] for point in points)]))


@pytest.mark.slow
@pytest.mark.parametrize("tree", [CFR, NFSP], ids=["cfr", "nfsp"])
def test_killed_at_every_file_operation(tree: dict[str, Any], tmp_path: Path) -> None:
    found = runs(tree, tmp_path)
    assert len(found) > 100 and found[-1]["statuses"] == [0]
    check(*found)


@pytest.mark.slow
@pytest.mark.parametrize("tree", [NFSP, DEEP_CFR], ids=["nfsp", "deep-cfr"])
def test_learners_killed_at_random_moments(tree: dict[str, Any], tmp_path: Path) -> None:
    longer = {**tree, "budget": {"steps": 40}}
    moments = random.Random(2)
    kills = [[moments.uniform(0.01, 0.4) for _ in range(8)] for _ in range(3)]
    steady, *killed = runs(longer, tmp_path, kills=[[], *kills])
    assert steady["left"] is not None
    assert any(-signal.SIGKILL in each["statuses"] for each in killed)
    for each in killed:
        assert each["left"] == steady["left"]

# SPDX-License-Identifier: MIT
"""The learner of examples/: it learns, and its bundle is used like any other."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "toy_learner.py"


def run(*command: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *command], input=typed, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 120


@pytest.mark.slow
def test_its_bundle_is_measured_matched_and_played(tmp_path: Path) -> None:
    bundle, again = tmp_path / "toy", tmp_path / "again"
    for path in (bundle, again):
        assert str(path) in run(str(EXAMPLE), "--rounds", "6", "--output", str(path))
    assert (bundle / "SHA256SUMS").read_bytes() == (again / "SHA256SUMS").read_bytes()
    found = json.loads(run("-m", "regretless", "evaluate", str(bundle), "--json"))
    assert found["measures"][0]["value"] < 3
    played = ("match", str(bundle), "random", "--hands", "4000", "--json")
    first, _ = json.loads(run("-m", "regretless", *played))["players"]
    assert first["name"] == "toy" and first["mbb_per_game"] > 0
    text = run("-m", "regretless", "play", str(bundle), "--hands", "2", typed="c\n?\n" * 12)
    assert "against toy" in text and "seat 1 holds" in text

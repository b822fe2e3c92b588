# SPDX-License-Identifier: MIT
"""Results are as before. Where they should change: change the line, and say why in CHANGELOG.md."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.signature import LEARNINGS, PARTS, learner_figures

SIGNATURE = (
    "episodes e2ea2cb77278 equities 6fd8fd7060a3 solves 75cf5bf47e3c sampling b053ccd77092 "
    "spots 1d1e46e5f793 search 4bceab4ec7e2 matches aa7c545b3bf5 all 668237508261"
)


def test_the_signature_is_the_one_that_is_written_down() -> None:
    command = [sys.executable, "-m", "regretless.cli", "bench", "--signature"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert found.splitlines()[0] == SIGNATURE


def test_every_piece_of_work_says_something() -> None:
    for name, work in PARTS.items():
        assert len(list(work())) >= 1, name


@pytest.mark.parametrize("name", LEARNINGS)
def test_a_short_training_gives_the_figures_that_are_written_down(name: str) -> None:
    """To 2 %: PyTorch rounds differently on other processors."""
    written = json.loads(Path(__file__).with_name("learner_figures.json").read_text("utf-8"))
    assert learner_figures(name) == pytest.approx(written[name], rel=0.02, abs=1e-3)

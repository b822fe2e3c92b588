# SPDX-License-Identifier: MIT
"""From a config to a table to sit at: what `train` leaves, the other commands take."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from regretless.cli import main

CONFIG = Path(__file__).parents[2] / "configs" / "leduc_cfr.yaml"


def regretless(*arguments: Any) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*map(str, arguments)])
    assert not caught.value.code


@pytest.fixture
def trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, float]:
    """A run on Leduc, and the exploitability that training told."""
    path = tmp_path / "run"
    regretless("train", CONFIG, f"output={path}", "budget.target=0.01", "--json")
    result = json.loads(capsys.readouterr().out)
    assert result["is_finished"] and 0 < result["exploitability"] <= 0.01
    return path, result["exploitability"]


def test_a_run_is_measured_matched_and_played(
    trained: tuple[Path, float],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, exploitability = trained
    for target in (path, path / "bundle"):
        regretless("evaluate", target, "--json")
        (measure,) = json.loads(capsys.readouterr().out)["measures"]
        assert measure["measure"] == "exact exploitability"
        assert measure["value"] == pytest.approx(exploitability, rel=1e-6)

        match = ("match", target, "random", "--game", "leduc", "--hands", 20_000)
        regretless(*match, "--json")
        strong, weak = json.loads(capsys.readouterr().out)["players"]
        least = strong["mbb_per_game"] - strong["mbb_per_game_half_width"]
        assert least > 0 > weak["mbb_per_game"]  # nobody loses to random play for long

        monkeypatch.setattr("sys.stdin", io.StringIO("?\n" + "c\n" * 20))
        regretless("play", target, "--hands", 2)
        text = capsys.readouterr().out
        assert "against dcfr" in text and "after 2 hands" in text

# SPDX-License-Identifier: MIT
"""The forecast of a run: memory and disk before it begins, time when steps show it."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from regretless.algorithms import make_algorithm
from regretless.cli import main
from regretless.games import load_game
from regretless.recipes.config import RunConfig, make_config, read_config
from regretless.recipes.names import config_file
from regretless.runs.room import Room, needed_room
from regretless.runs.run import Run
from regretless.training.forecast import Forecast, Pace
from regretless.training.preparation import run_forecast

FREE = Room(memory=8 << 30, disk=None)


def config(*overrides: str) -> RunConfig:
    tree = {"game": "kuhn", "algorithm": "cfr+", "budget": {"steps": 10_000}}
    return make_config(tree, "test", overrides)


@pytest.mark.parametrize(
    ("overrides", "seconds", "text"),
    [
        ((), 100, "about 1.7 min"),
        (("budget.steps=600000",), 6000, "about 1.7 h"),
        (("evaluate.every_steps=100",), 100 + 3 * 100, "about 6.7 min"),
        (("budget.seconds=30",), 30, "about 30 s"),
        (("budget.seconds=1e6",), 100, "about 1.7 min"),
        (("budget.target=0.1", "evaluate.every_seconds=5"), 100, "about 1.7 min or less"),
        (
            ("budget.steps=null", "budget.target=0.1", "evaluate.every_steps=5"),
            None,
            "unknown (until the target is reached)",
        ),
    ],
)
def test_time(overrides: tuple[str, ...], seconds: float | None, text: str) -> None:
    """A step takes 0.01 s and a measure 3 s."""
    told = config(*overrides)
    (exact,) = told.evaluate.measures
    schedules = {"exact": told.evaluate.schedule(exact)}
    pace = Pace(0.01, schedules, {"exact": 3.0})
    found = pace.seconds(told.budget)
    assert found == (seconds if seconds is None else pytest.approx(seconds))
    assert pace.text(told.budget) == f"time {text}"
    unmeasured = Pace(0.01, schedules, {}).text(told.budget)
    assert ("and measuring" in unmeasured) == (overrides == ("evaluate.every_steps=100",))


@pytest.mark.parametrize(
    ("game", "options", "least", "most"),
    [
        ("liars-dice-1x6f", {"storage": "tree"}, None, None),
        ("liars-dice-1x6f", {"storage": "states"}, 5e6, 1e7),
        ("nlhe", {}, math.inf, math.inf),
    ],
)
def test_tables_that_grow(
    game: str, options: dict[str, Any], least: float | None, most: float | None
) -> None:
    probe = make_algorithm("mccfr", load_game(game), **options)
    needed = needed_room(probe.takes(), config("budget.steps=2"))
    found = Forecast.of(needed, FREE, probe.takes())
    if least is None or most is None:
        assert found.grows_to is None and "grow" not in str(found)
        return
    assert found.grows_to is not None and least <= found.grows_to <= most
    bound = " at most" if most < math.inf else ";"
    assert "its tables grow" in str(found) and bound in str(found)
    if most < math.inf:  # and they never do take more
        probe.step(20_000)
        assert 2 * sum(array.nbytes for array in probe.state().values()) <= found.grows_to


def test_line() -> None:
    found = Forecast(Room(3 << 20, 5 << 30), FREE, None)
    assert str(found) == "memory 3 MiB (8 GiB free); disk 5 GiB (? free)"


def test_no_device_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe for CUDA is forecast where there is none, with a note."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    overrides = ["algorithm.device=cuda", f"output={tmp_path / 'run'}"]
    recipe = read_config(config_file(Path("kuhn_deep_cfr")), overrides)
    notes = list[str]()
    found = run_forecast(Run.new(recipe, "kuhn_deep_cfr"), tell=notes.append)
    assert "memory" in str(found) and not (tmp_path / "run").exists()
    assert any(note.endswith("the forecast is for the CPU") for note in notes)


def test_train_tells_it_and_resume_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, path = tmp_path / "small.yaml", tmp_path / "run"
    file.write_text(json.dumps({"game": "kuhn", "algorithm": "cfr+", "budget": {"steps": 3}}))
    for arguments, is_told in (
        (["train", str(file), f"output={path}"], True),
        (["resume", str(path), "budget.steps=6"], False),
        (["train", str(file), f"output={path}2", "--json"], False),
    ):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert not caught.value.code
        assert capsys.readouterr().err.startswith("note: memory ") == is_told

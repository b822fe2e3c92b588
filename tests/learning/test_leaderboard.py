# SPDX-License-Identifier: MIT
"""The leaderboard of examples/: every algorithm is there, at equal time and at equal nodes."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from regretless.algorithms import ALGORITHMS

ROOT = Path(__file__).parents[2]
QUICK = {  # of the recipes for Kuhn poker, which are made for minutes
    "rebel": {"iterations": 16, "games": 64, "minibatches": 5, "play_iterations": 64},
    "deep-cfr": {"strategy_every": 1, "strategy_steps": 5, "steps": 5},
    "sd-cfr": {"steps": 5},
}
NODES = 2_000


@pytest.fixture
def leaderboard(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = ROOT / "benchmarks" / "scripts" / "leaderboard.py"
    spec = importlib.util.spec_from_file_location("leaderboard", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "leaderboard", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "CHANGES", QUICK)
    return module


def make_page(
    leaderboard: ModuleType, monkeypatch: pytest.MonkeyPatch, path: Path, *options: str
) -> str:
    arguments = ["leaderboard.py", "--seconds", "0.01", "--output", str(path), *options]
    monkeypatch.setattr(sys, "argv", arguments)
    leaderboard.main()
    return path.read_text(encoding="utf-8")


def rows_of(table: str) -> dict[str, list[str]]:
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "]
    return {name: row for name, *row in cells if name != "algorithm"}


def test_every_algorithm_is_in_both_tables(
    leaderboard: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = ("--games", "kuhn", "--nodes", str(NODES))
    page = make_page(leaderboard, monkeypatch, tmp_path / "page.md", *options)
    assert f"--nodes {NODES}" in page and "## kuhn" in page and "does not apply" not in page
    _, by_time, by_nodes = page.split("### ")
    assert by_time.startswith("0.01 seconds\n") and by_nodes.startswith("2,000 nodes touched\n")
    for table in (by_time, by_nodes):
        rows = rows_of(table)
        assert rows.keys() == {key for key, row in ALGORITHMS.items() if row.games != "holdem"}
        gains = [float(row[3]) for row in rows.values()]
        assert gains == sorted(gains) and gains[0] >= 0
    touched = {name: int(row[1].replace(",", "")) for name, row in rows_of(by_nodes).items()}
    assert min(touched.values()) >= NODES
    assert touched["cfr"] == 38 * 54  # 37 iterations of 9 nodes with 3 hands, twice, are too few
    assert NODES <= touched["mccfr"] < NODES + 12


def test_it_says_what_did_not_get_there_and_what_has_no_recipe(
    leaderboard: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = ("--games", "kuhn", "liars-dice-1x4f", "--algorithms", "nfsp", "q-learning")
    limits = ("--nodes", "1000000000", "--longest", "0.01")
    page = make_page(leaderboard, monkeypatch, tmp_path / "page.md", *options, *limits)
    kuhn, dice = page.split("## kuhn")[1].split("## liars-dice-1x4f")
    assert rows_of(kuhn.split("Not so many in 0.01 seconds:")[1]).keys() == {"nfsp", "q-learning"}
    assert "nfsp does not apply: there is no recipe" in dice and rows_of(dice).keys() == {
        "q-learning"
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--games", "kuhm"), "did you mean 'kuhn'"),
        (("--nodes", "0"), "--nodes: must be positive"),
        (("--seconds", "nan"), "--seconds: must be positive"),
        (("--output", "nowhere/page.md"), "there is no folder 'nowhere'"),
        (("--algorithms", "cfx"), "invalid choice: 'cfx'"),
    ],
)
def test_bad_arguments_are_refused_before_anything_runs(
    leaderboard: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    options: tuple[str, ...],
    words: str,
) -> None:
    with pytest.raises(SystemExit):
        make_page(leaderboard, monkeypatch, tmp_path / "page.md", *options)
    assert words in capsys.readouterr().err

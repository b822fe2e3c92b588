# SPDX-License-Identifier: MIT
"""`regretless evaluate` says how strong a strategy is, and what its figure is."""

import json
import shutil
from pathlib import Path

import pytest

from regretless.algorithms import make_algorithm
from regretless.cli import main
from regretless.evaluation import lbr
from regretless.evaluation.measures import evaluate, exact_values
from regretless.games import load_game
from regretless.policy import MixedPolicy, TablePolicy, UniformPolicy
from regretless.storage.bundle import BundleFacts, write_bundle
from regretless.storage.bundle_manifest import AlgorithmFacts


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


def test_exact_and_labelled() -> None:
    game = load_game("leduc")
    solver = make_algorithm("dcfr", game)
    solver.step(100)
    found = evaluate(game, solver.policy())
    (measure,) = found.measures
    assert measure.measure == "exact exploitability"
    assert measure.value == pytest.approx(solver.exploitability(), abs=1e-9)
    assert measure.unit == "antes an episode"
    assert measure.how.startswith("NashConv / 2")
    assert found.note is None


@pytest.mark.parametrize(
    ("name", "exploitability"),
    # Of uniform play, as OpenSpiel has it: NashConv 0.916667 and 4.747222.
    [("kuhn", 0.916667 / 2), ("leduc", 4.747222 / 2)],
)
def test_uniform_play(name: str, exploitability: float) -> None:
    values = exact_values(load_game(name), UniformPolicy())
    assert values.exploitability == pytest.approx(exploitability, abs=1e-5)


def test_nothing_exact_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lbr, "EVALUATION_HANDS", 40)
    assert evaluate(load_game("plo4"), UniformPolicy()).measures == []
    found = evaluate(load_game("nlhe"), UniformPolicy())
    assert found.exact is None and {m.measure for m in found.measures} == {"local best response"}
    assert found.note is not None and "only lower bounds and match results" in found.note
    mixed = MixedPolicy([UniformPolicy()], [1])
    note = evaluate(load_game("kuhn"), mixed).note
    assert note is not None and "mixture: not a table" in note


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game("kuhn")
    solver = make_algorithm("cfr+", game)
    solver.step(500)
    policy = solver.policy()
    assert isinstance(policy, TablePolicy)
    path = tmp_path / "run" / "bundle"
    write_bundle(path, game, policy.table, BundleFacts(AlgorithmFacts(name="cfr+")))
    (tmp_path / "run" / "config.yaml").write_text("game: {name: kuhn}\nalgorithm: {name: cfr+}\n")
    for target in (path, tmp_path / "run"):
        assert run("evaluate", str(target), "--json") == 0
        result = json.loads(capsys.readouterr().out)
        assert result["measures"][0]["value"] == pytest.approx(solver.exploitability(), abs=1e-9)
        assert result["values"][0] == pytest.approx(-1 / 18, abs=1e-3)
    assert run("evaluate", str(path)) == 0
    assert "exact exploitability" in capsys.readouterr().out
    (path / "README.md").write_text("")
    assert run("evaluate", str(path)) == 2
    shutil.rmtree(path)
    assert run("evaluate", str(tmp_path / "run")) == 2
    assert "no bundle yet" in capsys.readouterr().err


def test_large_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lbr, "EVALUATION_HANDS", 40)
    game = load_game("nlhe", menu="a")
    solver = make_algorithm("mccfr", game)
    solver.step(5)
    policy = solver.policy()
    assert isinstance(policy, TablePolicy)
    write_bundle(tmp_path / "b", game, policy.table, BundleFacts(AlgorithmFacts(name="mccfr")))
    assert run("evaluate", str(tmp_path / "b"), "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert "lower bounds" in result["note"]
    assert len(result["measures"]) == 3
    assert all(each["how"].startswith("lower bound") for each in result["measures"])

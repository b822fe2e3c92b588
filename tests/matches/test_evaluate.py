# SPDX-License-Identifier: MIT
"""`regretless evaluate` says how strong a strategy is, and what its figure is."""

import json
from pathlib import Path

import pytest

from regretless.algorithms import make_algorithm
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.table_bundle import write_bundle
from regretless.cli import main
from regretless.evaluation.measures import Effort, evaluate, exact_values
from regretless.games import load_game
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_match
from regretless.policies.policy import MixedPolicy, TablePolicy, UniformPolicy
from regretless.recipes.config import make_config
from regretless.runs import Run, read_checkpoint
from regretless.training.loop import train
from regretless.watch import Watch


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


def test_nothing_exact_is_said_to_be_so() -> None:
    effort = Effort(hands=200, lbr_hands=40)
    matches = [f"match against {name}" for name in BOTS]
    found = evaluate(load_game("plo4"), UniformPolicy(), effort)  # too many hole cards to respond
    assert [m.measure for m in found.measures] == matches
    found = evaluate(load_game("nlhe"), UniformPolicy(), effort)
    assert found.exact is None
    assert [m.measure for m in found.measures] == ["local best response"] * 3 + matches
    assert found.note is not None and "only lower bounds and match results" in found.note


def test_what_is_no_table_is_measured_exactly_too() -> None:
    game = load_game("kuhn")
    found = evaluate(game, MixedPolicy([UniformPolicy()], [1]))
    assert found.note is None
    assert found.exact == exact_values(game, UniformPolicy())


@pytest.mark.parametrize(("name", "players"), [("nlhe", 2), ("nlhe", 3), ("liars-dice-2x6f", 2)])
def test_baselines_are_matches_on_duplicate_deals(name: str, players: int) -> None:
    game = load_game(name, players=players)
    caller = BOTS["caller"](game)
    found = {m.measure: m for m in evaluate(game, caller, Effort(6_000, 40)).measures}
    against = found["match against random"]
    expected = play_match(game, [caller, *[UniformPolicy()] * (players - 1)], MatchConfig(6_000))
    won = expected.players[0].won
    assert against.value == pytest.approx(1000 * won.mean)
    assert against.unit == "mbb a hand"
    ends = f"{1000 * (won.mean - won.half_width):.0f} to {1000 * (won.mean + won.half_width):.0f}"
    assert against.how == (
        f"baseline, no bound: 6,000 hands over duplicate deals, 95 % interval {ends}"
    )
    assert found["match against caller"].value == 0  # itself, on the same cards


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


def test_a_run_that_has_not_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = {"game": "kuhn", "algorithm": "cfr+", "budget": {"steps": 60}}
    going = Run(tmp_path / "run", make_config(tree, "test", ["checkpoint.every_steps=20"]))
    with going.opened():
        assert run("evaluate", str(going.path)) == 2
    message = "the run has left neither a bundle nor a checkpoint yet"
    assert capsys.readouterr().err == f"error: {going.path}: {message}\n"

    steps: list[int] = []
    train(
        going,
        report=lambda progress: steps.append(progress.record.step),
        watch=Watch(lambda: steps[-1:] == [45]),
    )
    solver = make_algorithm("cfr+", load_game("kuhn"))
    for step in (45, 40):  # then the newest checkpoint is damaged, and the one before it is good
        before = snapshot(going.path)
        assert run("evaluate", str(going.path), "--json") == 0
        output = capsys.readouterr()
        result = json.loads(output.out)
        assert result["origin"] == f"checkpoint of step {step}"
        solver.restore(read_checkpoint(going.checkpoints_path / f"step_{step:08d}").state)
        assert solver.steps_done == step
        assert result["measures"][0]["value"] == pytest.approx(solver.exploitability(), abs=1e-12)
        assert ("note: " in output.err) == (step == 40)
        assert snapshot(going.path) == before
        (going.checkpoints_path / "step_00000045" / "manifest.json").write_text("{}")
    assert run("evaluate", str(going.path)) == 0
    assert "cfr+ on kuhn, checkpoint of step 40, 12 infosets" in capsys.readouterr().out


def snapshot(path: Path) -> dict[Path, bytes]:
    return {each: each.read_bytes() for each in path.rglob("*") if each.is_file()}


def test_large_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game("nlhe", menu="a")
    solver = make_algorithm("mccfr", game)
    solver.step(5)
    policy = solver.policy()
    assert isinstance(policy, TablePolicy)
    write_bundle(tmp_path / "b", game, policy.table, BundleFacts(AlgorithmFacts(name="mccfr")))
    hands = ("--hands", "500", "--lbr-hands", "40")
    assert run("evaluate", str(tmp_path / "b"), *hands, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert "lower bounds" in result["note"]
    bounds, baselines = result["measures"][:3], result["measures"][3:]
    assert all(each["how"].startswith("lower bound") for each in bounds)
    assert all(each["low"] <= each["value"] <= each["high"] for each in result["measures"])
    assert len(baselines) == len(BOTS)
    assert all(each["how"].startswith("baseline, no bound: 500 hands") for each in baselines)
    assert run("evaluate", str(tmp_path / "b"), *hands) == 0
    assert "match against pot-odds" in capsys.readouterr().out


def test_seed_threads_and_device(capsys: pytest.CaptureFixture[str]) -> None:
    def found(*more: str) -> list[float]:
        words = ["evaluate", "caller", "--game", "plo4", "--hands", "60"]
        assert run(*words, "--json", *more) == 0
        return [each["value"] for each in json.loads(capsys.readouterr().out)["measures"]]

    first = found("--seed", "1")
    assert found("--seed", "1", "--threads", "2") == first
    assert found("--seed", "2") != first
    assert run("evaluate", "caller", "--game", "nlhe", "--device", "cuda:77") == 2
    assert "no such CUDA device" in capsys.readouterr().err
    assert run("evaluate", "caller", "--game", "nlhe", "--seed", "-1") == 2
    assert "seed" in capsys.readouterr().err


def test_networks_go_to_the_device(tmp_path: Path) -> None:
    from regretless.seats.strategies import find_strategy

    shipped = find_strategy("hunl-deep-cfr", device="meta")
    assert str(shipped.policy._device) == "meta"  # type: ignore[attr-defined]

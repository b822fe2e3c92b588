# SPDX-License-Identifier: MIT
"""Bundles that ship with the package: found by name, sound, played; and bundles written anew."""

import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Protocol
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.bundles.bundle import (
    Bundle,
    BundleFacts,
    copy_bundle,
    open_bundle,
)
from regretless.bundles.bundle_manifest import AlgorithmFacts, EncoderFacts, Strength
from regretless.bundles.model_card import strength_line
from regretless.bundles.network_bundle import write_network_bundle
from regretless.bundles.shipped import shipped_names, strategy_directory
from regretless.cli import main
from regretless.errors import InputError
from regretless.games import game_names, load_game
from regretless.matches.bots import BOTS
from regretless.networks.mlp import MlpShape
from regretless.networks.shape import NetworkWeights
from regretless.seats.contestants import OPPONENTS, find_contestants
from regretless.seats.strategies import find_strategy, open_policy
from regretless.solving.solution import solve

ROOT = Path(__file__).parents[2]
NAME = "hunl-deep-cfr"
STRENGTH = Strength(measure="a match", value=5.0, unit="mbb", how="played", low=4.0, high=6.0)


class Run(Protocol):
    def __call__(self, *arguments: str, typed: str = "", code: int = 0) -> str: ...


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command in this process: all that it printed."""

    def call(*arguments: str, typed: str = "", code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        found = capsys.readouterr()
        assert ended.value.code == code, found.err
        return found.out + found.err

    return call


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_bundle_is_sound(name: str) -> None:
    directory = strategy_directory(name)
    assert directory is not None
    bundle = open_bundle(directory)
    bundle.verify()
    assert bundle.manifest.strength, "says how strong it is"
    assert sum(each.size for each in bundle.manifest.files.values()) < 20e6
    assert name not in BOTS and name not in game_names()
    assert not set(name) & set("/:.")  # neither a path nor a custom bot


def test_the_default_opponent_claims_what_thousands_of_hands_show() -> None:
    directory = strategy_directory("hunl-deep-cfr")
    assert directory is not None
    claims = [each.how for each in open_bundle(directory).manifest.strength]
    hands = [int(re.search(r"([0-9,]+) hands", how)[1].replace(",", "")) for how in claims]
    assert len(hands) == 8 and min(hands) >= 2000


def test_opponents_are_shipped_and_their_games_known() -> None:
    assert set(OPPONENTS.values()) <= set(shipped_names())
    assert set(OPPONENTS) <= set(game_names())
    assert find_strategy(OPPONENTS["nlhe"]).game.name == "hunl-100bb"


def test_a_directory_at_hand_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert strategy_directory("nothing") is None and strategy_directory(f"./{NAME}") is None
    assert strategy_directory(NAME) not in (None, Path(NAME))
    solve("kuhn", iterations=10).write_bundle(NAME)
    assert strategy_directory(NAME) == Path(NAME)
    assert find_strategy(NAME).game.name == "kuhn"


@given(st.text(max_size=20))
def test_no_other_name_is_shipped(text: str) -> None:
    try:
        found = strategy_directory(text)
    except ValueError:  # no path at all
        return
    assert found is None or found == Path(text) or text in shipped_names()


def test_it_is_found_wherever_a_player_is() -> None:
    game = load_game("hunl-100bb")
    assert open_policy(NAME).name == find_contestants([NAME], game)[0].policy.name == "deep-cfr"
    first, second = find_contestants([NAME, "caller"])
    assert first.game.name == second.game.name == "hunl-100bb" and first.origin == "bundle"
    with pytest.raises(InputError, match="hunl-deep-cfr is for hunl-100bb"):
        find_contestants([NAME], load_game("leduc"))


def test_play_sits_down_against_it(run: Run) -> None:
    text = run("play", "nlhe", "--hands", "2", "--seed", "1", typed="c\nk\n" * 40)
    claim = open_bundle(strategy_directory(NAME) or Path()).manifest.strength
    assert text.startswith(f"{NAME}: {strength_line(claim)}\nhunl-100bb, 2 players, against deep")
    assert "after 2 hands" in text
    assert "against random" in run("play", "nlhe", "--players", "3", typed="q\n")
    assert "nlhe, 2 players, against caller" in run("play", "nlhe", "--against", "caller")


def test_the_commands_know_it(run: Run) -> None:
    assert NAME in run("bundle", "list")
    rows = json.loads(run("bundle", "list", "--json"))["bundles"]
    assert [row["name"] for row in rows] == shipped_names()
    assert ("hunl-100bb", NAME) in [(row["game"], row["name"]) for row in rows]
    assert "composition" in run("bundle", "info", NAME)
    assert "sound" in run("bundle", "verify", NAME)
    found = json.loads(run("match", NAME, "random", "--hands", "200", "--json"))
    assert found["game"] == "hunl-100bb"


def test_it_is_in_what_is_installed(tmp_path: Path) -> None:
    """A wheel without the native modules has the same data."""
    build("build_wheel(sys.argv[1], {'wheel.cmake': 'false'})", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(ZipFile(wheel).namelist())
    assert {f"regretless/shipped/{NAME}/{name}" for name in shipped_files()} <= packed


@pytest.mark.slow
def test_it_is_in_the_sources(tmp_path: Path) -> None:
    build("build_sdist(sys.argv[1])", tmp_path)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as file:
        sources = {name.partition("/")[2] for name in file.getnames()}
    assert {f"src/regretless/shipped/{NAME}/{name}" for name in shipped_files()} <= sources


def build(call: str, folder: Path) -> None:
    script = f"import sys; from scikit_build_core.build import build_sdist, build_wheel; {call}"
    command = [sys.executable, "-c", script, str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def shipped_files() -> set[str]:
    folder = strategy_directory(NAME)
    assert folder is not None
    return {each.name for each in folder.iterdir()}


def networks(path: Path, strength: list[Strength]) -> Bundle:
    game = load_game("kuhn")
    shape = MlpShape(inputs=3, widths=(4,), outputs=game.num_actions, head="advantages")
    random = np.random.default_rng(0)
    parameters = {
        name: random.normal(size=(1, *size)).astype(np.float32)
        for name, size in shape.parameters().items()
    }
    weights = NetworkWeights(shape, parameters, np.ones(1))
    facts = BundleFacts(AlgorithmFacts(name="toy", seed=3), strength, created="some day")
    return write_network_bundle(path, game, weights, EncoderFacts(name="any", version=1), facts)


def test_export_rounds_and_says_so(tmp_path: Path, run: Run) -> None:
    bundle = networks(tmp_path / "whole", [STRENGTH])
    options = ("--output", str(tmp_path / "half"), "--precision", "bfloat16")
    text = run("bundle", "export", str(bundle.path), *options)
    assert "sound" in text
    half = open_bundle(tmp_path / "half")
    assert half.manifest.networks and half.manifest.networks.precision == "bfloat16"
    assert half.manifest.algorithm == bundle.manifest.algorithm
    assert half.manifest.created == "some day"
    (claim,) = half.manifest.strength
    assert claim.how == "played, before it was rounded from float32 to bfloat16"
    assert (claim.low, claim.high) == (4.0, 6.0)
    for name, whole in bundle.networks().parameters.items():
        np.testing.assert_allclose(half.networks().parameters[name], whole, rtol=2**-8)
    refused = run("bundle", "export", str(bundle.path), *options, code=2)
    assert "there is a bundle already; --force replaces it" in refused
    assert "sound" in run("bundle", "export", str(bundle.path), *options, "--force")
    again = copy_bundle(half, tmp_path / "again")
    assert again.digest == half.digest


def test_export_of_a_table(tmp_path: Path) -> None:
    bundle = solve("kuhn", iterations=10).write_bundle(tmp_path / "table")
    single = copy_bundle(bundle, tmp_path / "single", precision="float32")
    np.testing.assert_array_equal(
        single.table().probabilities, bundle.table().probabilities.astype(np.float32)
    )
    assert copy_bundle(bundle, tmp_path / "same").digest == bundle.digest


def test_export_refuses_precisions_of_the_other_kind(tmp_path: Path, run: Run) -> None:
    table = solve("kuhn", iterations=10).write_bundle(tmp_path / "table")
    for source, precision in ((table, "bfloat16"), (networks(tmp_path / "n", []), "float64")):
        options = ("--output", str(tmp_path / "x"), "--precision", precision)
        text = run("bundle", "export", str(source.path), *options, code=2)
        assert len(text.splitlines()) == 1 and "precision:" in text
        assert not (tmp_path / "x").exists()


def test_evaluate_records_in_the_bundle(tmp_path: Path, run: Run) -> None:
    bundle = solve("kuhn", iterations=10).write_bundle(tmp_path / "table")
    wrong = copy_bundle(bundle, bundle.path, strength=[STRENGTH])
    assert strength_line(wrong.manifest.strength) == "a match 5 ± 1 mbb"
    run("evaluate", str(bundle.path), "--record")
    found = open_bundle(bundle.path)
    found.verify()
    (measured,), (solved,) = found.manifest.strength, bundle.manifest.strength
    assert measured == solved.model_copy(update={"value": pytest.approx(solved.value)})
    assert "exact exploitability" in (bundle.path / "README.md").read_text()
    assert "--record: caller is no bundle" in run("evaluate", "caller", "--record", code=2)


def test_the_two_for_100_big_blinds_meet(run: Run) -> None:
    text = run("match", "nlhe-nfsp", NAME, "--hands", "4")
    assert "played as nlhe, each maps the others' bets" in text and "4 hands" in text


def test_strength_in_one_line() -> None:
    assert strength_line([]) == "strength not measured"
    less = STRENGTH.model_copy(update={"value": 1234.5, "low": None, "high": None})
    exact = Strength(measure="exact", value=0.01, unit="antes", how="computed")
    assert strength_line([less, STRENGTH, exact]) == "a match 1,234 mbb; exact 0.01 antes"

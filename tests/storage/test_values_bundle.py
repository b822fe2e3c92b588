# SPDX-License-Identifier: MIT
"""Bundles of value networks: written by a run of ReBeL, opened as leaf values, never trusted."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from regretless.bundles.bundle import copy_bundle, open_bundle  # noqa: E402
from regretless.cli import main  # noqa: E402
from regretless.errors import InputError  # noqa: E402
from regretless.recipes.config import make_config  # noqa: E402
from regretless.runs import Run  # noqa: E402
from regretless.search.network_answers import NetworkLeaves  # noqa: E402
from regretless.training.loop import train  # noqa: E402
from regretless.training.preparation import restored  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    path = tmp_path_factory.mktemp("rebel") / "run"
    options = {"depth": 1, "iterations": 4, "games": 4, "examples": 8, "validation": 0}
    fitted = {"width": 8, "layers": 2, "batch": 8, "minibatches": 2, "play_iterations": 4}
    tree = {
        "game": "kuhn",
        "algorithm": {"name": "rebel", **options, **fitted},
        "budget": {"steps": 2},
        "output": str(path),
    }
    made = Run.new(make_config(tree, "test"), "run")
    train(made)
    return made


def answers(leaves: NetworkLeaves, features: Any) -> Any:
    """Values at some ranges of the three hands."""
    count = len(features)
    leaves.prepare(features, np.full(count, 2.0), np.ones((count, 3), np.bool_))
    random = np.random.default_rng(1).random((count, 2, 3)).astype(np.float32)
    return leaves(random / random.sum(axis=2, keepdims=True)).copy()


def test_a_run_leaves_its_value_network_which_answers_leaves_again(run: Run) -> None:
    opened = open_bundle(run.path / "values")
    opened.verify()
    assert opened.manifest.kind == "values" and opened.game.name == "kuhn"
    algorithm: Any = restored(run)[0]
    weights = opened.values()
    features = np.random.default_rng(0).random((5, weights.shape.features)).astype(np.float32)
    both = algorithm.leaves(), NetworkLeaves(weights.build(), CPU)
    expected, found = (answers(each, features) for each in both)
    np.testing.assert_array_equal(found, expected)
    assert np.abs(found).max() > 0


def test_it_is_no_strategy(run: Run) -> None:
    opened = open_bundle(run.path / "values")
    for wanted, words in (
        (opened.policy, "holds a value network, which plays only in a search"),
        (opened.table, "holds a value network, not a table"),
        (opened.networks, "not networks"),
        (opened.tree, "holds no solved tree"),
        (open_bundle(run.path / "bundle").values, "holds no value network"),
    ):
        with pytest.raises(InputError, match=words):
            wanted()


def test_copies_and_commands(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = open_bundle(run.path / "values")
    copied = copy_bundle(opened, tmp_path / "copy")
    names = [path.name for path in sorted(copied.path.iterdir())]
    assert names == ["README.md", "SHA256SUMS", "manifest.json", "values.safetensors"]
    for name in names:
        assert (copied.path / name).read_bytes() == (opened.path / name).read_bytes()
    with pytest.raises(InputError, match="value networks have float32"):
        copy_bundle(opened, tmp_path / "double", precision="float64")
    half = copy_bundle(opened, tmp_path / "half", precision="bfloat16")
    for name, each in opened.values().parameters.items():
        np.testing.assert_allclose(half.values().parameters[name], each, rtol=2**-8)
    for command, words in (("info", "public features, 2 ranges of 3 hands"), ("verify", "sound")):
        with pytest.raises(SystemExit) as ended:
            main(["bundle", command, str(run.path / "values")])
        assert ended.value.code == 0 and words in capsys.readouterr().out
    assert "A value network of" in (copied.path / "README.md").read_text()


def test_damage_is_one_line(run: Run, tmp_path: Path) -> None:
    path = Path(shutil.copytree(run.path / "values", tmp_path / "b"))
    data = bytearray((path / "values.safetensors").read_bytes())
    data[-1] ^= 1
    (path / "values.safetensors").write_bytes(data)
    for use in (lambda: open_bundle(path).values(), lambda: open_bundle(path).verify()):
        with pytest.raises(InputError, match="damaged, its SHA-256 is another"):
            use()
    text = (path / "manifest.json").read_text()
    (path / "manifest.json").write_text(text.replace('"width": 8', '"width": 9'))
    with pytest.raises(InputError, match=r"must be \[.*\], not \["):
        open_bundle(path, verify=False).values()

# SPDX-License-Identifier: MIT
"""Configs: what a file and overrides say, and one line about what they cannot mean."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.blueprint import index_buckets
from regretless.algorithms import make_algorithm
from regretless.errors import InputError
from regretless.games import load_game
from regretless.recipes.config import (
    ClusterConfig,
    RunConfig,
    config_text,
    make_config,
    read_config,
)
from regretless.training.on_cluster import shards_made

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
SMALL: dict[str, Any] = {"game": "kuhn", "algorithm": "cfr+", "budget": {"steps": 10}}


def make(*overrides: str) -> RunConfig:
    return make_config(SMALL, "small.yaml", overrides)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_config_file_makes_its_algorithm(path: Path) -> None:
    config = read_config(path)
    game = load_game(config.game.name, **config.game.options)
    options = config.algorithm.options
    if options.get("device") == "cuda":  # recipes for a device that this machine may not have
        options["device"] = "cpu"
    if "abstraction" in options:  # which takes minutes to build, and its rows much memory
        options |= {"abstraction": index_buckets(), "storage": "states"}
    algorithm = make_algorithm(config.algorithm.name, game, **options)
    assert algorithm.steps_done == 0


def test_resolved_config_reads_back(tmp_path: Path) -> None:
    config = make("game.options.players=3", "budget.seconds=1e-5", "algorithm.alpha=0.1")
    (tmp_path / "config.yaml").write_text(config_text(config), encoding="utf-8")
    assert read_config(tmp_path / "config.yaml") == config


def test_overrides() -> None:
    config = make("algorithm.name=dcfr", "algorithm.gamma=3", "budget.steps=1e3", "seed=7")
    assert config.algorithm.name == "dcfr"
    assert config.algorithm.options == {"gamma": 3}
    assert config.budget.steps == 1000
    assert config.seed == 7
    assert make("game=leduc").game.name == "leduc"
    assert make("budget.target=1e-4", "evaluate.every_steps=5").budget.target == 1e-4


def test_overrides_leave_the_mapping_alone() -> None:
    make("budget.steps=5")
    assert SMALL["budget"] == {"steps": 10}


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("budget.stesp=5", ["budget.stesp", "'steps'"]),
        ("buget.steps=5", ["buget", "'budget'"]),
        ("game.nam=kuhn", ["game.nam", "'name'"]),
        ("budget.steps=x", ["budget.steps", "'x'"]),
        ("budget.steps=true", ["budget.steps", "True"]),
        ("budget.steps=0", ["budget.steps", "0"]),
        ("budget.steps=null", ["budget", "steps, seconds or target"]),
        ("budget.seconds=.inf", ["budget.seconds"]),
        ("budget.target=1e-3", ["budget.target", "evaluate.every_steps"]),
        ("budget=5", ["budget", "mapping"]),
        ("checkpoint.keep=0", ["checkpoint.keep"]),
        ("checkpoint.buffers=maybe", ["checkpoint.buffers"]),
        ("seed=-1", ["seed"]),
        ("algorithm.seed=3", ["algorithm", "seed"]),
        ("algorithm=null", ["algorithm"]),
        ("game.options.name=leduc", ["game", "options.name"]),
        ("game.name.x=3", ["game.name"]),
        ("budget.steps", ["key=value"]),
        ("=5", ["key=value"]),
        ("budget.steps=[1", ["budget.steps=[1", "column"]),
        ('output="\\0"', ["output"]),
    ],
)
def test_bad_override_is_named(override: str, words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        make(override)
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_file_that_is_no_config(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(InputError, match=r"list\.yaml: must be a mapping"):
        read_config(path)
    path.write_text("game: kuhn", encoding="utf-8")
    with pytest.raises(InputError, match="is missing"):
        read_config(path)
    with pytest.raises(InputError, match=r"none\.yaml"):
        read_config(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("dcfr", {"alhpa": 1}, ["alhpa", "'alpha'"]),
        ("dcfr", {"variant": "cfr"}, ["variant"]),
        ("mccfr", {"sampling": "outcome"}, ["sampling"]),
        ("mccfr", {"batch": "x"}, ["batch", "'x'"]),
        ("mccfr", {"threads": 0}, ["threads"]),
        ("mccfr", {"iterations_per_step": 0}, ["iterations_per_step"]),
        ("rl-cfr", {"bootstrap": "much"}, ["bootstrap", "baseline"]),
        ("rl-cfr", {"replay_capacity": 10**30}, ["replay_capacity"]),
        ("q-learning", {"epsilon": 3.0}, ["epsilon"]),
        ("fictitious-play", {"is_linear": 1}, ["is_linear"]),
    ],
)
def test_bad_option_is_named(name: str, options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        make_algorithm(name, load_game("kuhn"), **options)
    for word in words:
        assert word in str(caught.value)


def test_options_reach_the_algorithm() -> None:
    config = make("algorithm=rl-cfr", "algorithm.epsilon=0.5", "algorithm.iterations_per_step=7")
    algorithm = make_algorithm(config.algorithm.name, load_game("kuhn"), **config.algorithm.options)
    assert algorithm.step()["iterations"] == 7


KEYS = [
    *("game", "game.name", "game.options", "algorithm", "algorithm.x", "budget", "budget.steps"),
    *("budget.target", "evaluate.every_steps", "checkpoint.keep", "output", "seed", "log"),
]


@given(st.one_of(st.text(), st.builds("{}={}".format, st.sampled_from(KEYS), st.text())))
def test_any_override_works_or_is_an_input_error(text: str) -> None:
    try:
        config = make(text)
    except InputError as error:
        assert str(error)
    else:
        assert isinstance(config, RunConfig)
        assert config_text(config)


def test_a_cluster_by_its_name_or_with_options() -> None:
    tree = {"game": "kuhn", "algorithm": "cfr", "budget": {"steps": 1}}
    assert make_config(tree, "test").cluster is None
    for overrides, name, workers in (
        (["cluster=local"], "local", None),
        (["cluster=auto", "cluster.workers=4"], "auto", 4),
        (["cluster.name=node-1.example:6379"], "node-1.example:6379", None),
    ):
        found = make_config(tree, "test", overrides).cluster
        assert found is not None and (found.name, found.workers) == (name, workers)
    for wrong in ("cluster=everywhere", "cluster=host:", "cluster.workers=0", "cluster=[1]"):
        with pytest.raises(InputError, match="test: cluster"):
            make_config(tree, "test", ["cluster=local", wrong])


def test_an_algorithm_without_shards_has_no_cluster() -> None:
    config = make_config({"game": "kuhn", "algorithm": "cfr", "budget": {"steps": 1}}, "test")
    config = config.model_copy(update={"cluster": ClusterConfig(name="local")})
    algorithm = make_algorithm("cfr", load_game("kuhn"))
    with (
        pytest.raises(InputError, match="'cfr' makes no shards"),
        shards_made(config, algorithm, lambda _: None),
    ):
        pass

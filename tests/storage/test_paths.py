# SPDX-License-Identifier: MIT
"""Public functions take a path as a text or as a Path."""

import inspect
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

import regretless
from regretless import (
    Run,
    evaluate,
    load_game,
    match,
    open_bundle,
    read_config,
    read_phh_file,
    solve,
    write_phh,
    write_policy,
)
from regretless.buffers import Column, Ring
from regretless.bundles.bundle import BundleFacts, copy_bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.table_bundle import write_bundle
from regretless.histories.phh import write_phhs
from regretless.seats.strategies import open_policy

FACTS = BundleFacts(AlgorithmFacts(name="cfr"), [])


@pytest.mark.parametrize("kind", [str, Path])
def test_every_reader_and_writer(tmp_path: Path, kind: Callable[[Path], Any]) -> None:
    solution = solve("kuhn", iterations=5)
    bundle, other = kind(tmp_path / "bundle"), kind(tmp_path / "other")
    assert solution.write_bundle(bundle).path == tmp_path / "bundle"
    assert open_bundle(bundle).verify() is None
    open_policy(bundle)
    write_policy(other, solution.game, solution.policy, FACTS)
    write_bundle(other, solution.game, solution.policy.table, FACTS)
    assert copy_bundle(open_bundle(bundle), other).path == tmp_path / "other"
    assert evaluate(bundle).measures
    variant = tmp_path / "variant.yaml"
    variant.write_text("base: leduc\n", encoding="utf-8")
    assert load_game(kind(variant)).num_players == 2
    assert match("random", "caller", game=kind(variant), hands=4).hands == 4
    assert evaluate("random", kind(variant)).measures
    assert solve(kind(variant), iterations=1).game.name == "variant"
    config = tmp_path / "config.yaml"
    config.write_text("game: kuhn\nalgorithm: cfr\nbudget: {steps: 1}\n", encoding="utf-8")
    assert read_config(kind(config)).budget.steps == 1
    run = regretless.train(kind(config), f"output={tmp_path / 'run'}")
    assert Run.existing(kind(run.path)).path == run.path
    hands = tmp_path / "hands.phhs"
    episode = regretless.PokerEpisode(load_game("nlhe"), 1, 0)
    hands.write_text(write_phhs([episode]), encoding="utf-8")
    assert write_phh(read_phh_file(kind(hands))[0]) == write_phh(episode)
    Ring([Column("x", "u1", (4,))], capacity=8, directory=kind(tmp_path))


OPTIONAL = dict.fromkeys(
    ("Generator", "Tensor", "Network", "GraphLayers", "DataFrame", "Table"), object
)
"""Names that are imported for type checking only."""


def test_no_public_function_takes_only_one_of_them() -> None:
    for name in regretless.PUBLIC:
        public = getattr(regretless, name)
        members = vars(public).values() if inspect.isclass(public) else [public]
        for each in members:
            function = getattr(each, "__func__", each)
            if not inspect.isfunction(function) or function.__name__.startswith("__"):
                continue
            for parameter, hint in get_type_hints(function, localns=OPTIONAL).items():
                is_union = get_origin(hint) in (types.UnionType, Union)
                kinds = set(get_args(hint)) if is_union else {hint}
                if parameter != "return" and Path in kinds:
                    assert str in kinds, f"{name}: {function.__name__}: {parameter}"

# SPDX-License-Identifier: MIT
"""What an algorithm found, as a bundle: of a table or of networks, by what its policy is."""

import datetime
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from regretless.algorithm import Algorithm
from regretless.bundles.bundle import Bundle, BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts, EncoderFacts, Strength
from regretless.bundles.network_bundle import write_network_bundle
from regretless.bundles.table_bundle import write_bundle
from regretless.bundles.tree_bundle import write_tree_bundle
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.explicit.native_adapter import NativeGame
from regretless.games import Game
from regretless.networks.shape import NetworkWeights, RowEncoder
from regretless.policies.policy import BucketPolicy, Policy, TablePolicy
from regretless.policies.strategy_table import StrategyTable
from regretless.policies.strategy_tree import StrategyTree


@runtime_checkable
class PlaysNetworks(Protocol):
    """A policy of networks."""

    @property
    def weights(self) -> NetworkWeights: ...

    @property
    def encoder(self) -> RowEncoder: ...


def write_solution(
    path: str | Path, solver: Algorithm, facts: AlgorithmFacts, measures: Iterable[Measure]
) -> Bundle:
    """The strategy of `solver`, in place of an older one, and what was measured of it."""
    game: Any = solver.game.game if isinstance(solver.game, NativeGame) else solver.game
    strength = [claimed(each) for each in measures]
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return write_policy(path, game, solver.policy(), BundleFacts(facts, strength, created=created))


def write_tree(
    path: Path, game: Game, tree: StrategyTree, facts: AlgorithmFacts, measures: Iterable[Measure]
) -> Bundle:
    """A solved public tree, in place of an older bundle, and what was measured of it."""
    strength = [claimed(each) for each in measures]
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return write_tree_bundle(path, game, tree, BundleFacts(facts, strength, created=created))


def claimed(measure: Measure) -> Strength:
    """A figure as a bundle claims it."""
    found = asdict(measure.finite())
    return Strength(**{key: value for key, value in found.items() if key != "key"})


def write_policy(path: str | Path, game: Game, policy: Policy, facts: BundleFacts) -> Bundle:
    """A policy as a bundle; InputError if it is neither a table nor networks."""
    if isinstance(policy, TablePolicy):
        table = policy.table
        if _is_single(table):
            return write_bundle(path, game, table, facts, precision="float32")
        return write_bundle(path, game, table, facts)
    if isinstance(policy, BucketPolicy):  # made of numbers in single precision
        table, buckets = policy.table, policy.abstraction
        return write_bundle(path, game, table, facts, abstraction=buckets, precision="float32")
    if isinstance(policy, PlaysNetworks):
        encoder = EncoderFacts(name=policy.encoder.name, version=policy.encoder.version)
        return write_network_bundle(path, game, policy.weights, encoder, facts)
    raise InputError(f"{policy.name}: neither a table nor networks, so there is nothing to write")


def _is_single(table: StrategyTable) -> bool:
    """Whether single precision holds all its numbers as they are."""
    numbers = (table.probabilities, table.values, table.reaches)
    return all(each is None or bool((each.astype(np.float32) == each).all()) for each in numbers)

# SPDX-License-Identifier: MIT
"""Writes the result of an algorithm as a bundle, of the kind that its policy calls for."""

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
from regretless.bundles.values_bundle import write_values_bundle
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.explicit.native_adapter import NativeGame
from regretless.games import Game
from regretless.networks.beliefs import BeliefWeights
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


@runtime_checkable
class LearnsValues(Protocol):
    """An algorithm with a value network over public belief states."""

    def value_weights(self) -> BeliefWeights: ...


def write_values(path: str | Path, solver: Algorithm, facts: AlgorithmFacts) -> Bundle:
    """Writes the value network of an algorithm, in place of an older one."""
    assert isinstance(solver, LearnsValues)
    return write_values_bundle(path, solver.game, solver.value_weights(), _made_now(facts, ()))


def write_solution(
    path: str | Path, solver: Algorithm, facts: AlgorithmFacts, measures: Iterable[Measure]
) -> Bundle:
    """Writes the strategy of `solver`, in place of an older one, with its measures."""
    game: Any = solver.game.game if isinstance(solver.game, NativeGame) else solver.game
    return write_policy(path, game, solver.policy(), _made_now(facts, measures))


def write_tree(
    path: Path, game: Game, tree: StrategyTree, facts: AlgorithmFacts, measures: Iterable[Measure]
) -> Bundle:
    """Writes a solved public tree, in place of an older bundle, with its measures."""
    return write_tree_bundle(path, game, tree, _made_now(facts, measures))


def _made_now(facts: AlgorithmFacts, measures: Iterable[Measure]) -> BundleFacts:
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return BundleFacts(facts, [claimed(each) for each in measures], created=created)


def claimed(measure: Measure) -> Strength:
    """A measure as a bundle claims it."""
    found = asdict(measure.finite())
    return Strength(**{key: value for key, value in found.items() if key != "key"})


def write_policy(path: str | Path, game: Game, policy: Policy, facts: BundleFacts) -> Bundle:
    """Writes a policy as a bundle; InputError if it is neither a table nor networks."""
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
    """Whether single precision represents all numbers exactly."""
    numbers = (table.probabilities, table.values, table.reaches)
    return all(each is None or bool((each.astype(np.float32) == each).all()) for each in numbers)

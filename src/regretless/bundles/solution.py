# SPDX-License-Identifier: MIT
"""Writes the result of an algorithm as a bundle, of the kind that its policy calls for."""

import datetime
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from regretless import _native
from regretless.algorithm import Algorithm
from regretless.bundles.bundle import Bundle, BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts, EncoderFacts, Strength
from regretless.bundles.network_bundle import write_network_bundle
from regretless.bundles.table_bundle import write_bundle
from regretless.bundles.values_bundle import ValueWeights
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.explicit.native_adapter import NativeGame
from regretless.games import Game
from regretless.networks.shape import NetworkWeights
from regretless.policies.policy import Policy, TablePolicy
from regretless.policies.strategy_table import StrategyTable


@runtime_checkable
class PlaysNetworks(Protocol):
    """A policy of networks."""

    @property
    def weights(self) -> NetworkWeights: ...

    @property
    def encoder(self) -> _native.Encoder: ...


@runtime_checkable
class LearnsValues(Protocol):
    """An algorithm with a value network over public belief states."""

    def value_weights(self) -> ValueWeights: ...


@runtime_checkable
class MeasuresValues(Protocol):
    """An algorithm that measures its value network itself."""

    def value_measures(self) -> list[Measure]:
        """Returns the figures of the network as a bundle keeps it."""


def write_solution(
    path: str | Path, solver: Algorithm, facts: AlgorithmFacts, measures: Iterable[Measure]
) -> Bundle:
    """Writes the strategy of `solver`, in place of an older one, with its measures."""
    game: Any = solver.game.game if isinstance(solver.game, NativeGame) else solver.game
    return write_policy(path, game, solver.policy(), made_now(facts, measures))


def made_now(facts: AlgorithmFacts, measures: Iterable[Measure] = ()) -> BundleFacts:
    """The facts of a bundle that is written now."""
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return BundleFacts(facts, [claimed(each) for each in measures], created=created)


def claimed(measure: Measure) -> Strength:
    """A measure as a bundle claims it."""
    found = asdict(measure.finite())
    return Strength(**{key: value for key, value in found.items() if key != "key"})


def write_policy(path: str | Path, game: Game, policy: Policy, facts: BundleFacts) -> Bundle:
    """Writes a policy as a bundle; InputError if it is neither a table nor networks."""
    if isinstance(policy, TablePolicy):
        table, buckets = policy.table, policy.abstraction
        is_single = buckets is not None or _is_single(table)
        precision: Literal["float32", "float64"] = "float32" if is_single else "float64"
        return write_bundle(path, game, table, facts, abstraction=buckets, precision=precision)
    if isinstance(policy, PlaysNetworks):
        encoder = EncoderFacts(name=policy.encoder.name, version=policy.encoder.version)
        return write_network_bundle(path, game, policy.weights, encoder, facts)
    raise InputError(f"{policy.name}: neither a table nor networks, so there is nothing to write")


def _is_single(table: StrategyTable) -> bool:
    """Whether single precision represents all numbers exactly."""
    numbers = (table.probabilities, table.values, table.reaches)
    return all(each is None or bool((each.astype(np.float32) == each).all()) for each in numbers)

# SPDX-License-Identifier: MIT
"""Bundles of value networks over public belief states, which answer at the leaves of a search."""

from pathlib import Path
from typing import Literal

from regretless.bundles.bundle import Bundle, BundleFacts, write_files
from regretless.bundles.bundle_manifest import Manifest, Precision, ValuesFacts
from regretless.bundles.kinds import Description
from regretless.errors import InputError
from regretless.games import Game, with_public_view
from regretless.networks.beliefs import BeliefValuesShape, BeliefWeights
from regretless.networks.shape import check_parameters
from regretless.networks.street_values import StreetValuesShape, StreetWeights
from regretless.policies.policy import Policy
from regretless.policies.strategy_table import StrategyTable
from regretless.storage.columns import Column, from_bfloat16, to_bfloat16, type_name

VALUES = "values.safetensors"
ValueWeights = BeliefWeights | StreetWeights


def write_values_bundle(
    path: str | Path,
    game: Game,
    network: ValueWeights,
    facts: BundleFacts,
    precision: Literal["float32", "bfloat16"] | None = None,
) -> Bundle:
    """Writes a value network, whole or not at all, over nothing but an older bundle.

    Without a `precision` networks of streets have bfloat16, others float32.
    """
    _check(network, game, str(path))
    is_street = isinstance(network, StreetWeights)
    known = precision or ("bfloat16" if is_street else "float32")
    columns: dict[str, Column] = {
        name: to_bfloat16(each) if known == "bfloat16" else each
        for name, each in network.parameters.items()
    }
    facts_of = ValuesFacts(
        file=VALUES, shape=network.shape, precision=known, actions=game.action_names
    )
    return write_files(path, game, "values", {VALUES: columns}, {"values": facts_of}, facts)


class ValuesBundles:
    """Implements `Kind`."""

    def read(self, bundle: Bundle) -> ValueWeights:
        facts, place = bundle.manifest.values, str(bundle.data_path)
        assert facts is not None
        columns = dict(bundle.columns)
        for name, column in columns.items():
            if type_name(column) != facts.precision:
                raise InputError(f"{place}: {name!r} is no parameter in {facts.precision}")
        if facts.precision == "bfloat16":
            columns = {name: from_bfloat16(column) for name, column in columns.items()}
        network: ValueWeights
        if isinstance(facts.shape, StreetValuesShape):
            network = StreetWeights(facts.shape, columns)
        else:
            network = BeliefWeights(facts.shape, columns)
        _check(network, bundle.game, place)
        return network

    def policy(self, bundle: Bundle, device: str) -> Policy:
        raise InputError(f"{bundle.path}: holds a value network, which plays only in a search")

    def table(self, bundle: Bundle) -> StrategyTable:
        raise InputError(f"{bundle.path}: holds a value network, not a table")

    def describe(self, manifest: Manifest) -> Description:
        values = manifest.values
        assert values is not None
        if isinstance(values.shape, StreetValuesShape):
            return _describe_street(values.shape, values.precision)
        return _describe_beliefs(values.shape, values.precision)

    def copy(
        self, bundle: Bundle, path: Path, precision: Precision | None, facts: BundleFacts
    ) -> Bundle:
        if precision == "float64":
            raise InputError("precision: value networks have float32 or bfloat16, not float64")
        mine = bundle.manifest.values
        assert mine is not None
        known = precision or mine.precision
        return write_values_bundle(path, bundle.game, bundle.contents, facts, known)


def _describe_beliefs(shape: BeliefValuesShape, precision: str) -> Description:
    facts = {
        "network": f"{shape.sizes}, {shape.activation}, {precision}",
        "inputs": f"{shape.features:,} public features, 2 ranges of {shape.hands:,} hands",
    }
    summary = (
        f"A value network of {shape.sizes} ({shape.activation}, {precision}) over public belief "
        "states: from the features of a public state and both ranges to what every hand of "
        "both players wins on average, in stakes. It answers at the leaves of a search."
    )
    covered = "It answers at every public state, also at those that it never met in training."
    return Description("1 value network", facts, [summary], covered)


def _describe_street(shape: StreetValuesShape, precision: str) -> Description:
    facts = {
        "network": f"{shape.sizes}, gelu, {precision}",
        "inputs": f"2 ranges of {shape.hands:,} hands in {shape.bins} quantiles, and the stack",
    }
    summary = (
        f"A value network of {shape.sizes} ({precision}) for the start of the {shape.street} of "
        "hold'em for two: from both ranges, the board and the stack to the counterfactual values "
        "of every hand of both players, in pots. It answers at the leaves of a search."
    )
    covered = "It answers for every board, all ranges and all stacks of up to 100 pots."
    return Description(f"1 value network of the {shape.street}", facts, [summary], covered)


def _check(network: ValueWeights, game: Game, place: str) -> None:
    """InputError unless the parameters are those of the shape, finite, and the hands the game's."""
    hands = with_public_view(game, "a value network").num_hands
    if network.shape.hands != hands:
        raise InputError(f"{place}: {game.name} has {hands} hands, not the network's")
    check_parameters(network.shape, network.parameters, place)

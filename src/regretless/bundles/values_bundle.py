# SPDX-License-Identifier: MIT
"""Bundles of value networks over public belief states, which answer at the leaves of a search."""

from pathlib import Path

from regretless.bundles.bundle import Bundle, BundleFacts, write_files
from regretless.bundles.bundle_manifest import Manifest, Precision, ValuesFacts
from regretless.bundles.kinds import Description
from regretless.errors import InputError
from regretless.games import Game, with_public_view
from regretless.networks.beliefs import BeliefWeights
from regretless.networks.shape import check_parameters
from regretless.policies.policy import Policy
from regretless.policies.strategy_table import StrategyTable

VALUES = "values.safetensors"


def write_values_bundle(
    path: str | Path, game: Game, network: BeliefWeights, facts: BundleFacts
) -> Bundle:
    """Writes a value network, whole or not at all, over nothing but an older bundle."""
    _check(network, game, str(path))
    part = {"values": ValuesFacts(file=VALUES, shape=network.shape, actions=game.action_names)}
    return write_files(path, game, "values", {VALUES: dict(network.parameters)}, part, facts)


class ValuesBundles:
    """Implements `Kind`."""

    def read(self, bundle: Bundle) -> BeliefWeights:
        facts = bundle.manifest.values
        assert facts is not None
        network = BeliefWeights(facts.shape, bundle.columns)
        _check(network, bundle.game, str(bundle.data_path))
        return network

    def policy(self, bundle: Bundle, device: str) -> Policy:
        raise InputError(f"{bundle.path}: holds a value network, which plays only in a search")

    def table(self, bundle: Bundle) -> StrategyTable:
        raise InputError(f"{bundle.path}: holds a value network, not a table")

    def describe(self, manifest: Manifest) -> Description:
        values = manifest.values
        assert values is not None
        shape = values.shape
        facts = {
            "network": f"{shape.sizes}, {shape.activation}, float32",
            "inputs": f"{shape.features:,} public features, 2 ranges of {shape.hands:,} hands",
        }
        summary = (
            f"A value network of {shape.sizes} ({shape.activation}, float32) over public belief "
            "states: from the features of a public state and both ranges to what every hand of "
            "both players wins on average, in stakes. It answers at the leaves of a search."
        )
        covered = "It answers at every public state, also at those that it never met in training."
        return Description("1 value network", facts, [summary], covered)

    def copy(
        self, bundle: Bundle, path: Path, precision: Precision | None, facts: BundleFacts
    ) -> Bundle:
        if precision not in (None, "float32"):
            raise InputError(f"precision: value networks have float32, not {precision}")
        return write_values_bundle(path, bundle.game, bundle.values(), facts)


def _check(network: BeliefWeights, game: Game, place: str) -> None:
    """InputError unless the parameters are those of the shape, finite, and the hands the game's."""
    hands = with_public_view(game, "a value network").num_hands
    if network.shape.hands != hands:
        raise InputError(f"{place}: {game.name} has {hands} hands, not the network's")
    check_parameters(network.shape, network.parameters, place)

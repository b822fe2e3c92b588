# SPDX-License-Identifier: MIT
"""Bundles of networks that choose a slot, with the encoder that makes their features."""

from pathlib import Path
from typing import Literal

import numpy as np

from regretless import _native
from regretless.bundles.bundle import Bundle, BundleFacts, write_files
from regretless.bundles.bundle_manifest import EncoderFacts, Manifest, NetworksFacts, Precision
from regretless.bundles.kinds import Description
from regretless.errors import InputError, needing
from regretless.games import Game
from regretless.games.encoders import check_encoder, load_encoder
from regretless.networks.shape import NetworkWeights
from regretless.policies.asking import policy_table
from regretless.policies.policy import Policy
from regretless.policies.strategy_table import StrategyTable
from regretless.storage.columns import Column, from_bfloat16, to_bfloat16, type_name

NETWORKS = "networks.safetensors"
_WEIGHTS, _SEATS, _PARAMETER = "weights", "seats", "network."  # columns


def write_network_bundle(
    path: str | Path,
    game: Game,
    networks: NetworkWeights,
    encoder: EncoderFacts,
    facts: BundleFacts,
    *,
    precision: Literal["float32", "bfloat16"] = "float32",
) -> Bundle:
    """Writes networks, whole or not at all, over nothing but an older bundle."""
    networks.check(str(path))
    if networks.shape.outputs != game.num_actions:
        raise InputError(f"{path}: {game.name} has {game.num_actions} slots, not the networks'")
    _require_seats(networks, game, str(path))
    columns: dict[str, Column] = {_WEIGHTS: np.asarray(networks.weights, np.float64)}
    if networks.seats is not None:
        columns[_SEATS] = networks.seats.astype(np.uint64)
    for name, parameter in networks.parameters.items():
        is_half = precision == "bfloat16"
        columns[_PARAMETER + name] = to_bfloat16(parameter) if is_half else parameter
    part = {
        "networks": NetworksFacts(
            file=NETWORKS,
            count=len(networks),
            seats=networks.num_seats,
            shape=networks.shape,
            precision=precision,
            encoder=encoder,
            actions=game.action_names,
        )
    }
    return write_files(path, game, "networks", {NETWORKS: columns}, part, facts)


class NetworkBundles:
    """Implements `Kind`."""

    def read(self, bundle: Bundle) -> NetworkWeights:
        facts, place = _facts(bundle), str(bundle.data_path)
        if facts.shape.outputs != bundle.game.num_actions:
            raise InputError(f"{bundle.path}: its networks are not of {bundle.game.name}")
        columns = dict(bundle.columns)
        weights, seats = columns.pop(_WEIGHTS, None), columns.pop(_SEATS, None)
        if weights is None or weights.dtype != np.float64 or weights.shape != (facts.count,):
            raise InputError(f"{place}: {_WEIGHTS} must be float64 [{facts.count}]")
        for name, column in columns.items():
            if not name.startswith(_PARAMETER) or type_name(column) != facts.precision:
                raise InputError(f"{place}: {name!r} is no parameter in {facts.precision}")
        parameters = {name.removeprefix(_PARAMETER): each for name, each in columns.items()}
        if facts.precision == "bfloat16":
            parameters = {name: from_bfloat16(column) for name, column in parameters.items()}
        networks = NetworkWeights(facts.shape, parameters, weights, seats)
        networks.check(place)
        if facts.seats not in (None, networks.num_seats):
            raise InputError(f"{place}: not the seats that the manifest says")
        _require_seats(networks, bundle.game, place)
        return networks

    def policy(self, bundle: Bundle, device: str) -> Policy:
        from regretless.inference.network_policy import NetworkPolicy

        facts = _facts(bundle)
        encoder = find_encoder(bundle.game, facts.encoder, facts.shape.inputs, str(bundle.path))
        networks, name = bundle.networks(), bundle.manifest.algorithm.name
        with needing(f"{bundle.path}: a bundle of such networks", "torch"):
            return NetworkPolicy(networks, encoder, name, device=device)

    def table(self, bundle: Bundle) -> StrategyTable:
        return policy_table(bundle.game, self.policy(bundle, "cpu"))

    def describe(self, manifest: Manifest) -> Description:
        networks = manifest.networks
        assert networks is not None
        shape, encoder = networks.shape, networks.encoder
        traits = ", ".join([*shape.traits, networks.precision])
        facts = {
            "networks": f"{networks.count:,} of {shape.sizes}, {traits}",
            "head": shape.head,
            "encoder": f"{encoder.name}, version {encoder.version}",
        }
        summary = (
            f"{_number(networks)} of {shape.sizes} ({traits}) from "
            f"the features of encoder {encoder.name}, version {encoder.version}, to {shape.head} "
            f"of the {manifest.slots}, for all players. {manifest.in_units}"
        )
        covered = "It answers at every infoset, also at those that it never met in training."
        return Description(f"{networks.count:,} networks", facts, [summary], covered)

    def copy(
        self, bundle: Bundle, path: Path, precision: Precision | None, facts: BundleFacts
    ) -> Bundle:
        mine = _facts(bundle)
        known = precision or mine.precision
        if known == "float64":
            raise InputError("precision: networks have float32 or bfloat16, not float64")
        return write_network_bundle(
            path, bundle.game, bundle.networks(), mine.encoder, facts, precision=known
        )


def find_encoder(game: Game, facts: EncoderFacts, inputs: int, place: str) -> _native.Encoder:
    """The encoder that networks were trained with; InputError if rows or features are others."""
    try:
        check_encoder(facts.name, facts.version)
        encoder = load_encoder(facts.name, game)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if encoder.num_features != inputs:
        raise InputError(
            f"{place}: its networks see {inputs} features, and encoder {facts.name} gives "
            f"{encoder.num_features} of {game.name}"
        )
    return encoder


def _facts(bundle: Bundle) -> NetworksFacts:
    facts = bundle.manifest.networks
    assert facts is not None
    return facts


def _number(facts: NetworksFacts) -> str:
    if facts.count == 1:
        return "A network"
    if facts.count == facts.seats:
        return "A network for each seat,"
    own = "" if facts.seats is None else " of its own"
    return f"{facts.count:,} networks, of which each seat draws one{own} for an episode,"


def _require_seats(networks: NetworkWeights, game: Game, place: str) -> None:
    if networks.num_seats not in (None, game.num_players):
        players = f"{game.name} has {game.num_players} players"
        raise InputError(f"{place}: has networks for {networks.num_seats} seats, and {players}")

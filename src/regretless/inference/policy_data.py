# SPDX-License-Identifier: MIT
"""Policies as plain data, by which another process plays as this one does."""

from collections.abc import Mapping
from typing import Any

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.encoders import load_encoder
from regretless.inference.average_policy import AveragePolicy
from regretless.inference.network_policy import NetworkPolicy
from regretless.matches.bots import BOTS, bots_of
from regretless.policies.policy import Policy, TablePolicy
from regretless.policies.strategy_table import StrategyTable

_NETWORKS: dict[str, type[NetworkPolicy | AveragePolicy]] = {
    "networks": NetworkPolicy,
    "average": AveragePolicy,
}


def policy_data(policy: Policy, game: Game) -> tuple[dict[str, str], Mapping[str, Any]]:
    """Returns a description of a policy, and its networks or arrays by name.

    InputError for a policy that is code: a custom bot, a program or a search.
    """
    for name in bots_of(game):
        if policy == BOTS[name](game):
            return {"kind": "bot", "name": name}, {}
    if isinstance(policy, TablePolicy) and policy.abstraction is None:
        table = {"keys": policy.table.keys, "rows": policy.table.probabilities}
        return {"kind": "table", "name": policy.name}, {"policy": table}
    for kind, made in _NETWORKS.items():
        if isinstance(policy, made) and not policy.encoder.buckets:
            facts = {"kind": kind, "name": policy.name, "encoder": policy.encoder.name}
            return facts, {"policy": policy.weights}
    raise InputError(f"{policy.name}: cannot play on a cluster; tables, networks and bots can")


def policy_from_data(facts: Mapping[str, str], arrays: Mapping[str, Any], game: Game) -> Policy:
    """Returns the policy of `policy_data`."""
    kind, name = facts["kind"], facts["name"]
    if kind == "bot":
        return BOTS[name](game)
    if kind == "table":
        table = arrays["policy"]
        return TablePolicy(StrategyTable(table["keys"], table["rows"]), name)
    encoder = load_encoder(facts["encoder"], game)
    policy: Policy = _NETWORKS[kind](arrays["policy"], encoder, name)
    return policy

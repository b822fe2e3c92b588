# SPDX-License-Identifier: MIT
"""Searching players by name: `search`, `search:BLUEPRINT`, `search:BLUEPRINT,option=value,...`.

The blueprint is a strategy for heads-up no-limit hold'em (default: hunl-deep-cfr), which plays the
streets that are not searched. Options are those of `HoldemSearchConfig`, such as
`values=hunl-river`.
"""

from pathlib import Path
from typing import Any

import yaml

from regretless.bundles.shipped import find_street_values
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.options import read_options
from regretless.search.holdem_policy import HoldemResolvingPolicy, HoldemSearchConfig
from regretless.search.holdem_search import Cut
from regretless.seats.strategies import Strategy, find_strategy

SEARCH = "search"
BLUEPRINT = "hunl-deep-cfr"
PARTS = 6
"""Parts of the next public cards; an iteration asks a network about one of them."""


def names_search(text: str | Path) -> bool:
    """Whether a text names a searching player; a directory of that name comes first."""
    is_name = str(text) == SEARCH or str(text).startswith((f"{SEARCH}:", f"{SEARCH},"))
    return is_name and not Path(text).is_dir()


def search_strategy(text: str, game: Game | None = None, *, device: str | None = None) -> Strategy:
    """The searching player of a name, for a game of heads-up hold'em (default: the blueprint's)."""
    head, *options = text.split(",")
    blueprint = find_strategy(head.partition(":")[2] or BLUEPRINT, device=device)
    problem = "only heads-up hold'em is searched"
    own = require_poker(blueprint.game, problem)
    real = own if game is None else require_poker(game, problem)
    config = read_options(HoldemSearchConfig, text, dict(_option(each, text) for each in options))
    cuts = _networks(config.values, text, device)
    policy = HoldemResolvingPolicy(real, blueprint.policy, own, config, cuts, name=text)
    how = f"search with {blueprint.algorithm} before it"
    if cuts:
        how += f" and networks of the {' and the '.join(sorted(cuts))}"
    return Strategy(real, policy, SEARCH, how, None, [])


def _networks(names: str, place: str, device: str | None) -> dict[str, Cut]:
    """Returns the networks of streets by the street that they value."""
    found: dict[str, Cut] = {}
    for name in names.split("+") if names else []:
        bundle = find_street_values(name)
        weights = None if bundle is None else bundle.street_values()
        if weights is None or weights.shape.street in found:
            raise InputError(f"{place}: values: {name!r} is no network of one more street")
        from regretless.search.streets.leaves import NetworkValues

        found[weights.shape.street] = NetworkValues(weights.build(), device or "cpu", PARTS)
    return found


def _option(text: str, place: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not value:
        raise InputError(f"{place}: options are option=value, not {text!r}")
    try:
        return key, yaml.safe_load(value)
    except yaml.YAMLError:
        raise InputError(f"{place}: {key}: {value!r} is no value") from None

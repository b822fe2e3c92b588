# SPDX-License-Identifier: MIT
"""Searching players by name: `search`, `search:BLUEPRINT`, `search:BLUEPRINT,option=value,...`.

The blueprint is a strategy for heads-up no-limit hold'em (default: hunl-deep-cfr), which plays the
streets that are not searched. Options are those of `HoldemSearchConfig`.
"""

from pathlib import Path
from typing import Any

import yaml

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.options import read_options
from regretless.search.holdem_policy import HoldemResolvingPolicy, HoldemSearchConfig
from regretless.seats.strategies import Strategy, find_strategy

SEARCH = "search"
BLUEPRINT = "hunl-deep-cfr"


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
    policy = HoldemResolvingPolicy(real, blueprint.policy, own, config, name=text)
    return Strategy(real, policy, SEARCH, f"search with {blueprint.algorithm} before it", None, [])


def _option(text: str, place: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not value:
        raise InputError(f"{place}: options are option=value, not {text!r}")
    try:
        return key, yaml.safe_load(value)
    except yaml.YAMLError:
        raise InputError(f"{place}: {key}: {value!r} is no value") from None

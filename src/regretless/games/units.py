# SPDX-License-Identifier: MIT
"""What the values of a game are counted in."""

from typing import Any

from regretless import _native


def unit_name(game: Any) -> str:
    """`antes`, `big blinds`, `chips` or, outside poker, `points`."""
    if not isinstance(game, _native.Poker):
        return "points"
    rules = game.rules
    if min(rules.antes) == rules.unit:
        return "antes"
    if max(rules.blinds) == rules.unit:
        return "big blinds"
    return "chips" if rules.unit == 1 else f"{rules.unit} chips"

# SPDX-License-Identifier: MIT
"""Games, equities and evaluations as data that a command or a page can show."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from regretless.equities import RULES, Equity
from regretless.games import Game
from regretless.games.variants import VARIANTS
from regretless.notation.cards import format_cards

if TYPE_CHECKING:  # slow to import, and only named here
    from regretless.evaluation.measures import Evaluation
    from regretless.seats.strategies import Strategy

_EQUITY = ["combos", "weights", "method", "samples", "equities", "wins", "ties", "standard_errors"]
_LIARS_DICE = "Liar's Dice, dice x faces, the highest face is wild (any size: liars-dice-2x6f-3p)"


def describe(game: Game) -> dict[str, Any]:
    """Facts about a game before it is played."""
    description = VARIANTS.get(game.name, {}).get("description", "")
    return {
        "name": game.name,
        "description": description or (_LIARS_DICE if "liars-dice" in game.name else ""),
        "players": game.num_players,
        "hands": game.num_hands,
        "actions": game.action_names,
    }


def equity_json(hands: Sequence[str], result: Equity, rule: str) -> dict[str, Any]:
    """An equity as numbers and texts; combos and weights are without dead cards."""
    return {
        "hands": list(hands),
        "rule": rule,
        "board": format_cards(result.board, RULES[rule].deck),
        "ranges": [str(each) for each in result.ranges],
        **{name: getattr(result, name) for name in _EQUITY},
    }


def evaluation_json(strategy: "Strategy", found: "Evaluation") -> dict[str, Any]:
    """An evaluation as numbers and texts."""
    coverage = strategy.coverage
    return {
        "game": strategy.game.name,
        "algorithm": strategy.algorithm,
        "origin": strategy.origin,
        "measures": [asdict(each) for each in found.measures],
        "values": found.exact.values if found.exact else None,
        "best_response_gains": found.exact.gains if found.exact else None,
        "coverage": coverage.model_dump() if coverage is not None else None,
        "claimed": [each.model_dump() for each in strategy.claimed],
        "note": found.note,
    }

# SPDX-License-Identifier: MIT
"""`evaluate`: how strong a player is, however it is named; and the result as data."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from regretless.evaluation.measures import Effort, Evaluation
from regretless.evaluation.measures import evaluate as measure
from regretless.games import Game
from regretless.seats.contestants import Player, find_contestants
from regretless.seats.strategies import Strategy


def evaluate(
    player: Player,
    game: str | Path | Game | None = None,
    *,
    hands: int = Effort.hands,
    lbr_hands: int = Effort.lbr_hands,
    networks: int | None = None,
) -> Evaluation:
    """Measure a bundle, a run, a .onnx file, a bot or a policy: exactly where the game is small.

    Else by local best response over `lbr_hands`, a lower bound, and by matches of `hands` against
    each bot, no bound. The game of a bundle or a run is its own; of others it is `game`. Of a
    player who draws one of many networks local best response meets the average of `networks` of
    them, an approximation, or of all.
    """
    (found,) = find_contestants([player], game)
    return measure(found.game, found.policy, Effort(hands, lbr_hands, networks))


def evaluation_json(strategy: Strategy, found: Evaluation) -> dict[str, Any]:
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

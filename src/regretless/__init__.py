# SPDX-License-Identifier: MIT
"""Train, solve, measure, explore and play imperfect-information games.

The names that users need are here: `from regretless import load_game, solve, match`. Each name is
imported when it is first used, so that `import regretless` stays light. docs/api.md lists them;
`scripts/api_page.py` writes that page and, for type checkers, `__init__.pyi` from the table below.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

# The module of each name; the order is that of docs/api.md.
PUBLIC = {
    # Games
    "Game": "regretless.games",
    "load_game": "regretless.games",
    "game_names": "regretless.games",
    "PythonGame": "regretless.explicit.python_game",
    "CHANCE": "regretless.explicit.python_game",
    "TERMINAL": "regretless.explicit.python_game",
    "OpenSpielGame": "regretless.explicit.open_spiel",
    "PokerEpisode": "regretless._native",
    "Spot": "regretless.games.spots",
    "make_spot": "regretless.games.spots",
    # Cards and ranges
    "parse_cards": "regretless.notation.cards",
    "format_cards": "regretless.notation.cards",
    "Range": "regretless.notation.ranges",
    "equity": "regretless.equities",
    # Playing in bulk
    "SelfPlay": "regretless._native",
    "Questions": "regretless._native",
    "Policy": "regretless.policies.policy",
    "UniformPolicy": "regretless.policies.policy",
    "TablePolicy": "regretless.policies.policy",
    "MixedPolicy": "regretless.policies.policy",
    "Needs": "regretless.policies.policy",
    "DealPool": "regretless._native",
    "HandView": "regretless.seats.hand_view",
    "load_encoder": "regretless.games.encoders",
    # Environments for outside learners
    "SelfPlayEnv": "regretless.environments.self_play_env",
    "VectorEnv": "regretless.environments.vector_env",
    "Env": "regretless.environments.vector_env",
    "AecEnv": "regretless.environments.aec",
    # Solving and training
    "solve": "regretless.solving.solution",
    "Solution": "regretless.solving.solution",
    "solve_preflop": "regretless.preflop.solving",
    "PreflopSpot": "regretless.preflop.tree",
    "solve_push_fold": "regretless.preflop.equilibrium",
    "PushFoldSpot": "regretless.preflop.push_fold",
    "icm_equities": "regretless.preflop.icm",
    "train": "regretless.training.run_start",
    "forecast_run": "regretless.training.run_start",
    "sweep": "regretless.training.sweep",
    "recipe_names": "regretless.recipes.names",
    "leaderboard": "regretless.runs.run_groups",
    "read_run": "regretless.runs.run_record",
    "Run": "regretless.runs.run",
    "RunConfig": "regretless.recipes.config",
    "read_config": "regretless.recipes.config",
    "Algorithm": "regretless.algorithm",
    "CustomAlgorithm": "regretless.algorithm",
    "make_algorithm": "regretless.algorithms",
    "Watch": "regretless.watch",
    # Strategies on disk
    "open_policy": "regretless.seats.strategies",
    "find_strategy": "regretless.seats.strategies",
    "open_bundle": "regretless.bundles.bundle",
    "Bundle": "regretless.bundles.bundle",
    "write_policy": "regretless.bundles.solution",
    "export_onnx": "regretless.training.onnx_export",
    # Measuring
    "match": "regretless.seats.matches",
    "MatchResult": "regretless.matches.match",
    "cross_play": "regretless.seats.matches",
    "evaluate": "regretless.seats.matches",
    "Evaluation": "regretless.evaluation.measures",
    "local_best_response": "regretless.evaluation.lbr",
    # Tables, and asking at a spot
    "Table": "regretless.tables.table",
    "play_on": "regretless.tables.table",
    "ask_every_hand": "regretless.explorer.asked_nodes",
    "review": "regretless.tables.review",
    # Hand histories
    "read_phh": "regretless.histories.phh",
    "read_phh_file": "regretless.histories.phh",
    "write_phh": "regretless.histories.phh",
    "convert_hands": "regretless.histories.hand_files",
    "HandDatabase": "regretless.database.hand_database",
    # Errors
    "InputError": "regretless.errors",
}
__all__ = [*PUBLIC]


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used (PEP 562)."""
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(PUBLIC[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})

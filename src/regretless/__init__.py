# SPDX-License-Identifier: MIT
"""Train, solve, measure, explore and play imperfect-information games.

What users need is here: `from regretless import load_game, solve, match`. Each name is imported
when it is first used, so that `import regretless` stays light. docs/api.md lists them.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from regretless._native import (
        DealPool,
        Deck,
        LiarsDice,
        LiarsDiceEpisode,
        Poker,
        PokerEpisode,
        Questions,
        SelfPlay,
        Subgames,
    )
    from regretless.abstraction.building import AbstractionConfig, build_abstraction
    from regretless.abstraction.card_abstraction import CardAbstraction
    from regretless.algorithm import Algorithm, CustomAlgorithm, ExactMeasures
    from regretless.algorithms import make_algorithm, set_up_process
    from regretless.algorithms.fictitious_play import FictitiousPlay, FictitiousPlayConfig
    from regretless.algorithms.mccfr import MCCFR, MCCFRConfig
    from regretless.algorithms.q_learning import QLearning
    from regretless.algorithms.rebel import ReBeL
    from regretless.algorithms.rl_cfr import RLCFR, RLCFRConfig
    from regretless.algorithms.sequence_form import solve_sequence_form
    from regretless.buffers import Column, Reservoir, Ring
    from regretless.bundles.abstraction import open_abstraction, write_abstraction
    from regretless.bundles.bundle import Bundle, BundleFacts, open_bundle
    from regretless.bundles.bundle_manifest import AlgorithmFacts
    from regretless.bundles.solution import write_policy
    from regretless.environments.aec import AecEnv
    from regretless.environments.self_play_env import SelfPlayEnv
    from regretless.environments.vector_env import Env, VectorEnv
    from regretless.equities import Equity, equity
    from regretless.errors import InputError
    from regretless.evaluation.lbr import LbrConfig, local_best_response
    from regretless.evaluation.measures import Evaluation
    from regretless.explicit.explicit_game import ExplicitGame
    from regretless.explicit.explicit_tree import (
        ExplicitTree,
        enumerate_tree,
        expected_values,
        uniform_strategy,
    )
    from regretless.explicit.open_spiel import OpenSpielGame
    from regretless.explicit.python_game import CHANCE, TERMINAL, PythonGame
    from regretless.explorer.asking import HandAnswers, ask_every_hand
    from regretless.games import Game, game_names, load_game
    from regretless.games.encoders import describe_encoder, load_encoder
    from regretless.games.episodes import Episode
    from regretless.games.face import unit_name
    from regretless.games.spots import Spot, make_spot
    from regretless.histories.acpc import format_match_state, parse_match_state
    from regretless.histories.hand_log import format_episode
    from regretless.histories.lines import format_line, read_line
    from regretless.histories.phh import read_phh, read_phh_file, write_phh
    from regretless.histories.playthrough import playthrough
    from regretless.inference.average_policy import AveragePolicy
    from regretless.inference.average_table import AverageTable
    from regretless.inference.network_policy import NetworkPolicy
    from regretless.learning.minibatches import minibatches
    from regretless.matches.match import MatchResult
    from regretless.matches.round_robin import CrossPlay
    from regretless.networks.expansion import Expansion
    from regretless.networks.history import HistoryShape
    from regretless.networks.mlp import MlpShape
    from regretless.networks.network import Network, network_weights, shares
    from regretless.notation.cards import format_cards, parse_cards
    from regretless.notation.ranges import Range
    from regretless.policies.beliefs import BeliefTracker, PublicBelief
    from regretless.policies.policy import (
        MixedPolicy,
        Needs,
        Policy,
        TablePolicy,
        UniformPolicy,
        tree_policy,
    )
    from regretless.policies.strategy_table import StrategyTable, TableEvaluator
    from regretless.preflop.solving import PreflopSolution, solve_preflop
    from regretless.preflop.tree import PreflopSpot
    from regretless.recipes.config import RunConfig, read_config
    from regretless.recipes.names import recipe_names
    from regretless.runs.run import Run
    from regretless.runs.run_groups import leaderboard
    from regretless.runs.run_record import read_run
    from regretless.search.leaf_values import LeafValues, SolvedLeaves, ZeroLeaves
    from regretless.search.profile_table import SearchProfileTable
    from regretless.search.subgames import SearchConfig, make_subgames, solved_leaves
    from regretless.seats.bets import bet_probabilities
    from regretless.seats.contestants import find_opponent
    from regretless.seats.evaluations import evaluate
    from regretless.seats.hand_view import HandView
    from regretless.seats.matches import cross_play, match
    from regretless.seats.strategies import Strategy, find_strategy, open_policy
    from regretless.solvers.native_cfr import CFR
    from regretless.solvers.problem import CFRConfig
    from regretless.solvers.torch_cfr import TorchCFR
    from regretless.solving.solution import Solution, solve
    from regretless.tables.betting_controls import betting_controls
    from regretless.tables.hand_conversion import convert_hands
    from regretless.tables.replay import replay_steps
    from regretless.tables.review import ReviewedChoice, review
    from regretless.tables.table import Table, play_on
    from regretless.training.onnx_export import export_onnx
    from regretless.training.restoring import restored
    from regretless.training.run_start import forecast_run, train
    from regretless.watch import Watch

__all__ = [
    "CFR",
    "CHANCE",
    "MCCFR",
    "RLCFR",
    "TERMINAL",
    "AbstractionConfig",
    "AecEnv",
    "Algorithm",
    "AlgorithmFacts",
    "AveragePolicy",
    "AverageTable",
    "BeliefTracker",
    "Bundle",
    "BundleFacts",
    "CFRConfig",
    "CardAbstraction",
    "Column",
    "CrossPlay",
    "CustomAlgorithm",
    "DealPool",
    "Deck",
    "Env",
    "Episode",
    "Equity",
    "Evaluation",
    "ExactMeasures",
    "Expansion",
    "ExplicitGame",
    "ExplicitTree",
    "FictitiousPlay",
    "FictitiousPlayConfig",
    "Game",
    "HandAnswers",
    "HandView",
    "HistoryShape",
    "InputError",
    "LbrConfig",
    "LeafValues",
    "LiarsDice",
    "LiarsDiceEpisode",
    "MCCFRConfig",
    "MatchResult",
    "MixedPolicy",
    "MlpShape",
    "Needs",
    "Network",
    "NetworkPolicy",
    "OpenSpielGame",
    "Poker",
    "PokerEpisode",
    "Policy",
    "PreflopSolution",
    "PreflopSpot",
    "PublicBelief",
    "PythonGame",
    "QLearning",
    "Questions",
    "RLCFRConfig",
    "Range",
    "ReBeL",
    "Reservoir",
    "ReviewedChoice",
    "Ring",
    "Run",
    "RunConfig",
    "SearchConfig",
    "SearchProfileTable",
    "SelfPlay",
    "SelfPlayEnv",
    "Solution",
    "SolvedLeaves",
    "Spot",
    "Strategy",
    "StrategyTable",
    "Subgames",
    "Table",
    "TableEvaluator",
    "TablePolicy",
    "TorchCFR",
    "UniformPolicy",
    "VectorEnv",
    "Watch",
    "ZeroLeaves",
    "ask_every_hand",
    "bet_probabilities",
    "betting_controls",
    "build_abstraction",
    "convert_hands",
    "cross_play",
    "describe_encoder",
    "enumerate_tree",
    "equity",
    "evaluate",
    "expected_values",
    "export_onnx",
    "find_opponent",
    "find_strategy",
    "forecast_run",
    "format_cards",
    "format_episode",
    "format_line",
    "format_match_state",
    "game_names",
    "leaderboard",
    "load_encoder",
    "load_game",
    "local_best_response",
    "make_algorithm",
    "make_spot",
    "make_subgames",
    "match",
    "minibatches",
    "network_weights",
    "open_abstraction",
    "open_bundle",
    "open_policy",
    "parse_cards",
    "parse_match_state",
    "play_on",
    "playthrough",
    "read_config",
    "read_line",
    "read_phh",
    "read_phh_file",
    "read_run",
    "recipe_names",
    "replay_steps",
    "restored",
    "review",
    "set_up_process",
    "shares",
    "solve",
    "solve_preflop",
    "solve_sequence_form",
    "solved_leaves",
    "train",
    "tree_policy",
    "uniform_strategy",
    "unit_name",
    "write_abstraction",
    "write_phh",
    "write_policy",
]

# Where each name lives; the order is that of docs/api.md.
PUBLIC = {
    # Games
    "Game": "regretless.games:Game",
    "load_game": "regretless.games:load_game",
    "game_names": "regretless.games:game_names",
    "PythonGame": "regretless.explicit.python_game:PythonGame",
    "Poker": "regretless._native:Poker",
    "LiarsDice": "regretless._native:LiarsDice",
    "Episode": "regretless.games.episodes:Episode",
    "PokerEpisode": "regretless._native:PokerEpisode",
    "LiarsDiceEpisode": "regretless._native:LiarsDiceEpisode",
    "Spot": "regretless.games.spots:Spot",
    "make_spot": "regretless.games.spots:make_spot",
    "CHANCE": "regretless.explicit.python_game:CHANCE",
    "TERMINAL": "regretless.explicit.python_game:TERMINAL",
    "ExplicitGame": "regretless.explicit.explicit_game:ExplicitGame",
    "ExplicitTree": "regretless.explicit.explicit_tree:ExplicitTree",
    "enumerate_tree": "regretless.explicit.explicit_tree:enumerate_tree",
    "uniform_strategy": "regretless.explicit.explicit_tree:uniform_strategy",
    "expected_values": "regretless.explicit.explicit_tree:expected_values",
    "OpenSpielGame": "regretless.explicit.open_spiel:OpenSpielGame",
    "unit_name": "regretless.games.face:unit_name",
    # Cards and ranges
    "Deck": "regretless._native:Deck",
    "parse_cards": "regretless.notation.cards:parse_cards",
    "format_cards": "regretless.notation.cards:format_cards",
    "Range": "regretless.notation.ranges:Range",
    "equity": "regretless.equities:equity",
    "Equity": "regretless.equities:Equity",
    "AbstractionConfig": "regretless.abstraction.building:AbstractionConfig",
    "build_abstraction": "regretless.abstraction.building:build_abstraction",
    "CardAbstraction": "regretless.abstraction.card_abstraction:CardAbstraction",
    "write_abstraction": "regretless.bundles.abstraction:write_abstraction",
    "open_abstraction": "regretless.bundles.abstraction:open_abstraction",
    # Playing in bulk
    "SelfPlay": "regretless._native:SelfPlay",
    "Questions": "regretless._native:Questions",
    "Policy": "regretless.policies.policy:Policy",
    "UniformPolicy": "regretless.policies.policy:UniformPolicy",
    "TablePolicy": "regretless.policies.policy:TablePolicy",
    "MixedPolicy": "regretless.policies.policy:MixedPolicy",
    "Needs": "regretless.policies.policy:Needs",
    "tree_policy": "regretless.policies.policy:tree_policy",
    "DealPool": "regretless._native:DealPool",
    "bet_probabilities": "regretless.seats.bets:bet_probabilities",
    "HandView": "regretless.seats.hand_view:HandView",
    # Environments for outside learners
    "SelfPlayEnv": "regretless.environments.self_play_env:SelfPlayEnv",
    "VectorEnv": "regretless.environments.vector_env:VectorEnv",
    "Env": "regretless.environments.vector_env:Env",
    "AecEnv": "regretless.environments.aec:AecEnv",
    # Solving and training
    "solve": "regretless.solving.solution:solve",
    "Solution": "regretless.solving.solution:Solution",
    "solve_preflop": "regretless.preflop.solving:solve_preflop",
    "PreflopSpot": "regretless.preflop.tree:PreflopSpot",
    "PreflopSolution": "regretless.preflop.solving:PreflopSolution",
    "train": "regretless.training.run_start:train",
    "forecast_run": "regretless.training.run_start:forecast_run",
    "recipe_names": "regretless.recipes.names:recipe_names",
    "leaderboard": "regretless.runs.run_groups:leaderboard",
    "read_run": "regretless.runs.run_record:read_run",
    "Run": "regretless.runs.run:Run",
    "Algorithm": "regretless.algorithm:Algorithm",
    "make_algorithm": "regretless.algorithms:make_algorithm",
    "RunConfig": "regretless.recipes.config:RunConfig",
    "read_config": "regretless.recipes.config:read_config",
    "CustomAlgorithm": "regretless.algorithm:CustomAlgorithm",
    "ExactMeasures": "regretless.algorithm:ExactMeasures",
    "Watch": "regretless.watch:Watch",
    "set_up_process": "regretless.algorithms:set_up_process",
    "restored": "regretless.training.restoring:restored",
    "CFR": "regretless.solvers.native_cfr:CFR",
    "CFRConfig": "regretless.solvers.problem:CFRConfig",
    "TorchCFR": "regretless.solvers.torch_cfr:TorchCFR",
    "MCCFR": "regretless.algorithms.mccfr:MCCFR",
    "MCCFRConfig": "regretless.algorithms.mccfr:MCCFRConfig",
    "RLCFR": "regretless.algorithms.rl_cfr:RLCFR",
    "RLCFRConfig": "regretless.algorithms.rl_cfr:RLCFRConfig",
    "QLearning": "regretless.algorithms.q_learning:QLearning",
    "FictitiousPlay": "regretless.algorithms.fictitious_play:FictitiousPlay",
    "FictitiousPlayConfig": "regretless.algorithms.fictitious_play:FictitiousPlayConfig",
    "solve_sequence_form": "regretless.algorithms.sequence_form:solve_sequence_form",
    "ReBeL": "regretless.algorithms.rebel:ReBeL",
    # Searching
    "SearchConfig": "regretless.search.subgames:SearchConfig",
    "make_subgames": "regretless.search.subgames:make_subgames",
    "solved_leaves": "regretless.search.subgames:solved_leaves",
    "Subgames": "regretless._native:Subgames",
    "SearchProfileTable": "regretless.search.profile_table:SearchProfileTable",
    "LeafValues": "regretless.search.leaf_values:LeafValues",
    "ZeroLeaves": "regretless.search.leaf_values:ZeroLeaves",
    "SolvedLeaves": "regretless.search.leaf_values:SolvedLeaves",
    # Strategies on disk
    "open_policy": "regretless.seats.strategies:open_policy",
    "find_strategy": "regretless.seats.strategies:find_strategy",
    "Strategy": "regretless.seats.strategies:Strategy",
    "open_bundle": "regretless.bundles.bundle:open_bundle",
    "Bundle": "regretless.bundles.bundle:Bundle",
    "export_onnx": "regretless.training.onnx_export:export_onnx",
    "AlgorithmFacts": "regretless.bundles.bundle_manifest:AlgorithmFacts",
    "BundleFacts": "regretless.bundles.bundle:BundleFacts",
    # Measuring
    "match": "regretless.seats.matches:match",
    "MatchResult": "regretless.matches.match:MatchResult",
    "cross_play": "regretless.seats.matches:cross_play",
    "CrossPlay": "regretless.matches.round_robin:CrossPlay",
    "evaluate": "regretless.seats.evaluations:evaluate",
    "Evaluation": "regretless.evaluation.measures:Evaluation",
    "find_opponent": "regretless.seats.contestants:find_opponent",
    "StrategyTable": "regretless.policies.strategy_table:StrategyTable",
    "TableEvaluator": "regretless.policies.strategy_table:TableEvaluator",
    "LbrConfig": "regretless.evaluation.lbr:LbrConfig",
    "local_best_response": "regretless.evaluation.lbr:local_best_response",
    # Tables, and asking at a spot
    "Table": "regretless.tables.table:Table",
    "play_on": "regretless.tables.table:play_on",
    "betting_controls": "regretless.tables.betting_controls:betting_controls",
    "replay_steps": "regretless.tables.replay:replay_steps",
    "review": "regretless.tables.review:review",
    "ReviewedChoice": "regretless.tables.review:ReviewedChoice",
    "ask_every_hand": "regretless.explorer.asking:ask_every_hand",
    "HandAnswers": "regretless.explorer.asking:HandAnswers",
    "PublicBelief": "regretless.policies.beliefs:PublicBelief",
    "BeliefTracker": "regretless.policies.beliefs:BeliefTracker",
    # Hand histories
    "format_episode": "regretless.histories.hand_log:format_episode",
    "read_phh_file": "regretless.histories.phh:read_phh_file",
    "write_phh": "regretless.histories.phh:write_phh",
    "playthrough": "regretless.histories.playthrough:playthrough",
    "read_phh": "regretless.histories.phh:read_phh",
    "parse_match_state": "regretless.histories.acpc:parse_match_state",
    "format_match_state": "regretless.histories.acpc:format_match_state",
    "read_line": "regretless.histories.lines:read_line",
    "format_line": "regretless.histories.lines:format_line",
    "convert_hands": "regretless.tables.hand_conversion:convert_hands",
    # Errors
    "InputError": "regretless.errors:InputError",
    # Learning
    "load_encoder": "regretless.games.encoders:load_encoder",
    "Column": "regretless.buffers:Column",
    "Ring": "regretless.buffers:Ring",
    "Reservoir": "regretless.buffers:Reservoir",
    "NetworkPolicy": "regretless.inference.network_policy:NetworkPolicy",
    "AveragePolicy": "regretless.inference.average_policy:AveragePolicy",
    "AverageTable": "regretless.inference.average_table:AverageTable",
    "write_policy": "regretless.bundles.solution:write_policy",
    "describe_encoder": "regretless.games.encoders:describe_encoder",
    "Expansion": "regretless.networks.expansion:Expansion",
    "MlpShape": "regretless.networks.mlp:MlpShape",
    "HistoryShape": "regretless.networks.history:HistoryShape",
    "Network": "regretless.networks.network:Network",
    "network_weights": "regretless.networks.network:network_weights",
    "shares": "regretless.networks.network:shares",
    "minibatches": "regretless.learning.minibatches:minibatches",
}


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first asked for (PEP 562)."""
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = PUBLIC[name].split(":")
    found = getattr(importlib.import_module(module), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})

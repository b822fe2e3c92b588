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
    from regretless.algorithm import Algorithm, ExactMeasures, OwnAlgorithm
    from regretless.algorithms import make_algorithm, set_up_process
    from regretless.algorithms.cfr import CFR
    from regretless.algorithms.fictitious_play import FictitiousPlay, FictitiousPlayConfig
    from regretless.algorithms.mccfr import MCCFR, MCCFRConfig
    from regretless.algorithms.q_learning import QLearning
    from regretless.algorithms.rebel import ReBeL
    from regretless.algorithms.rl_cfr import RLCFR, RLCFRConfig
    from regretless.algorithms.sequence_form import solve_sequence_form
    from regretless.algorithms.torch_cfr import TorchCFR
    from regretless.beliefs import BeliefTracker, PublicBelief
    from regretless.buffers import Column, Reservoir, Ring
    from regretless.cfr_problem import CFRConfig
    from regretless.config import RunConfig, read_config
    from regretless.equities import Equity, equity
    from regretless.errors import InputError
    from regretless.evaluation.lbr import LbrConfig, local_best_response
    from regretless.evaluation.matches import MatchResult
    from regretless.evaluation.measures import Evaluation
    from regretless.evaluation.round_robin import CrossPlay
    from regretless.games import Game, game_names, load_game
    from regretless.games.episodes import Episode
    from regretless.games.explicit_game import ExplicitGame
    from regretless.games.explicit_tree import (
        ExplicitTree,
        enumerate_tree,
        expected_values,
        uniform_strategy,
    )
    from regretless.games.open_spiel import OpenSpielGame
    from regretless.games.python_game import CHANCE, TERMINAL, PythonGame
    from regretless.games.spots import Spot, make_spot
    from regretless.games.units import unit_name
    from regretless.learning.average_policy import AveragePolicy
    from regretless.learning.average_table import AverageTable
    from regretless.learning.expansion import Expansion
    from regretless.learning.history_shape import HistoryShape
    from regretless.learning.minibatches import minibatches
    from regretless.learning.network_policy import NetworkPolicy
    from regretless.learning.network_shape import NetworkShape
    from regretless.learning.networks import Network, network_weights, shares
    from regretless.notation.cards import format_cards, parse_cards
    from regretless.notation.ranges import Range
    from regretless.observe import describe_encoder, load_encoder
    from regretless.players.aec import AecEnv
    from regretless.players.asking import HandAnswers, ask_every_hand
    from regretless.players.bets import bet_probabilities
    from regretless.players.betting_controls import betting_controls
    from regretless.players.contestants import find_opponent
    from regretless.players.environment import Env, SelfPlayEnv, VectorEnv
    from regretless.players.evaluations import evaluate
    from regretless.players.hand_conversion import convert_hands
    from regretless.players.hand_view import HandView
    from regretless.players.matches import cross_play, match
    from regretless.players.onnx_export import export_onnx
    from regretless.players.replay import replay_steps
    from regretless.players.review import ReviewedChoice, review
    from regretless.players.runs import forecast_run, train
    from regretless.players.solution import Solution, solve
    from regretless.players.strategies import Strategy, find_strategy, open_policy
    from regretless.players.table import Table, play_on
    from regretless.policy import (
        MixedPolicy,
        Needs,
        Policy,
        TablePolicy,
        UniformPolicy,
        tree_policy,
    )
    from regretless.preflop.solving import PreflopSolution, solve_preflop
    from regretless.preflop.tree import PreflopSpot
    from regretless.search.leaf_values import EquityLeaves, LeafValues, SolvedLeaves, ZeroLeaves
    from regretless.search.player import SearchPlayer
    from regretless.search.subgames import SearchConfig, make_subgames
    from regretless.storage.abstraction import open_abstraction, write_abstraction
    from regretless.storage.bundle import Bundle, BundleFacts, open_bundle
    from regretless.storage.bundle_manifest import AlgorithmFacts
    from regretless.storage.recipes import recipe_names
    from regretless.storage.run import Run
    from regretless.storage.run_groups import leaderboard
    from regretless.storage.run_record import read_run
    from regretless.storage.solution import write_policy
    from regretless.strategy_table import StrategyTable, TableEvaluator
    from regretless.telling.acpc import format_match_state, parse_match_state
    from regretless.telling.hand_log import format_episode
    from regretless.telling.lines import format_line, read_line
    from regretless.telling.phh import read_phh, read_phh_file, write_phh
    from regretless.telling.playthrough import playthrough
    from regretless.training import restored
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
    "DealPool",
    "Deck",
    "Env",
    "Episode",
    "Equity",
    "EquityLeaves",
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
    "Needs",
    "Network",
    "NetworkPolicy",
    "NetworkShape",
    "OpenSpielGame",
    "OwnAlgorithm",
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
    "SearchPlayer",
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
    "PythonGame": "regretless.games.python_game:PythonGame",
    "Poker": "regretless._native:Poker",
    "LiarsDice": "regretless._native:LiarsDice",
    "Episode": "regretless.games.episodes:Episode",
    "PokerEpisode": "regretless._native:PokerEpisode",
    "LiarsDiceEpisode": "regretless._native:LiarsDiceEpisode",
    "Spot": "regretless.games.spots:Spot",
    "make_spot": "regretless.games.spots:make_spot",
    "CHANCE": "regretless.games.python_game:CHANCE",
    "TERMINAL": "regretless.games.python_game:TERMINAL",
    "ExplicitGame": "regretless.games.explicit_game:ExplicitGame",
    "ExplicitTree": "regretless.games.explicit_tree:ExplicitTree",
    "enumerate_tree": "regretless.games.explicit_tree:enumerate_tree",
    "uniform_strategy": "regretless.games.explicit_tree:uniform_strategy",
    "expected_values": "regretless.games.explicit_tree:expected_values",
    "OpenSpielGame": "regretless.games.open_spiel:OpenSpielGame",
    "unit_name": "regretless.games.units:unit_name",
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
    "write_abstraction": "regretless.storage.abstraction:write_abstraction",
    "open_abstraction": "regretless.storage.abstraction:open_abstraction",
    # Playing in bulk
    "SelfPlay": "regretless._native:SelfPlay",
    "Questions": "regretless._native:Questions",
    "Policy": "regretless.policy:Policy",
    "UniformPolicy": "regretless.policy:UniformPolicy",
    "TablePolicy": "regretless.policy:TablePolicy",
    "MixedPolicy": "regretless.policy:MixedPolicy",
    "Needs": "regretless.policy:Needs",
    "tree_policy": "regretless.policy:tree_policy",
    "DealPool": "regretless._native:DealPool",
    "bet_probabilities": "regretless.players.bets:bet_probabilities",
    "HandView": "regretless.players.hand_view:HandView",
    # Environments for outside learners
    "SelfPlayEnv": "regretless.players.environment:SelfPlayEnv",
    "VectorEnv": "regretless.players.environment:VectorEnv",
    "Env": "regretless.players.environment:Env",
    "AecEnv": "regretless.players.aec:AecEnv",
    # Solving and training
    "solve": "regretless.players.solution:solve",
    "Solution": "regretless.players.solution:Solution",
    "solve_preflop": "regretless.preflop.solving:solve_preflop",
    "PreflopSpot": "regretless.preflop.tree:PreflopSpot",
    "PreflopSolution": "regretless.preflop.solving:PreflopSolution",
    "train": "regretless.players.runs:train",
    "forecast_run": "regretless.players.runs:forecast_run",
    "recipe_names": "regretless.storage.recipes:recipe_names",
    "leaderboard": "regretless.storage.run_groups:leaderboard",
    "read_run": "regretless.storage.run_record:read_run",
    "Run": "regretless.storage.run:Run",
    "Algorithm": "regretless.algorithm:Algorithm",
    "make_algorithm": "regretless.algorithms:make_algorithm",
    "RunConfig": "regretless.config:RunConfig",
    "read_config": "regretless.config:read_config",
    "OwnAlgorithm": "regretless.algorithm:OwnAlgorithm",
    "ExactMeasures": "regretless.algorithm:ExactMeasures",
    "Watch": "regretless.watch:Watch",
    "set_up_process": "regretless.algorithms:set_up_process",
    "restored": "regretless.training:restored",
    "CFR": "regretless.algorithms.cfr:CFR",
    "CFRConfig": "regretless.cfr_problem:CFRConfig",
    "TorchCFR": "regretless.algorithms.torch_cfr:TorchCFR",
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
    "Subgames": "regretless._native:Subgames",
    "SearchPlayer": "regretless.search.player:SearchPlayer",
    "LeafValues": "regretless.search.leaf_values:LeafValues",
    "ZeroLeaves": "regretless.search.leaf_values:ZeroLeaves",
    "EquityLeaves": "regretless.search.leaf_values:EquityLeaves",
    "SolvedLeaves": "regretless.search.leaf_values:SolvedLeaves",
    # Strategies on disk
    "open_policy": "regretless.players.strategies:open_policy",
    "find_strategy": "regretless.players.strategies:find_strategy",
    "Strategy": "regretless.players.strategies:Strategy",
    "open_bundle": "regretless.storage.bundle:open_bundle",
    "Bundle": "regretless.storage.bundle:Bundle",
    "export_onnx": "regretless.players.onnx_export:export_onnx",
    "AlgorithmFacts": "regretless.storage.bundle_manifest:AlgorithmFacts",
    "BundleFacts": "regretless.storage.bundle:BundleFacts",
    # Measuring
    "match": "regretless.players.matches:match",
    "MatchResult": "regretless.evaluation.matches:MatchResult",
    "cross_play": "regretless.players.matches:cross_play",
    "CrossPlay": "regretless.evaluation.round_robin:CrossPlay",
    "evaluate": "regretless.players.evaluations:evaluate",
    "Evaluation": "regretless.evaluation.measures:Evaluation",
    "find_opponent": "regretless.players.contestants:find_opponent",
    "StrategyTable": "regretless.strategy_table:StrategyTable",
    "TableEvaluator": "regretless.strategy_table:TableEvaluator",
    "LbrConfig": "regretless.evaluation.lbr:LbrConfig",
    "local_best_response": "regretless.evaluation.lbr:local_best_response",
    # Tables, and asking at a spot
    "Table": "regretless.players.table:Table",
    "play_on": "regretless.players.table:play_on",
    "betting_controls": "regretless.players.betting_controls:betting_controls",
    "replay_steps": "regretless.players.replay:replay_steps",
    "review": "regretless.players.review:review",
    "ReviewedChoice": "regretless.players.review:ReviewedChoice",
    "ask_every_hand": "regretless.players.asking:ask_every_hand",
    "HandAnswers": "regretless.players.asking:HandAnswers",
    "PublicBelief": "regretless.beliefs:PublicBelief",
    "BeliefTracker": "regretless.beliefs:BeliefTracker",
    # Hand histories
    "format_episode": "regretless.telling.hand_log:format_episode",
    "read_phh_file": "regretless.telling.phh:read_phh_file",
    "write_phh": "regretless.telling.phh:write_phh",
    "playthrough": "regretless.telling.playthrough:playthrough",
    "read_phh": "regretless.telling.phh:read_phh",
    "parse_match_state": "regretless.telling.acpc:parse_match_state",
    "format_match_state": "regretless.telling.acpc:format_match_state",
    "read_line": "regretless.telling.lines:read_line",
    "format_line": "regretless.telling.lines:format_line",
    "convert_hands": "regretless.players.hand_conversion:convert_hands",
    # Errors
    "InputError": "regretless.errors:InputError",
    # Learning
    "load_encoder": "regretless.observe:load_encoder",
    "Column": "regretless.buffers:Column",
    "Ring": "regretless.buffers:Ring",
    "Reservoir": "regretless.buffers:Reservoir",
    "NetworkPolicy": "regretless.learning.network_policy:NetworkPolicy",
    "AveragePolicy": "regretless.learning.average_policy:AveragePolicy",
    "AverageTable": "regretless.learning.average_table:AverageTable",
    "write_policy": "regretless.storage.solution:write_policy",
    "describe_encoder": "regretless.observe:describe_encoder",
    "Expansion": "regretless.learning.expansion:Expansion",
    "NetworkShape": "regretless.learning.network_shape:NetworkShape",
    "HistoryShape": "regretless.learning.history_shape:HistoryShape",
    "Network": "regretless.learning.networks:Network",
    "network_weights": "regretless.learning.networks:network_weights",
    "shares": "regretless.learning.networks:shares",
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

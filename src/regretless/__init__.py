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
        Deck,
        LiarsDice,
        LiarsDiceEpisode,
        Poker,
        PokerEpisode,
        Questions,
        SelfPlay,
    )
    from regretless.abstraction.building import AbstractionConfig, build_abstraction
    from regretless.abstraction.card_abstraction import CardAbstraction
    from regretless.algorithm import Algorithm
    from regretless.algorithms import make_algorithm
    from regretless.beliefs import BeliefTracker, PublicBelief
    from regretless.buffers import Column, Reservoir, Ring
    from regretless.config import RunConfig, read_config
    from regretless.equities import Equity, equity
    from regretless.errors import InputError
    from regretless.evaluation.matches import MatchResult
    from regretless.evaluation.measures import Evaluation
    from regretless.games import Game, game_names, load_game
    from regretless.games.episodes import Episode
    from regretless.games.python_game import PythonGame
    from regretless.games.spots import Spot, make_spot
    from regretless.learning.average_policy import AveragePolicy
    from regretless.learning.average_table import AverageTable
    from regretless.learning.network_policy import NetworkPolicy
    from regretless.notation.cards import format_cards, parse_cards
    from regretless.notation.ranges import Range
    from regretless.observe import load_encoder
    from regretless.players.aec import AecEnv
    from regretless.players.asking import HandAnswers, ask_every_hand
    from regretless.players.bets import bet_probabilities
    from regretless.players.contestants import find_opponent
    from regretless.players.environment import Env, SelfPlayEnv, VectorEnv
    from regretless.players.evaluations import evaluate
    from regretless.players.hand_conversion import convert_hands
    from regretless.players.hand_view import HandView
    from regretless.players.matches import match
    from regretless.players.onnx_export import export_onnx
    from regretless.players.runs import train
    from regretless.players.solution import Solution, solve
    from regretless.players.strategies import Strategy, find_strategy, open_policy
    from regretless.players.table import Table, play_on
    from regretless.policy import MixedPolicy, Needs, Policy, TablePolicy, UniformPolicy
    from regretless.storage.abstraction import open_abstraction, write_abstraction
    from regretless.storage.bundle import Bundle, open_bundle
    from regretless.storage.run import Run
    from regretless.storage.solution import write_policy
    from regretless.telling.hand_log import format_episode
    from regretless.telling.phh import read_phh_file, write_phh

__all__ = [
    "AbstractionConfig",
    "AecEnv",
    "Algorithm",
    "AveragePolicy",
    "AverageTable",
    "BeliefTracker",
    "Bundle",
    "CardAbstraction",
    "Column",
    "Deck",
    "Env",
    "Episode",
    "Equity",
    "Evaluation",
    "Game",
    "HandAnswers",
    "HandView",
    "InputError",
    "LiarsDice",
    "LiarsDiceEpisode",
    "MatchResult",
    "MixedPolicy",
    "Needs",
    "NetworkPolicy",
    "Poker",
    "PokerEpisode",
    "Policy",
    "PublicBelief",
    "PythonGame",
    "Questions",
    "Range",
    "Reservoir",
    "Ring",
    "Run",
    "RunConfig",
    "SelfPlay",
    "SelfPlayEnv",
    "Solution",
    "Spot",
    "Strategy",
    "Table",
    "TablePolicy",
    "UniformPolicy",
    "VectorEnv",
    "ask_every_hand",
    "bet_probabilities",
    "build_abstraction",
    "convert_hands",
    "equity",
    "evaluate",
    "export_onnx",
    "find_opponent",
    "find_strategy",
    "format_cards",
    "format_episode",
    "game_names",
    "load_encoder",
    "load_game",
    "make_algorithm",
    "make_spot",
    "match",
    "open_abstraction",
    "open_bundle",
    "open_policy",
    "parse_cards",
    "play_on",
    "read_config",
    "read_phh_file",
    "solve",
    "train",
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
    "train": "regretless.players.runs:train",
    "Run": "regretless.storage.run:Run",
    "Algorithm": "regretless.algorithm:Algorithm",
    "make_algorithm": "regretless.algorithms:make_algorithm",
    "RunConfig": "regretless.config:RunConfig",
    "read_config": "regretless.config:read_config",
    # Strategies on disk
    "open_policy": "regretless.players.strategies:open_policy",
    "find_strategy": "regretless.players.strategies:find_strategy",
    "Strategy": "regretless.players.strategies:Strategy",
    "open_bundle": "regretless.storage.bundle:open_bundle",
    "Bundle": "regretless.storage.bundle:Bundle",
    "export_onnx": "regretless.players.onnx_export:export_onnx",
    # Measuring
    "match": "regretless.players.matches:match",
    "MatchResult": "regretless.evaluation.matches:MatchResult",
    "evaluate": "regretless.players.evaluations:evaluate",
    "Evaluation": "regretless.evaluation.measures:Evaluation",
    "find_opponent": "regretless.players.contestants:find_opponent",
    # Tables, and asking at a spot
    "Table": "regretless.players.table:Table",
    "play_on": "regretless.players.table:play_on",
    "ask_every_hand": "regretless.players.asking:ask_every_hand",
    "HandAnswers": "regretless.players.asking:HandAnswers",
    "PublicBelief": "regretless.beliefs:PublicBelief",
    "BeliefTracker": "regretless.beliefs:BeliefTracker",
    # Hand histories
    "format_episode": "regretless.telling.hand_log:format_episode",
    "read_phh_file": "regretless.telling.phh:read_phh_file",
    "write_phh": "regretless.telling.phh:write_phh",
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

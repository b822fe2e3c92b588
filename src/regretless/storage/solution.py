# SPDX-License-Identifier: MIT
"""What an algorithm found, as a bundle."""

import datetime
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regretless.algorithm import Algorithm
from regretless.errors import InputError
from regretless.evaluation.measures import exact_measure
from regretless.games.native_game import NativeGame
from regretless.policy import TablePolicy
from regretless.storage.bundle import Bundle, BundleFacts, write_bundle
from regretless.storage.bundle_manifest import AlgorithmFacts, Strength


def write_solution(
    path: Path, solver: Algorithm, facts: AlgorithmFacts, exploitability: float
) -> Bundle:
    """The strategy of `solver`; an exploitability of NaN was not measured."""
    policy = solver.policy()
    game: Any = getattr(solver, "game", None)
    game = game.game if isinstance(game, NativeGame) else game
    if not isinstance(policy, TablePolicy) or game is None:
        raise InputError(f"{facts.name} on this game has no table to write")
    strength = []
    if not math.isnan(exploitability):
        strength = [Strength(**asdict(exact_measure(game, exploitability)))]
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return write_bundle(path, game, policy.table, BundleFacts(facts, strength, created=created))

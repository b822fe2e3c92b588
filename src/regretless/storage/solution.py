# SPDX-License-Identifier: MIT
"""What an algorithm found, as a bundle."""

import datetime
import math
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
    game: Any = solver.game.game if isinstance(solver.game, NativeGame) else solver.game
    if not isinstance(policy, TablePolicy):
        raise InputError(f"{facts.name} on this game has no table to write")
    strength = []
    if not math.isnan(exploitability):
        found = exact_measure(game, exploitability)
        strength = [
            Strength(measure=found.measure, value=found.value, unit=found.unit, how=found.how)
        ]
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return write_bundle(path, game, policy.table, BundleFacts(facts, strength, created=created))

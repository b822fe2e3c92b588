# SPDX-License-Identifier: MIT
"""Whom one plays against: a run, a bundle, or a bot by its name."""

from pathlib import Path

from regretless.cli.strategies import find_strategy
from regretless.errors import InputError
from regretless.evaluation.policies import load_policy
from regretless.games import Game
from regretless.games.rules_record import rules_record
from regretless.policy import Policy


def find_opponent(text: str, game: Game) -> Policy:
    """The policy that `text` names; InputError if there is none, or none for this game."""
    if Path(text).is_dir():
        found = find_strategy(Path(text))
        if rules_record(found.game) != rules_record(game):
            raise InputError(f"{text}: is for {found.game.name}, with other rules or another menu")
        return found.policy
    return load_policy(text, game)

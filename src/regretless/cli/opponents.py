# SPDX-License-Identifier: MIT
"""Whom one plays against: a run, a bundle, or a bot by its name."""

from pathlib import Path

from regretless.errors import InputError
from regretless.evaluation.policies import load_policy
from regretless.games import Game
from regretless.games.rules_record import rules_record
from regretless.policy import Policy
from regretless.storage.run_record import find_bundle


def find_opponent(text: str, game: Game) -> Policy:
    """The policy that `text` names; InputError if there is none, or none for this game."""
    if Path(text).is_dir():
        bundle = find_bundle(Path(text))
        bundle.verify()
        if rules_record(bundle.game) != rules_record(game):
            raise InputError(f"{text}: is for {bundle.game.name}, with other rules or another menu")
        return bundle.policy()
    return load_policy(text, game)

# SPDX-License-Identifier: MIT
"""Whom one plays against: a run, a bundle, or a bot by its name."""

import importlib
import importlib.util
from pathlib import Path

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.rules_record import rules_record
from regretless.policy import Policy, UniformPolicy
from regretless.storage.run_record import find_bundle

_POLICIES = "regretless.evaluation.policies"


def find_opponent(text: str, game: Game) -> Policy:
    """The policy that `text` names; InputError if there is none, or none for this game."""
    if text == "random":
        return UniformPolicy()
    if Path(text).is_dir():
        bundle = find_bundle(Path(text))
        bundle.verify()
        if rules_record(bundle.game) != rules_record(game):
            raise InputError(f"{text}: is for {bundle.game.name}, with other rules or another menu")
        return bundle.policy()
    if importlib.util.find_spec(_POLICIES) is None:
        raise InputError(f"{text!r}: neither `random` nor the directory of a bundle or a run")
    policy: Policy = importlib.import_module(_POLICIES).load_policy(text, game)
    return policy

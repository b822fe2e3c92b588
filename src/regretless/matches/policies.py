# SPDX-License-Identifier: MIT
"""`load_policy`: from a name on the command line to something that can play a game."""

from regretless.errors import InputError
from regretless.games import Game
from regretless.matches.bots import BOTS
from regretless.policies.policy import Policy


def load_policy(text: str, game: Game) -> Policy:
    """The bot of that name; an InputError suggests the nearest one."""
    if text in BOTS:
        return BOTS[text](game)
    raise InputError.unknown(f"unknown policy {text!r}", text, BOTS)

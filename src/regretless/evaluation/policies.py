# SPDX-License-Identifier: MIT
"""`load_policy`: from a name on the command line to something that can play a game."""

import difflib

from regretless.errors import InputError
from regretless.evaluation.bots import BOTS
from regretless.games import Game
from regretless.policy import Policy


def load_policy(text: str, game: Game) -> Policy:
    """The bot of that name; an InputError suggests the nearest one."""
    if text in BOTS:
        return BOTS[text](game)
    near = difflib.get_close_matches(text, BOTS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(BOTS)}"
    raise InputError(f"unknown policy {text!r}; {hint}")

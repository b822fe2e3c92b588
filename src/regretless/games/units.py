# SPDX-License-Identifier: MIT
"""What the unit of a game's values is called."""

from regretless import _native
from regretless.games.loading import Game


def unit_name(game: Game) -> str:
    """`big blinds`, `antes`, `chips`, or so many chips; in Liar's Dice the `stakes` of a game."""
    if isinstance(game, _native.LiarsDice):
        return "stakes"
    rules = game.rules
    if rules.unit == max(rules.blinds):
        return "big blinds"
    if rules.unit == max(rules.antes):
        return "antes"
    return "chips" if rules.unit == 1 else f"times {rules.unit} chips"

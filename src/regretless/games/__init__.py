# SPDX-License-Identifier: MIT
"""Games by name: variants, notation, and games written in Python."""

from regretless.games.face import Game, with_hands, with_public_view
from regretless.games.loading import game_names, load_game

__all__ = ["Game", "game_names", "load_game", "with_hands", "with_public_view"]

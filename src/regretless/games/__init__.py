# SPDX-License-Identifier: MIT
"""Games by name: variants, notation, and games written in Python."""

from regretless.games.loading import Game, game_names, load_game, with_hands

__all__ = ["Game", "game_names", "load_game", "with_hands"]

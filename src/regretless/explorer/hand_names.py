# SPDX-License-Identifier: MIT
"""The cards and the names of hands, by their numbers in a game."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.games import Game
from regretless.notation.cards import format_cards


def hand_cards(game: Game, hands: NDArray[Any]) -> NDArray[np.int64]:
    """The cards, or the dice, of each hand: [hands, cards]."""
    deck = game.deck
    if deck is None:
        return np.array([game.hand_parts(hand) for hand in hands.tolist()], np.int64)
    cards: NDArray[np.int64] = _native.hand_cards(deck, game.hand_size)[hands].astype(np.int64)
    return cards


def hand_names(game: Game, hands: NDArray[Any]) -> list[str]:
    """The name of each hand, highest cards first. The list is cached: do not change it."""
    deck = game.deck
    if deck is None:
        return ["".join(map(str, each)) for each in hand_cards(game, hands).tolist()]
    return _card_names(deck, game.hand_size, hands.astype(np.int64).tobytes())


@lru_cache(maxsize=64)
def _card_names(deck: "_native.Deck", hand_size: int, hands: bytes) -> list[str]:
    cards = _native.hand_cards(deck, hand_size)[np.frombuffer(hands, np.int64)]
    return [format_cards(each[::-1], deck) for each in cards.tolist()]

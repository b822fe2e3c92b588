# SPDX-License-Identifier: MIT
"""Colours that people of any colour vision tell apart (Okabe and Ito 2008), and cards in them."""

import html

from regretless.players.nodes import Choice

SKY, GREEN, YELLOW, ORANGE = "#56b4e9", "#009e73", "#f0e442", "#e69f00"
VERMILION, PURPLE, BLUE = "#d55e00", "#cc79a7", "#0072b2"

_RAISES = (YELLOW, ORANGE, VERMILION, PURPLE, "#b9b9e0", "#d9c7a0", "#a0d9c7")
_PASSIVE = {"f": SKY, "x": GREEN, "c": GREEN}
_SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

LINES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, YELLOW)
"""Of curves, one after the other."""


def choice_colours(choices: list[Choice]) -> list[str]:
    """Fold, call, and raises from small to large; of games without those one after the other."""
    rest = 0
    colours = []
    for each in choices:
        colour = _PASSIVE.get(each.word)
        if colour is None:
            colour = _RAISES[min(rest, len(_RAISES) - 1)]
            rest += 1
        colours.append(colour)
    return colours


def cards_html(text: str) -> str:
    """`Jc9d` as small cards; what is no pair of rank and suit stays as it is."""
    if len(text) % 2 or any(text[i + 1] not in _SYMBOLS for i in range(0, len(text), 2)):
        return html.escape(text)
    return "".join(card_html(text[i : i + 2]) for i in range(0, len(text), 2))


def card_html(card: str) -> str:
    rank, suit = card[0], card[1]
    return (
        f'<span class="card suit-{suit}" role="img" aria-label="{rank} of {_NAMES[suit]}">'
        f"{rank}{_SYMBOLS[suit]}</span>"
    )

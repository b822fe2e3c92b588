# SPDX-License-Identifier: MIT
"""Colours that people of any colour vision tell apart, and cards in them.

Pages name the colour of a choice by a CSS variable; `PALETTES` says what it is in each palette.
"""

import html

from regretless.explorer.node_view import Choice

SKY, GREEN, YELLOW, ORANGE = "#56b4e9", "#009e73", "#f0e442", "#e69f00"
VERMILION, PURPLE, BLUE = "#d55e00", "#cc79a7", "#0072b2"

_NUM_RAISES = 7
_PASSIVE = {"f": "var(--fold)", "x": "var(--call)", "c": "var(--call)"}
RANGE = "var(--range)"
"""Of hands that arrive, whatever they do."""

PALETTES: dict[str, dict[str, str]] = {
    "Okabe and Ito": {
        "fold": SKY,
        "call": GREEN,
        "raises": f"{YELLOW} {ORANGE} {VERMILION} {PURPLE} #b9b9e0 #d9c7a0 #a0d9c7",
        "range": ORANGE,
    },
    "Light (Tol)": {
        "fold": "#77aadd",
        "call": "#44bb99",
        "raises": "#eedd88 #ee8866 #ffaabb #aaaa00 #bbcc33 #dddddd #99ddff",
        "range": "#ee8866",
    },
    "Shades": {
        "fold": "#5a93d6",
        "call": "#c3dcf7",
        "raises": "#fff3b0 #f0c64a #cc9216 #b5790f #e8e1c8 #d9c7a0 #bfae86",
        "range": "#f0c64a",
    },
}
"""Okabe and Ito 2008; the light one of Paul Tol, for cells with dark text; blue and yellow by
lightness, which also a grey print keeps. The first is what pages begin with."""


def palette_css() -> str:
    """The variables of all palettes; `data-palette` of the page says which holds."""
    told = []
    for number, colours in enumerate(PALETTES.values()):
        raises = colours["raises"].split()
        rows = {"fold": colours["fold"], "call": colours["call"], "range": colours["range"]}
        rows |= {f"raise{i}": colour for i, colour in enumerate(raises)}
        names = ";".join(f"--{name}:{colour}" for name, colour in rows.items())
        place = f'[data-palette="{number}"]' if number else ""
        told.append(f":root{place}{{{names}}}")
    return "\n".join(told)


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
            colour = f"var(--raise{min(rest, _NUM_RAISES - 1)})"
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

# SPDX-License-Identifier: MIT
"""Colours of choices.

Pages name the colour of a choice by a CSS variable; `PALETTES` has its value in each palette.
"""

import itertools

from regretless.explorer.node_view import Choice
from regretless.pictures.colours import GREEN, ORANGE, PURPLE, SKY, VERMILION, YELLOW

_NUM_RAISES = 7
_PASSIVE = {"f": "var(--fold)", "x": "var(--call)", "c": "var(--call)"}
RANGE = "var(--range), var(--range)"  # stripes of hands that arrive, whatever they do

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
"""Okabe and Ito 2008, the default; the light palette of Paul Tol, for dark text; blue and yellow by
lightness, which a grey print keeps."""


def palette_css() -> str:
    """The variables of all palettes; `data-palette` of the page selects one."""
    told = []
    for number, colours in enumerate(PALETTES.values()):
        raises = colours["raises"].split()
        rows = {"fold": colours["fold"], "call": colours["call"], "range": colours["range"]}
        rows |= {f"raise{i}": colour for i, colour in enumerate(raises)}
        names = ";".join(f"--{name}:{colour}" for name, colour in rows.items())
        place = f'[data-palette="{number}"]' if number else ""
        told.append(f":root{place}{{{names}}}")
    return "\n".join(told)


def choice_colours(choices: list[Choice]) -> list[str]:
    """The colours of fold, call, and raises from small to large; in other games, in order."""
    raises = (f"var(--raise{min(i, _NUM_RAISES - 1)})" for i in itertools.count())
    return [_PASSIVE.get(each.word) or next(raises) for each in choices]

# SPDX-License-Identifier: MIT
"""Charts of 13 x 13 classes for a terminal: what a seat does with each hand."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Text

from regretless.notation.cards import RANKS
from regretless.preflop.solving import PreflopSolution

_NEVER = 1e-6  # a reach below this is not shown
_FOLD, _PASSIVE, _ALL_IN = (70, 80, 95), (40, 130, 70), (150, 40, 45)
_COLOURS = dict.fromkeys(("call", "limp", "check"), _PASSIVE) | {"fold": _FOLD, "all-in": _ALL_IN}
_RAISES = ((205, 125, 45), (190, 95, 45), (175, 75, 45))  # from the smallest

Row = NDArray[np.float64]
_T = TypeVar("_T")


def chart(solution: PreflopSolution, decision: int) -> Text:
    """The share of each class in percent: of the one action besides fold, or of the likeliest.

    Colours are those of the actions, mixed by their shares. Where there are more than two actions
    a letter before the number names the likeliest.
    """
    actions = solution.tree.decisions[decision].actions
    strategy = solution.strategy[decision, : len(actions)]  # [actions, classes]
    letters = action_letters(actions)
    colours = np.array(_by_action(actions, _COLOURS, _RAISES), np.float64)
    cells = [_cell(shares, letters) for shares in strategy.T]
    return _grid(cells, strategy.T @ colours, solution.ranges[decision] >= _NEVER)


def value_chart(solution: PreflopSolution, decision: int) -> Text:
    """The EV of each class from there on, in big blinds, with the chips put in."""
    count = len(solution.tree.decisions[decision].actions)
    parts = solution.strategy[decision, :count] * solution.action_values[decision, :count]
    values = parts.sum(axis=0)  # [classes]
    cells = ["" if np.isnan(each) else f"{each:+.2f}" for each in values]
    signs = np.where(values > 0, 1, 0)
    colours = np.array([_ALL_IN, _PASSIVE], np.float64)[signs]
    return _grid(cells, colours, solution.ranges[decision] >= _NEVER, width=6)


def _grid(cells: list[str], colours: Row, is_there: NDArray[np.bool_], width: int = 5) -> Text:
    """13 rows of 13 cells, with the ranks above and beside; colours [classes, 3]."""
    text = Text("  " + "".join(f"{rank:^{width}}" for rank in reversed(RANKS)) + "\n")
    for row, rank in enumerate(reversed(RANKS)):
        text.append(f"{rank} ")
        for place in range(row * 13, row * 13 + 13):
            if not is_there[place]:
                text.append(" " * width)
                continue
            red, green, blue = (int(each) for each in np.rint(colours[place]))
            style = Style(color="rgb(255,255,255)", bgcolor=f"rgb({red},{green},{blue})")
            text.append(f"{cells[place]:^{width}}", style)
        text.append("\n")
    return text


def _cell(shares: Row, letters: list[str]) -> str:
    if len(shares) == 2:
        percent = round(100 * float(shares[1]))
        return str(percent) if percent else "."
    best = int(shares.argmax())
    percent = round(100 * float(shares[best]))
    if letters[best] == "f" and percent == 100:
        return "."
    return f"{letters[best]}{percent}"


def action_letters(actions: tuple[str, ...]) -> list[str]:
    """`f`, `c`, `x` for a check, `a` for all-in, and `r`, `s`, `t`, ... for raises by size."""
    words = {"fold": "f", "call": "c", "limp": "c", "check": "x", "all-in": "a"}
    return _by_action(actions, words, ("r", "s", "t", "u", "v", "w"))


def _by_action(actions: tuple[str, ...], fixed: dict[str, _T], raises: Sequence[_T]) -> list[_T]:
    sizes = [action for action in actions if action not in fixed]
    return [
        fixed[action] if action in fixed else raises[min(sizes.index(action), len(raises) - 1)]
        for action in actions
    ]

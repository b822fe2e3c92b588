# SPDX-License-Identifier: MIT
"""Practice: a hand at a node of a strategy, a choice, and the loss of the choice."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.explorer.node_view import NodeView

NodeOf = Callable[[str], NodeView]
"""Returns the node at the end of a line."""

_MOST_STEPS = 200


@dataclass(frozen=True, eq=False)
class Question:
    """A hand at a node, for which an action is asked."""

    node: NodeView
    hand: int
    """The number of the hand in the range of the actor."""

    @property
    def hand_name(self) -> str:
        return self.node.acting.hands[self.hand]

    @property
    def losses(self) -> list[float]:
        """The expected loss of each choice against the best one (units); NaN if unknown."""
        values = np.array([float(each.values[self.hand]) for each in self.node.choices])
        losses: list[float] = (values.max() - values).tolist()
        return losses

    @property
    def mix(self) -> list[float]:
        """The probability of each choice with this hand."""
        return [float(each.mix[self.hand]) for each in self.node.choices]


def ask_at(node_of: NodeOf, line: str, rng: np.random.Generator) -> Question:
    """A question at one node, with a hand drawn from the range that arrives."""
    node = node_of(line)
    if node.actor < 0:
        raise InputError(f"{line!r}: nobody decides there")
    shares = node.acting.shares
    if shares.sum() <= 0:
        raise InputError(f"{line!r}: no hand arrives there")
    return Question(node, int(rng.choice(len(shares), p=shares / shares.sum())))


def ask_anywhere(node_of: NodeOf, rng: np.random.Generator) -> Question:
    """A question at a decision that self-play reaches."""
    lines = _played(node_of, rng)
    if not lines:
        raise InputError("no decision comes up")
    return ask_at(node_of, lines[int(rng.integers(len(lines)))], rng)


def _played(node_of: NodeOf, rng: np.random.Generator) -> list[str]:
    """Lines of the decisions of one hand, drawn by the mix of the whole range."""
    line, found = "", []
    for _ in range(_MOST_STEPS):
        node = node_of(line)
        if node.actor == _native.TERMINAL:
            break
        if node.cards:
            line = f"{node.line} | {_drawn_cards(node, rng)} |"
            continue
        found.append(node.line)
        shares = np.nan_to_num(np.array([each.share for each in node.choices]))
        if shares.sum() <= 0:
            break
        word = node.choices[int(rng.choice(len(shares), p=shares / shares.sum()))].word
        line = f"{node.line} {word}"
    return found


def _drawn_cards(node: NodeView, rng: np.random.Generator) -> str:
    names = [each.card for each in node.cards]
    drawn = rng.choice(len(names), size=node.cards_due, replace=False)
    return "".join(names[int(each)] for each in drawn)

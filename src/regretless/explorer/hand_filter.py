# SPDX-License-Identifier: MIT
"""Filters of hands at a node: by made hand, by draw, by suits, and by what they choose."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from regretless.errors import InputError
from regretless.explorer.node_view import NodeView
from regretless.notation.cards import SUITS
from regretless.notation.made_hands import DRAWS, MADE, Flags

MADE_NAMES = (*MADE, "top-pair")
"""The names that select made hands; the last one selects all kickers."""
_SHAPES = ("suited", "offsuit", "pair")
_LEAST_SHARE = 0.01  # of an action that a hand chooses at all


@dataclass(frozen=True)
class HandFilter:
    """Conditions that a hand must meet, all of them; an empty one holds always."""

    made: str = ""
    """Made hands between commas, such as `set,top-pair`."""
    draw: str = ""
    """Draws between commas, such as `flush-draw,gutshot`, perhaps beside others."""
    suits: str = ""
    """A suit (`h`), two (`hh`, `hs`), or `suited`, `offsuit`, `pair`; several between commas."""
    action: str = ""
    """Actions between commas: `b33` chosen at all, `b33:50%` at least half of the time."""

    def __bool__(self) -> bool:
        return any(vars(self).values())

    def apply(self, node: NodeView, seat: int) -> NodeView:
        """Returns the node with the hands of a seat that meet the conditions."""
        return node.only(seat, self.keeps(node, seat)) if self else node

    def keeps(self, node: NodeView, seat: int) -> Flags:
        """Whether each hand of a seat meets the conditions; InputError names a wrong one."""
        keeps = np.ones(len(node.seats[seat].hands), bool)
        if self.made or self.draw:
            classes = node.made_hands(seat)
            if classes is None:
                raise InputError("--made and --draw need hands of two cards and a flop")
            if self.made:
                keeps &= _any([classes.has_made(n) for n in _words("made", self.made, MADE_NAMES)])
            if self.draw:
                keeps &= _any([classes.has_draw(n) for n in _words("draw", self.draw, DRAWS)])
        if self.suits:
            keeps &= _any([_has_suits(node, seat, word) for word in _split(self.suits)])
        if self.action:
            keeps &= _any([_chooses(node, seat, word) for word in _split(self.action)])
        return keeps


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


def _words(option: str, text: str, names: tuple[str, ...]) -> list[str]:
    words = _split(text)
    for word in words:
        if word not in names:
            raise InputError.unknown(f"--{option}: no {word!r}", word, names)
    return words


def _any(flags: list[Flags]) -> Flags:
    found: Flags = np.any(flags, axis=0)
    return found


def _has_suits(node: NodeView, seat: int, word: str) -> Flags:
    hands = node.seats[seat].hands
    if not node.ranks:
        raise InputError("--suits: needs hands of two cards")
    if word in _SHAPES:
        kinds = ("pair" if h[0] == h[2] else "suited" if h[1] == h[3] else "offsuit" for h in hands)
        return np.array([kind == word for kind in kinds])
    if not 1 <= len(word) <= 2 or any(suit not in SUITS for suit in word):
        raise InputError(f"--suits: {word!r} is none of h, hh, hs, {', '.join(_SHAPES)}")
    wanted = {"".join(each) for each in permutations(word)}
    return np.array([h[1] + h[3] in wanted or word in (h[1], h[3]) for h in hands])


def _chooses(node: NodeView, seat: int, word: str) -> Flags:
    name, _, share = word.partition(":")
    if seat != node.actor:
        raise InputError("--action: the player of this range is not to act here")
    found = {each.word: each.mix for each in node.choices}
    if name not in found:
        raise InputError.unknown(f"--action: no {name!r} here", name, found)
    try:
        least = float(share.removesuffix("%")) / 100 if share else _LEAST_SHARE
    except ValueError:
        least = -1.0
    if not 0 <= least <= 1:
        raise InputError(f"--action: {word!r}: a share is 0% to 100%, as in {name}:50%")
    return np.asarray(found[name] >= least)

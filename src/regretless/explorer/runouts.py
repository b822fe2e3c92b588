# SPDX-License-Identifier: MIT
"""Every public card that may come next: the node behind each, as one table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.explorer.node_view import NodeView, known
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.tree_place import TreePlace
from regretless.histories.lines import Step, read_line
from regretless.notation.cards import card_name
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True, eq=False)
class Runout:
    """A card, with those that are the same up to suits, and the node behind it."""

    cards: tuple[str, ...]
    weight: float  # how likely one of the cards comes, given both ranges; the sum over all is 1
    node: NodeView  # behind the first of the cards

    def row(self) -> dict[str, Any]:
        """The frequencies of the actions, then EV and equity of both players."""
        node = self.node
        return {
            "card": self.cards[0],
            "cards": " ".join(self.cards),
            "weight": self.weight,
            **{each.word: known(each.share) for each in node.choices},
            **{f"ev {each.name}": known(each.value) for each in node.seats},
            **{f"equity {each.name}": known(each.equity) for each in node.seats},
        }


def find_runouts(
    tree: SolvedTree, line: str = "", then: str = "", watch: Watch = UNWATCHED
) -> Iterator[Runout]:
    """Yields a row for each next card that can come, the highest first, after a line of play.

    Cards that the solver has merged by suits are one. The node is the one after the card, or
    after the actions `then`. InputError if no card is due. `Stopped` if `watch` says so.
    """
    episode = tree.game.episode_of()
    place = TreePlace(tree.game, tree.tree, read_line(line, episode))
    deck = tree.game.deck
    if place.actor != _native.CHANCE or deck is None:
        raise InputError(f"no public card is due after {line!r}; go on until the street is over")
    groups: dict[int, list[str]] = {}
    chances: dict[int, float] = {}
    for card in reversed(range(deck.num_cards)):
        if card in episode.board:
            continue
        below = place.after(Step(None, (card,), ""))
        met = float(below.reaches[0] @ below.met(0))
        if met > 0:
            groups.setdefault(below.node, []).append(card_name(card, deck))
            chances[below.node] = chances.get(below.node, 0.0) + met
    if not groups:
        raise InputError(f"nobody arrives after {line!r}")
    total = sum(chances.values())
    for number, (node, cards) in enumerate(groups.items()):
        watch.look(f"card {cards[0]}", number / len(groups))
        found = tree.node(f"{line} | {cards[0]} | {then}")
        yield Runout(tuple(cards), chances[node] / total, found)


def runout_hands(runouts: Iterator[Runout], seat: int | None = None) -> Iterator[dict[str, Any]]:
    """Yields the hands of the seat to act, or of another, behind each card."""
    for each in runouts:
        for row in each.node.rows(seat):
            yield {"card": each.cards[0], "card weight": each.weight, **row}


def mean_runout(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns the mean of all figures over the cards, weighted by how likely each comes."""
    weights = np.array([row["weight"] for row in rows])
    mean: dict[str, Any] = {"card": "all", "cards": "", "weight": float(weights.sum())}
    for name in (name for name in (rows[0] if rows else {}) if name not in mean):
        figures = np.array([row[name] for row in rows], np.float64)
        mean[name] = known(float(figures @ weights) / mean["weight"])
    return mean

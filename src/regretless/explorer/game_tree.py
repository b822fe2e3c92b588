# SPDX-License-Identifier: MIT
"""The tree of a game as nested data: shares, ranges and values of each public state."""

from dataclasses import dataclass, field
from typing import Any

from regretless.errors import TooLargeError
from regretless.explorer.node_view import NodeView
from regretless.explorer.public_lines import AskNode, PublicLine, public_lines
from regretless.games import Game

MOST_NODES = 1000  # public states of one tree


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A public state and those that follow it."""

    place: PublicLine
    node: NodeView
    share: float | None
    """The share of the action that leads here; None at the root and after public cards."""
    is_cut: bool  # whether nodes below are left out
    children: list["TreeNode"] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        node = self.node
        return {
            "line": self.place.line,
            "word": self.place.word,
            "actor": node.seats[node.actor].name if node.actor >= 0 else None,
            "share": self.share,
            "beliefs": {
                each.name: {
                    hand: float(share)
                    for hand, share in zip(each.hands, each.shares, strict=True)
                    if share > 0
                }
                for each in node.seats
            },
            "values": [each.value if each.value == each.value else None for each in node.seats],
            "is_cut": self.is_cut,
            "children": [each.to_json() for each in self.children],
        }


def game_tree(
    game: Game, ask: AskNode, line: str = "", *, most: int = MOST_NODES, depth: int | None = None
) -> TreeNode:
    """The tree below a line, as deep as `most` public states reach if no `depth` is given.

    `ask` returns the node of a line.
    """
    if depth is None:
        depth = _depth_within(game, line, most)
    places = public_lines(game, line, depth=depth, most=most)
    path: list[TreeNode] = []
    for place in places:
        view = ask(place.line)
        is_cut = place.depth == depth and bool(view.choices or view.cards)
        del path[place.depth :]
        made = TreeNode(place, view, _share(path, place), is_cut)
        if path:
            path[-1].children.append(made)
        path.append(made)
    return path[0]


def _share(path: list[TreeNode], place: PublicLine) -> float | None:
    if not path:
        return None
    found = next((each for each in path[-1].node.choices if each.word == place.word), None)
    return None if found is None or found.share != found.share else found.share


def _depth_within(game: Game, line: str, most: int) -> int:
    """The number of steps that fit; at least one."""
    depth, count = 1, 0
    while True:
        try:
            found = len(public_lines(game, line, depth=depth + 1, most=most))
        except TooLargeError:
            return depth
        if found == count:
            return depth
        depth, count = depth + 1, found

# SPDX-License-Identifier: MIT
"""Two solutions of one spot side by side: actions, hands, classes, next cards, nodes.

Menus, stacks, rake and ranges may differ; then the part of the trees that both have is compared.
Every table is a list of rows with the largest difference first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from regretless.errors import InputError, TooLargeError
from regretless.explorer.node_view import NodeView, known
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import Runout, find_runouts
from regretless.games.face import rules_record
from regretless.watch import UNWATCHED, Watch

BY = ("actions", "ranges", "hands", "made", "draw", "classes", "runouts", "nodes")
"""The tables of a comparison."""
_MOST_NODES = 500  # of one street
_SAME = ("deck", "hole_cards", "board", "antes", "blinds", "showdown", "players", "unit")
_SKIPPED = ("name", "slots")  # names of rules and of slots say nothing about play
_FIGURES = ("weight", "share", "combos", "equity", "ev")

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two solutions at one line of play."""

    trees: tuple[SolvedTree, SolvedTree]
    nodes: tuple[NodeView, NodeView]
    settings: dict[str, tuple[Any, Any]]
    """Rules and options that differ, by name."""

    @classmethod
    def at(cls, first: SolvedTree, second: SolvedTree, line: str = "") -> "Comparison":
        """InputError if the spots cannot be compared, or if one of them has no such line."""
        settings = _differences(rules_record(first.game), rules_record(second.game))
        if "start.board" in settings:
            boards = [tree.node(equities=False).board for tree in (first, second)]
            settings["start.board"] = (boards[0], boards[1])
        for name, (ours, theirs) in settings.items():
            if name.rsplit(".", 1)[-1] in _SAME:
                raise InputError(
                    f"the spots differ in {name}: {ours} and {theirs}; only solutions with the "
                    "same board, pot and deck can be compared"
                )
        nodes = []
        for name, tree in zip("AB", (first, second), strict=True):
            try:
                nodes.append(tree.node(line))
            except InputError as error:
                raise InputError(f"{name} has no such line: {error}") from None
        one, two = nodes
        if one.actor != two.actor:
            raise InputError(f"the trees differ at {line!r}: another player is to act")
        return cls((first, second), (one, two), settings)

    def table(self, by: str, seat: int | None = None, watch: Watch = UNWATCHED) -> list[Row]:
        """The rows of one of `BY`; hands and classes are those of a seat, default the actor."""
        one, two = self.nodes
        player = max(one.actor, 0) if seat is None else seat
        if by == "actions":
            return beside(_actions(one), _actions(two), "action")
        if by == "ranges":
            return beside(_ranges(one), _ranges(two), "seat")
        if by == "hands":
            return compare_hands(one, two, player)
        if by == "runouts":
            found = [list(find_runouts(tree, one.line, watch=watch)) for tree in self.trees]
            return beside(*_alike(*found), "cards")
        if by == "nodes":
            nodes = _common_nodes(*self.trees, one.line, 1.0, watch)
            return sorted(nodes, key=lambda row: -row["distance"] * row["reach"])
        kind = "hand" if by == "classes" else by
        return beside(one.class_rows(player, kind), two.class_rows(player, kind), "class")


def _differences(first: Any, second: Any, name: str = "") -> dict[str, tuple[Any, Any]]:
    """The entries of two records that differ, by their path; of ranges only their sizes."""
    if isinstance(first, dict) and isinstance(second, dict):
        found: dict[str, tuple[Any, Any]] = {}
        for key in dict.fromkeys([*first, *second]):
            if key not in _SKIPPED:
                place = f"{name}.{key}" if name else str(key)
                found |= _differences(first.get(key), second.get(key), place)
        return found
    if first == second:
        return {}
    if name == "start.weights":
        return {"start.ranges": (_ranges_text(first), _ranges_text(second))}
    return {name: (first, second)}


def _ranges_text(ranges: Sequence[Sequence[float]]) -> str:
    return " and ".join(f"{sum(each):,.2f} combos" for each in ranges)


def beside(first: Iterable[Row], second: Iterable[Row], key: str) -> list[Row]:
    """Joins rows by a key: every figure as `NAME A` and `NAME B`, a difference as B minus A.

    `distance` is the total variation of the mixes, 0 to 1. Rows are sorted by the distance times
    the larger share or weight, or without mixes by the difference of shares, then by that of EVs.
    """
    ours, theirs = ({row[key]: row for row in rows} for rows in (first, second))
    joined = [
        _joined(key, name, ours.get(name), theirs.get(name))
        for name in dict.fromkeys([*ours, *theirs])
    ]
    return sorted(joined, key=_importance)


def _joined(key: str, name: Any, first: Row | None, second: Row | None) -> Row:
    one, two = first or {}, second or {}
    names = list(dict.fromkeys([*one, *two]))
    row: Row = {key: name}
    kept = [each for each in names if isinstance(one.get(each, two.get(each)), str)]
    row |= {each: one.get(each, two.get(each)) for each in kept if each != key}
    figures = [each for each in names if each not in kept and each != key]
    mixed = [each for each in figures if each.split(" ")[0] not in _FIGURES]
    if mixed:
        pairs = [(one.get(each) or 0.0, two.get(each) or 0.0) for each in mixed]
        is_known = bool(one and two) and all(sum(side) > 0 for side in zip(*pairs, strict=True))
        row["distance"] = sum(abs(a - b) for a, b in pairs) / 2 if is_known else None
    for each in (each for each in figures if not mixed or each.split(" ")[0] == "ev"):
        pair = [side.get(each) for side in (one, two)]
        ours, theirs = (np.nan if figure is None else figure for figure in pair)
        row[f"{each} difference"] = known(theirs - ours)
    for each in figures:
        row |= {f"{each} A": one.get(each), f"{each} B": two.get(each)}
    return row


def _importance(row: Row) -> tuple[float, float]:
    size = "share" if "share A" in row else "weight"
    sizes = [row.get(f"{size} {side}") or 0.0 for side in "AB"]
    values = [abs(each) for name, each in row.items() if name.endswith(" difference") and each]
    distance = (row.get("distance") or 0.0) * max(sizes)
    if "distance" not in row:
        distance = abs(row.get("share difference") or 0.0)
    return -distance, -max(values, default=0.0)


def _actions(node: NodeView) -> list[Row]:
    return [
        {"action": each.word, "share": known(each.share), "ev": known(each.value)}
        for each in node.choices
    ]


def _ranges(node: NodeView) -> list[Row]:
    return [
        {"seat": s.name, "combos": s.combos, "equity": known(s.equity), "ev": known(s.value)}
        for s in node.seats
    ]


def compare_hands(first: NodeView, second: NodeView, seat: int) -> list[Row]:
    """The hands of a seat at two nodes; one that only one range has is at the end."""

    def rows(node: NodeView) -> Iterator[Row]:
        for row in node.rows(seat):
            hidden = ("line", "seat", "regret", *(name for name in row if name.startswith("ev ")))
            yield {name: each for name, each in row.items() if name not in hidden}

    return beside(rows(first), rows(second), "hand")


def _alike(first: Sequence[Runout], second: Sequence[Runout]) -> tuple[list[Row], list[Row]]:
    """The rows of next cards: one for each card, unless both merge the same cards by suits."""
    are_alike = [each.cards for each in first] == [each.cards for each in second]

    def rows(runouts: Sequence[Runout]) -> Iterator[Row]:
        for each in runouts:
            row = {key: figure for key, figure in each.row().items() if key != "card"}
            cards = [row["cards"]] if are_alike else each.cards
            for card in cards:
                yield row | {"cards": card, "weight": each.weight / len(cards)}

    return list(rows(first)), list(rows(second))


def _common_nodes(
    first: SolvedTree, second: SolvedTree, line: str, reach: float, watch: Watch
) -> Iterator[Row]:
    """The decisions of this street that both trees have, at and below a line.

    `reach` is how often A comes there from the line; `distance` is the mean over hands.
    """
    pending, count = [(line, reach)], 0
    while pending:
        here, share = pending.pop(0)
        watch.look(f"node {here or 'start'}")
        one, two = (tree.node(here, equities=False) for tree in (first, second))
        if not one.choices or one.actor != two.actor:
            continue
        count += 1
        if count > _MOST_NODES:
            raise TooLargeError(f"this street has more than {_MOST_NODES:,} nodes to compare")
        words = [[each.word for each in node.choices] for node in (one, two)]
        hands = compare_hands(one, two, one.actor)
        distances = [(row["distance"], row["share A"]) for row in hands if row.get("distance")]
        yield {
            "line": here,
            "actor": one.acting.name,
            "reach": share,
            "distance": sum(distance * weight for distance, weight in distances),
            "ev A": known(one.acting.value),
            "ev B": known(two.acting.value),
            "only A": " ".join(word for word in words[0] if word not in words[1]),
            "only B": " ".join(word for word in words[1] if word not in words[0]),
        }
        for each in one.choices:
            if each.word in words[1]:
                part = 0.0 if np.isnan(each.share) else each.share
                pending.append((f"{here} {each.word}".strip(), share * part))


def names_of(rows: Iterable[Row]) -> list[str]:
    """All names of columns: those of the first row, then others."""
    return list(dict.fromkeys(chain.from_iterable(rows)))

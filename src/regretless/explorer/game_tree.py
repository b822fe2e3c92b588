# SPDX-License-Identifier: MIT
"""All public states of a small game: by their lines, as a tree, and its infosets as a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from regretless import _native
from regretless.errors import TooLargeError
from regretless.explorer.node_view import NodeView, SeatRange, hand_names, known
from regretless.games import Game, with_hands
from regretless.games.amounts import CHIPS, Amounts
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view
from regretless.histories.lines import Step, format_line, go, read_line
from regretless.notation.cards import format_cards

MOST_STATES = 20_000  # public states of a game that is small enough to list
MOST_NODES = 1000  # public states of one tree

AskNode = Callable[[str], NodeView]


@dataclass(frozen=True)
class PublicLine:
    """A public state."""

    line: str
    word: str  # the step that led here; empty at the start
    text: str  # the step in words
    depth: int  # steps below the first state of the list
    actor: int  # a seat, or what an episode says where cards are due and at the end
    board: list[int]


def public_lines(
    game: Game,
    line: str = "",
    *,
    depth: int | None = None,
    most: int = MOST_STATES,
    amounts: Amounts = CHIPS,
) -> list[PublicLine]:
    """The state of a line and all below it, each before those that follow it.

    With `depth` only so many steps on. TooLargeError where there are more than `most`.
    """
    episode = with_hands(game, "a list of public states").episode_of()
    steps = read_line(line, episode, amounts)
    found: list[PublicLine] = []
    for each in _walk(episode, steps, "", 0, depth, amounts):
        if len(found) == most:
            raise TooLargeError(f"{game.name}: has more than {most:,} public states to list")
        found.append(each)
    return found


def _walk(
    now: Episode, steps: list[Step], text: str, depth: int, most: int | None, amounts: Amounts
) -> Iterator[PublicLine]:
    word = steps[-1].text if steps and text else ""
    actor = _native.TERMINAL if now.is_terminal else now.actor
    yield PublicLine(format_line(steps), word, text, depth, actor, list(now.board))
    if most is not None and depth >= most:
        return
    for step, text in _next_steps(now, amounts):
        after = now.copy()
        go(after, step)
        yield from _walk(after, [*steps, step], text, depth + 1, most, amounts)


def _next_steps(now: Episode, amounts: Amounts) -> Iterator[tuple[Step, str]]:
    if now.is_terminal:
        return
    if (due := view(now).cards_due()) > 0:
        deck = now.game.deck
        assert deck is not None  # only games with a deck deal in public
        left = [card for card in range(deck.num_cards) if card not in now.board]
        for cards in combinations(left, due):
            text = format_cards(list(cards), deck)
            yield Step(None, cards, text), text
    elif now.actor >= 0:
        for slot in legal_slots(now):
            word = amounts.word(view(now).slot_word(slot))
            yield Step(slot, (), word), amounts.in_text(now.slot_text(slot))


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A public state and those that follow it."""

    place: PublicLine
    node: NodeView
    share: float | None
    """The share of the action that leads here; None at the root and after public cards."""
    is_cut: bool  # whether nodes below are left out
    children: list["TreeNode"] = field(default_factory=list)

    def to_json(self, most_hands: int | None = None) -> dict[str, Any]:
        """Nested data; with `most_hands` only so many hands of each range, the likeliest."""
        node = self.node
        return {
            "line": self.place.line,
            "word": self.place.word,
            "text": self.place.text,
            "actor": node.seats[node.actor].name if node.actor >= 0 else None,
            "share": self.share,
            "beliefs": {each.name: _belief(each, most_hands) for each in node.seats},
            "values": [known(each.value) for each in node.seats],
            "is_cut": self.is_cut,
            "children": [each.to_json(most_hands) for each in self.children],
        }


def _belief(seat: SeatRange, most: int | None) -> dict[str, float]:
    held = np.flatnonzero(seat.shares > 0)
    if most is not None:
        held = held[np.argsort(-seat.shares[held], kind="stable")[:most]]
    return {seat.hands[h]: float(seat.shares[h]) for h in held.tolist()}


def game_tree(
    game: Game,
    ask: AskNode,
    line: str = "",
    *,
    most: int = MOST_NODES,
    depth: int | None = None,
    unit: str | None = None,
) -> TreeNode:
    """The tree below a line, as deep as `most` public states reach if no `depth` is given.

    `ask` returns the node of a line, with amounts in the `unit`.
    """
    if depth is None:
        depth = _depth_within(game, line, most)
    amounts = Amounts.of(game, unit)
    places = public_lines(game, line, depth=depth, most=most, amounts=amounts)
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
    return None if found is None else known(found.share)


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


@dataclass(frozen=True)
class InfosetPage:
    """Some rows of the table of all infosets."""

    total: int  # infosets that fit the filter
    begin: int
    rows: list[dict[str, Any]]
    """`line`, `seat`, `hand`, own `reach`, `share` of the range, `ev` and `mix` by action."""


def infosets(
    game: Game, ask: AskNode, *, line: str = "", hand: str = "", begin: int = 0, count: int = 100
) -> InfosetPage:
    """Infosets at and below a line, of hands whose name has `hand` in it, from the first on.

    `ask` returns the node of a line; it is called for the rows of the page alone.
    """
    states = [each for each in public_lines(game, line) if each.actor >= 0]
    rows: list[dict[str, Any]] = []
    total = 0
    for state in states:
        left = np.flatnonzero(with_hands(game, "a list of infosets").hands_possible(state.board))
        fit = [name for name in hand_names(game, left) if hand in name]
        first, last = max(begin - total, 0), min(begin + count - total, len(fit))
        if first < last:
            rows += _infoset_rows(ask(state.line), fit[first:last])
        total += len(fit)
    return InfosetPage(total, begin, rows)


def _infoset_rows(node: NodeView, hands: list[str]) -> Iterator[dict[str, Any]]:
    of = node.seats[node.actor]
    places = {name: h for h, name in enumerate(of.hands)}
    for hand in hands:
        h = places.get(hand)
        if h is None:
            continue
        yield {
            "line": node.line,
            "seat": of.name,
            "hand": hand,
            "reach": float(of.weights[h]),
            "share": float(of.shares[h]),
            "ev": known(of.values[h]),
            "mix": {each.word: float(each.mix[h]) for each in node.choices},
        }

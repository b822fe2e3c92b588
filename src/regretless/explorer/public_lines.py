# SPDX-License-Identifier: MIT
"""All public states of a small game by their lines, and its infosets as a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from regretless import _native
from regretless.errors import TooLargeError
from regretless.explorer.hand_names import all_hand_names
from regretless.explorer.node_view import NodeView
from regretless.games import Game, with_hands
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view
from regretless.histories.lines import Step, format_line, go, read_line
from regretless.notation.cards import format_cards

MOST_STATES = 20_000  # public states of a game that is small enough to list

AskNode = Callable[[str], NodeView]


@dataclass(frozen=True)
class PublicLine:
    """A public state."""

    line: str
    word: str  # the step that led here; empty at the start
    text: str  # the step in words
    depth: int  # steps below the first state of the list
    actor: int  # a seat, or what an episode says where cards are due and at the end


def public_lines(
    game: Game, line: str = "", *, depth: int | None = None, most: int = MOST_STATES
) -> list[PublicLine]:
    """The state of a line and all below it, each before those that follow it.

    With `depth` only so many steps on. TooLargeError where there are more than `most`.
    """
    episode = with_hands(game, "a list of public states").episode_of()
    steps = read_line(line, episode)
    found: list[PublicLine] = []
    for each in _walk(episode, steps, "", 0, depth):
        if len(found) == most:
            raise TooLargeError(f"{game.name}: has more than {most:,} public states to list")
        found.append(each)
    return found


def _walk(
    now: Episode, steps: list[Step], text: str, depth: int, most: int | None
) -> Iterator[PublicLine]:
    word = steps[-1].text if steps and text else ""
    actor = _native.TERMINAL if now.is_terminal else now.actor
    yield PublicLine(format_line(steps), word, text, depth, actor)
    if most is not None and depth >= most:
        return
    for step, told in _next_steps(now):
        after = now.copy()
        go(after, step)
        yield from _walk(after, [*steps, step], told, depth + 1, most)


def _next_steps(now: Episode) -> Iterator[tuple[Step, str]]:
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
            yield Step(slot, (), view(now).slot_word(slot)), now.slot_text(slot)


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
    names = all_hand_names(game)
    for state in states:
        board = _board_of(game, state.line)
        fit = [name for name in names if _is_left(name, board) and hand in name]
        first, last = max(begin - total, 0), min(begin + count - total, len(fit))
        if first < last:
            rows += _infoset_rows(ask(state.line), fit[first:last])
        total += len(fit)
    return InfosetPage(total, begin, rows)


def _board_of(game: Game, line: str) -> set[str]:
    if game.deck is None:
        return set()
    episode = game.episode_of()
    read_line(line, episode)
    text = format_cards(list(episode.board), game.deck)
    return {text[i : i + 2] for i in range(0, len(text), 2)}


def _is_left(name: str, board: set[str]) -> bool:
    return not board or all(name[i : i + 2] not in board for i in range(0, len(name), 2))


def _infoset_rows(node: NodeView, hands: list[str]) -> Iterator[dict[str, Any]]:
    of = node.seats[node.actor]
    places = {name: h for h, name in enumerate(of.hands)}
    for hand in hands:
        h = places.get(hand)
        if h is None:
            continue
        value = float(of.values[h])
        yield {
            "line": node.line,
            "seat": of.name,
            "hand": hand,
            "reach": float(of.weights[h]),
            "share": float(of.shares[h]),
            "ev": value if value == value else None,
            "mix": {each.word: float(each.mix[h]) for each in node.choices},
        }

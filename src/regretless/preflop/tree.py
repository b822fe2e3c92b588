# SPDX-License-Identifier: MIT
"""Betting before the flop as a tree of arrays, with the payoffs of its endings.

The engine plays every line (games/menus.py says which), so chips are its own. A line ends with a
fold, or all-in and called, or where a flop is seen; there both check to the end.
"""

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.face import require_poker
from regretless.games.menus import SITUATIONS
from regretless.notation.cards import parse_cards

BIG_BLIND, SMALL_BLIND = 0, 1  # seats
SEAT_NAMES = ("BB", "SB")
MOST_DECISIONS = 2_000
LEAST_STACK, MOST_STACK = 2, 200  # big blinds

_CHIPS = 10_000  # in a big blind, at least
_MOST_DECIMALS = 6
_BOARD = "KhQh9s7s5c"
_HOLE = ("AcAd", "2c2d")  # the first wins


@dataclass(frozen=True)
class PreflopSpot:
    """Two players before the flop. Amounts are in one unit of the caller's choice."""

    stack: float = 10.0
    """Stack of each player before antes and blinds, 2 to 200 big blinds."""
    small_blind: float = 0.5
    """In the unit of the stack."""
    big_blind: float = 1.0
    """In the unit of the stack."""
    ante: float = 0.0
    """Paid by each player."""
    big_blind_ante: float = 0.0
    """Paid by the big blind for both."""
    sizes: str = "a"
    """First raise / second / others, as in menus: 2.5u,a/3x,a/a (a: jam)."""
    limp: bool = False
    """The small blind may call the big blind."""
    max_raises: int | None = None
    """Most raises."""

    def game(self) -> "_native.Poker":
        """The native game of the spot; InputError names the amount that is wrong."""
        scale = self._scale()
        amounts = (self.stack, self.small_blind, self.big_blind, self.ante, self.big_blind_ante)
        stack, small, big, ante, big_ante = (int(_decimal(each) * scale) for each in amounts)
        if big <= 0 or not 0 <= small <= big:
            raise InputError("blinds: the small one is at most the big one, which is above 0")
        if ante < 0 or big_ante < 0 or ante + big_ante + big > stack:
            raise InputError("ante: must not be negative, and leave the blind in the stack")
        if not LEAST_STACK * big <= stack <= MOST_STACK * big:
            raise InputError(
                f"stack: must be {LEAST_STACK} to {MOST_STACK} big blinds, not {stack / big:g}"
            )
        game = load_game(
            "nlhe",
            small_blind=small,
            big_blind=big,
            antes=[ante + big_ante, ante],
            stacks=stack,
            menu=self._menu(),
        )
        return require_poker(game, "no poker")

    def _scale(self) -> Decimal:
        """Chips in the caller's unit: all amounts are whole, and raises are rounded to little."""
        amounts = (self.stack, self.small_blind, self.big_blind, self.ante, self.big_blind_ante)
        for each in amounts:
            if not -1e6 < each < 1e6:
                raise InputError(f"amounts must be below a million, not {each:g}")
        exponents = [_decimal(each).as_tuple().exponent for each in amounts]
        decimals = max(-each if isinstance(each, int) else 0 for each in exponents)
        if decimals > _MOST_DECIMALS:
            raise InputError(f"amounts have at most {_MOST_DECIMALS} decimals")
        big = _decimal(self.big_blind)
        while 0 < big * 10**decimals < _CHIPS:
            decimals += 1
        return Decimal(10) ** max(decimals, 0)

    def _menu(self) -> dict[str, object]:
        rows = self.sizes.split("/")
        if len(rows) > len(SITUATIONS):
            raise InputError("sizes: at most three rows, first raise / second / others")
        menu: dict[str, object] = {
            "preflop": dict(zip(SITUATIONS, rows, strict=False)),
            "all": "",
            "limp": self.limp,
        }
        return menu if self.max_raises is None else {**menu, "max_raises": self.max_raises}


@dataclass(frozen=True)
class Decision:
    """A decision of a seat, after a line of actions."""

    line: tuple[str, ...]
    seat: int
    actions: tuple[str, ...]
    children: tuple[int, ...]  # nodes


@dataclass(frozen=True)
class PreflopTree:
    """Nodes breadth first; seats take turns, so those of one depth belong to one seat."""

    decisions: tuple[Decision, ...]
    levels: tuple[slice, ...]  # of decisions, by depth
    decision_nodes: NDArray[np.int64]  # [decisions]
    children: NDArray[np.int64]  # [decisions, actions]: nodes; num_nodes where there is none
    ending_nodes: NDArray[np.int64]  # [endings]
    won: NDArray[np.float64]  # [2, endings]: big blinds of each seat if it has the better hand
    lost: NDArray[np.float64]  # [2, endings]: if it has the worse one; after a fold the same
    sees_flop: NDArray[np.bool_]  # [endings]: chips are left to bet, but none are

    @property
    def num_nodes(self) -> int:
        return len(self.decision_nodes) + len(self.ending_nodes)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """[decisions, actions]"""
        return self.children < self.num_nodes


@dataclass
class _Node:
    """One line, played with either seat holding the better hand."""

    episodes: tuple["_native.PokerEpisode", "_native.PokerEpisode"]  # the seat that wins
    line: tuple[str, ...]
    depth: int

    @property
    def is_decision(self) -> bool:
        return self.episodes[0].actor >= 0 and self.episodes[0].street == 0

    def after(self, slot: int, name: str) -> "_Node":
        first, second = (each.copy() for each in self.episodes)
        first.choose(slot)
        second.choose(slot)
        return _Node((first, second), (*self.line, name), self.depth + 1)

    def check_down(self) -> bool:
        """Checks to the end; returns whether there was a choice."""
        was_asked = False
        for episode in self.episodes:
            while not episode.is_terminal:
                was_asked = True
                episode.call()
        return was_asked


def make_tree(game: "_native.Poker") -> PreflopTree:
    """All lines of the menu before the flop; InputError if they are too many."""
    nodes = [_root(game)]
    unit = game.rules.unit
    decisions: list[Decision] = []
    decision_nodes: list[int] = []
    depths: list[int] = []
    ending_nodes: list[int] = []
    payoffs: list[list[list[int]]] = []  # [endings, the seat that wins, seats]
    sees_flop: list[bool] = []
    for number, node in enumerate(nodes):  # which grows on the way
        if not node.is_decision:
            sees_flop.append(node.check_down())
            payoffs.append([episode.payoffs for episode in node.episodes])
            ending_nodes.append(number)
            continue
        if len(decisions) == MOST_DECISIONS:
            raise InputError(f"sizes: more than {MOST_DECISIONS:,} decisions; give max_raises")
        episode = node.episodes[0]
        slots = [slot for slot, is_legal in enumerate(episode.legal) if is_legal]
        names = tuple(_action_name(episode, slot, unit) for slot in slots)
        children = tuple(range(len(nodes), len(nodes) + len(slots)))
        nodes += [node.after(slot, name) for slot, name in zip(slots, names, strict=True)]
        decisions.append(Decision(node.line, episode.actor, names, children))
        decision_nodes.append(number)
        depths.append(node.depth)
    width = max(len(each.children) for each in decisions)
    padding = [len(nodes)] * width
    ends = np.array(payoffs, np.float64) / unit
    bounds = np.searchsorted(depths, np.arange(depths[-1] + 2))
    return PreflopTree(
        tuple(decisions),
        tuple(slice(int(a), int(b)) for a, b in pairwise(bounds)),
        np.array(decision_nodes),
        np.array([[*each.children, *padding][:width] for each in decisions]),
        np.array(ending_nodes),
        won=np.stack([ends[:, 0, 0], ends[:, 1, 1]]),
        lost=np.stack([ends[:, 1, 0], ends[:, 0, 1]]),
        sees_flop=np.array(sees_flop),
    )


def _root(game: "_native.Poker") -> _Node:
    board = list(parse_cards(_BOARD, game.deck))
    better, worse = (list(parse_cards(each, game.deck)) for each in _HOLE)
    first = _native.PokerEpisode(game, hole=[better, worse], board=board)
    second = _native.PokerEpisode(game, hole=[worse, better], board=board)
    return _Node((first, second), (), 0)


def _action_name(episode: "_native.PokerEpisode", slot: int, unit: int) -> str:
    action = episode.offer[slot]
    assert action is not None
    if action < 0:
        return "fold"
    if action == 0:
        is_limp = episode.to_call > 0 and not episode.events
        return "limp" if is_limp else "call" if episode.to_call > 0 else "check"
    seat = episode.actor
    is_all_in = action == episode.bets[seat] + episode.stacks[seat]
    return "all-in" if is_all_in else f"raise {action / unit:g}"


def _decimal(amount: float) -> Decimal:
    return Decimal(repr(float(amount))).normalize()

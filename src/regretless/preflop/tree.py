# SPDX-License-Identifier: MIT
"""Betting before the flop as a tree of arrays, with the payoffs of its endings.

The engine plays every line (games/menus.py says which), so chips are its own. A line ends with a
fold, or all-in and called, or where a flop is seen; there both check to the end.
"""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.episodes import legal_slots
from regretless.games.face import require_poker
from regretless.games.menus import SITUATIONS
from regretless.games.translation import action_kind
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

    stack: float
    """Stack of each player before antes and blinds (2 to 200 big blinds)."""
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    """Paid by each."""
    big_blind_ante: float = 0.0
    """Paid by the big blind for both."""
    sizes: str = "a"
    """Raises as a menu writes them: of the first raise / the second / the others."""
    limp: bool = False
    """Whether the small blind may call the big blind."""
    max_raises: int | None = None

    def game(self) -> "_native.Poker":
        """The native game of the spot; InputError names the amount that is wrong."""
        stack, small, big, ante, big_ante = self._chips()
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

    def _chips(self) -> list[int]:
        """The amounts in chips so small that all are whole, and raises are rounded to little."""
        given = (self.stack, self.small_blind, self.big_blind, self.ante, self.big_blind_ante)
        for each in given:
            if not -1e6 < each < 1e6:
                raise InputError(f"amounts must be below a million, not {each:g}")
        amounts = [Decimal(repr(float(each))) for each in given]
        if any(each.scaleb(_MOST_DECIMALS) % 1 for each in amounts):
            raise InputError(f"amounts have at most {_MOST_DECIMALS} decimals")
        while 0 < amounts[2] < _CHIPS or any(each % 1 for each in amounts):
            amounts = [10 * each for each in amounts]
        return [int(each) for each in amounts]

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

    node: int
    line: tuple[str, ...]
    seat: int
    actions: tuple[str, ...]
    children: range  # nodes


@dataclass(frozen=True)
class PreflopTree:
    """Decisions and endings; nodes are numbered breadth first."""

    decisions: tuple[Decision, ...]
    ending_nodes: NDArray[np.int64]  # [endings]
    won: NDArray[np.float64]  # [2, endings]: big blinds of each seat if it has the better hand
    lost: NDArray[np.float64]  # [2, endings]: if it has the worse one; after a fold the same
    sees_flop: NDArray[np.bool_]  # [endings]: chips are left to bet, but none are

    @property
    def num_nodes(self) -> int:
        return len(self.decisions) + len(self.ending_nodes)

    @property
    def most_actions(self) -> int:
        return max(len(each.actions) for each in self.decisions)


@dataclass
class _Node:
    """One line, played with either seat holding the better hand."""

    episodes: tuple["_native.PokerEpisode", "_native.PokerEpisode"]  # the seat that wins
    line: tuple[str, ...]

    @property
    def is_decision(self) -> bool:
        return self.episodes[0].actor >= 0 and self.episodes[0].street == 0

    def after(self, slot: int, name: str) -> "_Node":
        first, second = (each.copy() for each in self.episodes)
        first.choose(slot)
        second.choose(slot)
        return _Node((first, second), (*self.line, name))

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
        slots = legal_slots(episode)
        names = tuple(_action_name(episode, slot, unit) for slot in slots)
        children = range(len(nodes), len(nodes) + len(slots))
        nodes += [node.after(slot, name) for slot, name in zip(slots, names, strict=True)]
        decisions.append(Decision(number, node.line, episode.actor, names, children))
    ends = np.array(payoffs, np.float64) / unit
    return PreflopTree(
        tuple(decisions),
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
    return _Node((first, second), ())


def _action_name(episode: "_native.PokerEpisode", slot: int, unit: int) -> str:
    action = episode.offer[slot]
    assert action is not None
    kind = action_kind(episode, action)
    if kind == "call" and not episode.events:
        return "limp"
    return f"raise {action / unit:g}" if kind in ("bet", "raise") else kind

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
from regretless.games.episodes import played
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


def make_tree(game: "_native.Poker") -> PreflopTree:
    """All lines of the menu before the flop; InputError if they are too many."""
    board, better, worse = (list(parse_cards(each, game.deck)) for each in (_BOARD, *_HOLE))
    deals = ([better, worse], [worse, better])  # the seat that wins
    unit = game.rules.unit
    lines: list[tuple[tuple[int, ...], tuple[str, ...]]] = [((), ())]  # actions and their names
    decisions: list[Decision] = []
    ending_nodes: list[int] = []
    payoffs: list[list[list[int]]] = []  # [endings, the seat that wins, seats]
    sees_flop: list[bool] = []
    for number, (actions, names) in enumerate(lines):  # which grows on the way
        episodes = [_native.PokerEpisode(game, hole=deal, board=board) for deal in deals]
        first, second = (played(each, actions) for each in episodes)
        if first.actor < 0 or first.street > 0:
            sees_flop.append(not first.is_terminal)
            payoffs.append([_check_down(first), _check_down(second)])
            ending_nodes.append(number)
            continue
        if len(decisions) == MOST_DECISIONS:
            raise InputError(f"sizes: more than {MOST_DECISIONS:,} decisions; give max_raises")
        offered = [action for action in first.offer if action is not None]
        texts = tuple(_action_name(first, action, unit) for action in offered)
        children = range(len(lines), len(lines) + len(offered))
        lines += [
            ((*actions, action), (*names, text))
            for action, text in zip(offered, texts, strict=True)
        ]
        decisions.append(Decision(number, names, first.actor, texts, children))
    ends = np.array(payoffs, np.float64) / unit
    return PreflopTree(
        tuple(decisions),
        np.array(ending_nodes),
        won=np.stack([ends[:, 0, 0], ends[:, 1, 1]]),
        lost=np.stack([ends[:, 1, 0], ends[:, 0, 1]]),
        sees_flop=np.array(sees_flop),
    )


def _check_down(episode: "_native.PokerEpisode") -> list[int]:
    """Checks to the end, and returns the payoffs."""
    while not episode.is_terminal:
        episode.call()
    return episode.payoffs


def _action_name(episode: "_native.PokerEpisode", action: int, unit: int) -> str:
    kind = action_kind(episode, action)
    if kind == "call" and not episode.events:
        return "limp"
    return f"raise {action / unit:g}" if kind in ("bet", "raise") else kind

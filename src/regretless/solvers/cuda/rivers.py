# SPDX-License-Identifier: MIT
"""Many river spots at once: one betting tree, with boards, ranges and payoffs of their own.

All tables stay on the device; arrays there can be given to PyTorch by DLPack.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.solvers.cuda.device import Device
from regretless.solvers.cuda.engine import BEST, MEAN, MOST_ITERATIONS, Engine, Tuning
from regretless.solvers.cuda.layout import UNIT, Layout, make_layout, task_payoffs
from regretless.solvers.problem import CFRConfig, make_discounts, make_problem

_MOST_GAMES = 65_535  # blocks of a grid in y
_ALL_HANDS = 52 * 51 // 2
_COUNT = 47 * 46 // 2  # hands that a river leaves
_WIDTH = -(-_COUNT // UNIT) * UNIT


class RiverBatch:
    """Solves river spots of hold'em. Hands are those of the game, 1,326."""

    def __init__(
        self,
        game: Game,
        boards: NDArray[np.int64],
        weights: NDArray[np.float64],
        config: CFRConfig | None = None,
        *,
        payoffs: NDArray[np.float64] | None = None,
        device: Device,
        tuning: Tuning | None = None,
    ) -> None:
        """`game` is a river spot with the betting tree, and all hands in both ranges.

        `boards` [spots, 5] are cards, `weights` [spots, 2, 1326] ranges; hands that a board blocks
        count 0. `payoffs` [spots, terminals, 6] stand in place of the game's, as `arrays` has them.
        """
        config = config or CFRConfig("dcfr")
        native = require_poker(game, "a batch of rivers is of hold'em")
        if native.num_hands != _ALL_HANDS:
            raise InputError("a batch of rivers is of hold'em")
        self.problem = make_problem(native, config)
        self.boards = np.asarray(boards)
        self.size = len(self.boards)
        layout = make_layout(self.problem)
        shape = (self.size, 2, _ALL_HANDS)
        if not 0 < self.size <= _MOST_GAMES or self.boards.shape != (self.size, 5):
            raise InputError(f"boards: must be [1 to {_MOST_GAMES:,}, 5]")
        if len(layout.streets) != 1 or layout.widths != (_WIDTH, _WIDTH):
            raise InputError("a batch of rivers needs a river spot with all hands in both ranges")
        if weights.shape != shape or not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise InputError(f"weights: must be {list(shape)}, finite and not negative")
        _give_boards(native, layout, self.boards, payoffs)
        self.weights = np.where(layout.arrays["places_0"][:, None] >= 0, weights, 0.0)
        self.engine = Engine(
            layout,
            device,
            make_discounts(config),
            bits=config.precision or 32,
            games=self.size,
            own_boards=True,
            tuning=tuning,
        )
        self._set_weights()

    def _set_weights(self) -> None:
        engine = self.engine
        for player in range(2):
            order = engine.layout.arrays[f"hands_{player}"]
            rows = np.take_along_axis(self.weights[:, player], order.astype(np.int64), axis=1)
            rows[:, _COUNT:] = 0
            first = engine.layout.root_reach[player] * UNIT
            for spot, row in enumerate(rows.astype(np.float32)):
                at = spot * engine.layout.reach_units * UNIT + first
                engine.device.write(engine.buffers["reaches"], at, row)
        engine.forget_reaches()

    def step(self, count: int = 1) -> None:
        """Does iterations of all spots."""
        for first in range(0, count, MOST_ITERATIONS):
            self.engine.step(min(count - first, MOST_ITERATIONS))

    def values(self, player: int, is_best: bool = False) -> NDArray[np.float64]:
        """Counterfactual values at the roots: [spots, hands], chips times the opponent's weights.

        Those of the average strategies, or of the best responses to them.
        """
        self.engine.evaluate(player, BEST if is_best else MEAN)
        return np.stack([self.engine.root_values(player, spot) for spot in range(self.size)])

    def node_values(self, node: int, player: int) -> Any:
        """The device's array [spots, positions] of a node after `values`; `hands` has the order."""
        self._check(node)
        first = int(self._value_units(player)[node]) * UNIT
        return self._of_spots("values", self.engine.layout.value_units)[:, first : first + _WIDTH]

    def node_sums(self, node: int) -> Any:
        """The device's array [spots, actions, positions]: the average strategy, unnormalised."""
        decision = int(self.engine.layout.decision_of[self._check(node)])
        _, actions, _, table, *_ = self.engine.layout.arrays["decisions"][decision]
        first, size = int(table) * UNIT, int(actions) * _WIDTH
        rows = self._of_spots("sums", self.engine.layout.table_units)[:, first : first + size]
        return rows.reshape(self.size, int(actions), _WIDTH)

    def hands(self) -> NDArray[np.int16]:
        """[spots, positions]: the hand at each position of a row, weakest first."""
        order: NDArray[np.int16] = self.engine.layout.arrays["hands_0"][:, :_COUNT]
        return order

    def _check(self, node: int) -> int:
        if not 0 <= node < len(self.problem.actors) or self.problem.actors[node] < 0:
            raise InputError(f"node {node} is not a decision")
        return node

    def _value_units(self, player: int) -> dict[int, int]:
        rows = self.engine.layout.arrays["decisions"]
        return dict(zip(rows[:, 11].tolist(), rows[:, 7 + player].tolist(), strict=True))

    def _of_spots(self, name: str, units: int) -> Any:
        return self.engine.buffers[name].reshape(self.size, units * UNIT)


def _give_boards(
    game: _native.Poker,
    layout: Layout,
    boards: NDArray[np.int64],
    payoffs: NDArray[np.float64] | None,
) -> None:
    """Replaces the one board of a layout by a board for each game."""
    rules = game.rules
    hands = _native.hand_cards(rules.deck, 2)
    places = np.full((len(boards), len(hands)), -1, np.int16)
    orders = np.zeros((len(boards), _WIDTH), np.int16)
    ranks = np.zeros((len(boards), len(hands)), np.int16)
    for spot, board in enumerate(boards.tolist()):
        if len(set(board)) != 5 or not 0 <= min(board) <= max(board) < 52:
            raise InputError(f"boards: row {spot} must be five different cards from 0 to 51")
        strengths = _native.board_strengths(rules.showdown, rules.deck, board, 2)
        left = np.flatnonzero(strengths)
        _, ranks[spot, left] = np.unique(strengths[left], return_inverse=True)
        order = left[np.argsort(ranks[spot, left], kind="stable")]
        orders[spot, : len(order)] = order
        places[spot, order] = np.arange(len(order))
    arrays, size = layout.arrays, len(boards)
    row = [-1, 0, _COUNT, _COUNT, _WIDTH // UNIT, _WIDTH // UNIT]
    arrays["boards"] = np.tile(np.array(row, np.int32), (size, 1))
    arrays["boards"][:, 1] = np.arange(size)
    for player in range(2):
        arrays[f"hands_{player}"], arrays[f"places_{player}"] = orders, places
        arrays[f"ranks_{player}"], arrays[f"cards_{player}"] = ranks, hands.astype(np.uint8)
        arrays[f"twins_{player}"] = np.arange(len(hands), dtype=np.int16)
        given = arrays[f"payoffs_{player}"]
        paid = np.broadcast_to(given, (size, *given.shape))
        if payoffs is not None:
            each = np.asarray(payoffs, np.float64).reshape(size, -1, 2, 3)[:, :, player]
            paid = task_payoffs(each, layout.endings[player])
        arrays[f"payoffs_{player}"] = np.ascontiguousarray(paid)
    layout.num_hands = (len(hands), len(hands))
    layout.widths = (_WIDTH, _WIDTH)

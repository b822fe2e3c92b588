# SPDX-License-Identifier: MIT
"""Many turns at once in torch, with a river network where the river begins.

All spots have the betting tree of a deep one, and amounts are clamped to the stack. Spots on one
board share its rivers. An iteration of DCFR updates both players and looks at a group of the
rivers; the groups take turns. Values are those of the average strategies over all rivers.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.errors import InputError
from regretless.games.spots import make_spot
from regretless.networks.street_network import (
    RiverBoards,
    StreetNetwork,
    met_masses,
    quantile_matrix,
)
from regretless.search.holdem_search import possible_hands
from regretless.search.streets.leaves import lines_before_cards

TURN_MENU = {"all": {"open": "100%,a", "raise": "100%,a"}, "max_raises": 4}
_POT, _DEEP = 2_000, 1_000  # chips, pots
_BOARD = "2c3d5h8s"  # of the deep spot; any would do
_RIVERS, _DEALT = 48, 44  # cards that may come, and those that hold no card of two hands
_NO_STACK = 1e-3  # pots behind: less is all-in


class TurnTree(NamedTuple):
    """The betting tree; amounts are chips above half of the pot, in pots, of a deep stack."""

    actors: list[int]  # [nodes]: a player, or -1 where nobody decides any more
    children: list[list[int]]  # [nodes]
    folds: list[tuple[int, int, float]]  # node, who folds, his amount
    lines: list[tuple[int, float]]  # node of public chance, amount of each


@cache
def turn_tree() -> TurnTree:
    """Returns the tree that all spots share."""
    game = make_spot(_BOARD, _POT, _DEEP * _POT, "random", "random", TURN_MENU).game
    problem = _native.VectorProblem(game, merge_suits=False, ends_with_round=True)
    actors, first = problem.actors.tolist(), problem.first_children.tolist()
    count = problem.num_children.tolist()
    arrays = problem.arrays()
    payoffs = dict(zip(arrays["terminal_nodes"].tolist(), arrays["payoffs"], strict=True))
    lines = []
    for node, line in lines_before_cards(game, problem):
        episode = _native.PokerEpisode(game, [])
        for action in line:
            episode.act(action)
        lines.append((node, max(episode.paid) / _POT - 0.5))
    chances = {node for node, _ in lines}
    parents = problem.parents.tolist()
    folds = [
        (node, int(paid[2] > 0), float(abs(paid[2])) / _POT - 0.5)
        for node, paid in payoffs.items()
        if parents[node] not in chances
    ]
    end = max(max(chances), *(node for node, _, _ in folds)) + 1
    decides = [actor if actor >= 0 else -1 for actor in actors[:end]]
    below = [
        list(range(first[n], first[n] + count[n])) if decides[n] >= 0 else [] for n in range(end)
    ]
    return TurnTree(decides, below, folds, lines)


@dataclass(frozen=True)
class _Rivers:
    """A group of rivers of all boards."""

    boards: RiverBoards  # [boards x rivers]
    count: int
    """Rivers of a board in the group."""


class TurnBatch:
    """Solves the turns of some boards, with as many spots on each."""

    def __init__(
        self,
        network: StreetNetwork,
        boards: NDArray[np.uint8],
        places: NDArray[np.int16],
        ranges: Tensor,
        stacks: Tensor,
        *,
        rivers: int = 8,
    ) -> None:
        """Boards are [boards, 4], ranges [boards, spots, 2, hands], stacks [boards, spots] in pots.

        `places` [boards, 48, hands] are those of all rivers; an iteration sees `rivers` of them.
        """
        if boards.shape[1:] != (4,) or places.shape[1] != _RIVERS or rivers > _RIVERS:
            raise InputError("a batch of turns needs boards of 4 cards and up to 48 rivers")
        self.tree, self.network, self.iteration = turn_tree(), network, 0
        self._discounts = _native.Discounts("dcfr")
        shown = torch.from_numpy(places).to(ranges.device)
        self._groups = [
            _Rivers(RiverBoards(group.flatten(0, 1), network.shape.bins), group.shape[1])
            for group in torch.split(shown, rivers, dim=1)
        ]
        possible = np.stack([possible_hands(ranges.shape[3], board) for board in boards.tolist()])
        self._possible = torch.from_numpy(possible).to(ranges.device)[:, None, None]
        self.ranges = ranges / ranges.sum(3, keepdim=True).clamp_min(1e-30)
        self.stacks, self._device = stacks, ranges.device
        amounts = torch.tensor([amount for _, amount in self.tree.lines], device=ranges.device)
        paid = torch.minimum(amounts.float(), stacks[:, :, None])  # [boards, spots, lines]
        self._pots, self._left = 1 + 2 * paid, stacks[:, :, None] - paid
        amounts = torch.tensor([amount for _, _, amount in self.tree.folds], device=ranges.device)
        self._lost = 0.5 + torch.minimum(amounts.float(), stacks[:, :, None])
        shape = ranges.shape[:2] + ranges.shape[3:]
        decisions = [node for node, actor in enumerate(self.tree.actors) if actor >= 0]
        self._regrets, self._sums = (
            {
                node: torch.zeros((len(self.tree.children[node]), *shape), device=self._device)
                for node in decisions
            }
            for _ in range(2)
        )

    @torch.inference_mode()
    def step(self, count: int) -> None:
        """Does iterations of all spots."""
        for _ in range(count):
            discounts, done = self._discounts, self.iteration
            positive, negative = discounts.positive(done), discounts.negative(done)
            strategies = {node: _shares(each) for node, each in self._regrets.items()}
            reaches = self._descend(strategies)
            values = self._ascend(strategies, reaches, [self._groups[done % len(self._groups)]])
            fade = discounts.average(done + 1)
            for node, regrets in self._regrets.items():
                player, children = self.tree.actors[node], self.tree.children[node]
                regrets *= torch.where(regrets > 0, positive, negative)
                for action, child in enumerate(children):
                    regrets[action] += values[child][:, :, player] - values[node][:, :, player]
                    own = reaches[child][:, :, player]
                    self._sums[node][action].mul_(fade).add_(own)
            self.iteration += 1

    @torch.inference_mode()
    def values(self) -> Tensor:
        """Counterfactual values in pots of the average strategies: [boards, spots, 2, hands]."""
        strategies = {node: self.strategy(node) for node in self._sums}
        return self._ascend(strategies, self._descend(strategies), self._groups)[0]

    def strategy(self, node: int) -> Tensor:
        """The average strategy at a decision: [actions, boards, spots, hands]."""
        return _shares(self._sums[node])

    @torch.inference_mode()
    def matrix(self, bins: int) -> Tensor:
        """The distribution of each hand over the quantiles of all rivers: [boards, hands, bins]."""
        boards = len(self.stacks)
        found = sum(
            quantile_matrix(group.boards.places, bins).view(boards, group.count, -1, bins).sum(1)
            for group in self._groups
        )
        assert isinstance(found, Tensor)
        return found / found.sum(2, keepdim=True).clamp_min(1)

    @torch.inference_mode()
    def equities(self) -> Tensor:
        """Equities of each hand against the other range, from -1 to 1, over all rivers."""
        boards, spots, _, hands = self.ranges.shape
        won = torch.zeros_like(self.ranges)
        for group in self._groups:
            reach = self.ranges[:, None].expand(-1, group.count, -1, -1, -1).flatten(0, 1)
            sight = group.boards.see(reach, self.stacks.new_ones(len(reach), spots))
            met = (reach * group.boards.possible[:, None, None]).sum(3, keepdim=True).flip(2)
            shown = sight.equities * sight.masses * met
            won += shown.view(boards, group.count, spots, 2, hands).sum(1) / _DEALT
        masses = met_masses(self.ranges.flip(2)) * self._possible
        return torch.where(masses > 1e-9, won / masses.clamp_min(1e-9), 0.0)

    def _descend(self, strategies: dict[int, Tensor]) -> list[Tensor]:
        """Returns the reaches of both players at each node: [boards, spots, 2, hands]."""
        found = [self.ranges] * len(self.tree.actors)
        for node, children in enumerate(self.tree.children):
            for action, child in enumerate(children):
                reach = found[node].clone()
                reach[:, :, self.tree.actors[node]] *= strategies[node][action]
                found[child] = reach
        return found

    def _ascend(
        self, strategies: dict[int, Tensor], reaches: list[Tensor], groups: list[_Rivers]
    ) -> list[Tensor]:
        """Returns the values of both players at each node."""
        found = [self.ranges] * len(reaches)
        shown = torch.stack([reaches[node] for node, _ in self.tree.lines], dim=2)
        told = self._river_values(shown, groups)
        for number, (node, _) in enumerate(self.tree.lines):
            found[node] = told[:, :, number]
        for number, (node, folder, _) in enumerate(self.tree.folds):
            met = met_masses(reaches[node].flip(2)) * self._possible
            found[node] = met * self._lost[:, :, number, None, None]
            found[node][:, :, folder].neg_()
        for node in reversed(range(len(reaches))):
            if (player := self.tree.actors[node]) < 0:
                continue
            children = torch.stack([found[child] for child in self.tree.children[node]])
            total = children.sum(0)
            total[:, :, player] = (strategies[node] * children[:, :, :, player]).sum(0)
            found[node] = total
        return found

    def _river_values(self, shown: Tensor, groups: list[_Rivers]) -> Tensor:
        """Returns values in pots where the river begins, the mean over cards: as `shown`."""
        boards, spots, lines, _, hands = shown.shape
        total, seen = torch.zeros_like(shown), sum(group.count for group in groups)
        for group in groups:
            spread = (boards, group.count, spots * lines)
            reach = shown.flatten(1, 2)[:, None].expand(*spread, 2, hands).flatten(0, 1)
            left = (self._left / self._pots).flatten(1)[:, None].expand(spread).flatten(0, 1)
            sight = group.boards.see(reach, left.clamp_min(_NO_STACK))
            values = self.network(sight)
            run_out = sight.equities * sight.masses / 2
            values = torch.where((left < _NO_STACK)[:, :, None, None], run_out, values)
            met = (reach * group.boards.possible[:, None, None]).sum(3, keepdim=True).flip(2)
            summed = (values * met).view(boards, group.count, spots, lines, 2, hands).sum(1)
            total += summed * self._pots[:, :, :, None, None]
        return total * (_RIVERS / seen / _DEALT)


def _shares(weights: Tensor) -> Tensor:
    """Returns the shares of actions [actions, ...]; the same for all where none is above 0."""
    positive = weights.clamp_min(0)
    total = positive.sum(0, keepdim=True)
    return torch.where(total > 0, positive / total.clamp_min(1e-30), 1 / len(weights))

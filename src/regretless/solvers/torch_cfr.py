# SPDX-License-Identifier: MIT
"""The CFR family on a torch device, level by level, for one problem or a batch of subgames.

The iterations are those of the native solver, in another order of work: whole levels of the public
tree at once instead of node after node. The subgames of a batch share the tree and differ in the
weights of the hands at the root and in the scale of the payoffs.
"""

from functools import cached_property, partial

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays, Metrics, Takes
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.spots import begin_at
from regretless.networks.placement import find_placement
from regretless.policies.strategy_table import StrategyTable, solution_table
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers.backend import TreeSolver
from regretless.solvers.batch import make_batch
from regretless.solvers.problem import CFRConfig, make_discounts, nodes_touched
from regretless.solvers.sweeps import Sweeps
from regretless.solvers.torch_backend import tensor_bytes
from regretless.watch import UNWATCHED, Watch


class TorchCFR(TreeSolver):
    """A solver of the CFR family, with measures as means over the batch.

    `batch_weights` [batch, 2, hands of the game] stand in place of the config's; `payoff_scales`
    [batch] multiply all payoffs. The threads of the config are not used: torch has its own. A
    strategy, table or tree is that of the first subgame.
    """

    steps_done = 0
    memory_bytes = 0

    def __init__(
        self,
        game: Game,
        config: CFRConfig | None = None,
        *,
        device: str = "cpu",
        precision: str = "float32",
        batch_weights: ArrayLike | None = None,
        payoff_scales: ArrayLike | None = None,
    ) -> None:
        self._rules = game
        self.config = config if config is not None else CFRConfig()
        self.placement = find_placement(device, precision)
        self._batch_weights = batch_weights
        self.discounts = make_discounts(self.config)
        self.subgames = make_batch(game, self.config, batch_weights, payoff_scales)
        self.problem = self.subgames.problem
        self._actors = self.problem.actors
        self._nodes = nodes_touched(self.problem) * len(self.subgames)
        self.memory_bytes = tensor_bytes(
            self.problem.size,
            predicts=self.discounts.predicts,
            number_bytes=self.placement.dtype.itemsize,
            batch=len(self.subgames),
        )
        self.placement.check_memory(self.memory_bytes, self.config.max_bytes)
        self._tables = _Tables(Sweeps(self.subgames, self.placement), self.discounts)
        self._tables.match_all(0)

    @cached_property
    def game(self) -> Game:
        """The game from where the first subgame begins."""
        weights = self.config.weights
        if self._batch_weights is not None:
            weights = np.asarray(self._batch_weights, np.float64)[0].tolist()
        return begin_at(self._rules, self.config.board, weights)

    @property
    def bits(self) -> int:
        return 8 * self.placement.dtype.itemsize

    def takes(self) -> Takes:
        return Takes(sum(table.nbytes for table in self._tables.named().values()))

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """One step is one iteration."""
        first = self.steps_done + 1
        factors = self._tables.factors(range(first, first + count))
        for _ in watch.pieces(count, 1):
            self.steps_done += 1
            self._tables.iterate(factors[self.steps_done - first])
        return {"iterations": self.steps_done, "nodes": self.steps_done * self._nodes}

    def values(self) -> list[float]:
        return [float(mean) for mean in self.subgame_values().mean(axis=0)]

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        return float(self.subgame_gains().mean())

    def subgame_values(self) -> NDArray[np.float64]:
        """Expected payoffs of the average strategies: [batch, players], in units."""
        return self._expectations(is_best=False)

    def subgame_gains(self) -> NDArray[np.float64]:
        """Gains of best responses to the average strategies: [batch, players], in units."""
        return self._expectations(is_best=True) - self._expectations(is_best=False)

    def hand_values(self, player: int) -> NDArray[np.float64]:
        """The expected payoff of each hand against the opponent's range: [batch, hands], chips.

        Hands stand as in `problem.hands(player)`; 0 for a hand that meets none.
        """
        weights = self.subgames.opponent_weights(player)
        values = self._tables.root_values(player, is_best=False)
        return np.divide(values, weights, out=np.zeros_like(values), where=weights > 0)

    def node_strategies(self, node: int) -> NDArray[np.float64]:
        """The average strategies at a decision node of the public tree: [batch, actions, hands]."""
        actor = int(self._actors[node])
        if actor < 0:
            raise InputError(f"node {node} is not a decision")
        sums = self._tables.sums_at(actor, node)
        total = np.broadcast_to(sums.sum(axis=0), sums.shape)
        strategies = np.full_like(sums, 1 / len(sums))  # uniform where a hand was never there
        np.divide(sums, total, out=strategies, where=total > 0)
        return strategies.swapaxes(0, 1)

    def node_strategy(self, node: int) -> NDArray[np.float64]:
        first: NDArray[np.float64] = self.node_strategies(node)[0]
        return first

    def table(self) -> StrategyTable:
        rows = partial(self.problem.rows, self._profile())
        return solution_table(rows, self.game, self.config.max_bytes)

    def packed(self) -> StrategyTree:
        return StrategyTree.of(self.problem, self.problem.packed(self._profile()))

    def lock(self, node: int, strategy: NDArray[np.float64]) -> None:
        raise InputError("--lock: only the native solver keeps locks; leave out --device")

    def _profile(self) -> NDArray[np.float64]:
        """The average strategy of the first subgame, node after node [actions, hands]."""
        decisions = np.flatnonzero(self._actors >= 0).tolist()
        return np.concatenate([self.node_strategy(node).ravel() for node in decisions])

    def state(self) -> Arrays:
        named = self._tables.named().items()
        tables = {name: table.cpu().numpy().copy() for name, table in named}
        return {"iteration": np.array([self.steps_done]), **tables}

    def restore(self, state: Arrays) -> None:
        tables = self._tables.named()
        shapes = {name: tuple(table.shape) for name, table in tables.items()}
        if {name: state[name].shape for name in state if name != "iteration"} != shapes:
            raise InputError("the state is of another problem or algorithm")
        for name, table in tables.items():
            table.copy_(torch.as_tensor(state[name]))
        self.steps_done = int(state["iteration"][0])
        self._tables.match_all(self.steps_done)

    def _expectations(self, is_best: bool) -> NDArray[np.float64]:
        roots = (self._tables.root_values(player, is_best) for player in range(2))
        means = [self.subgames.expectation(player, root) for player, root in enumerate(roots)]
        return np.stack(means, axis=1) / self._rules.unit


class _Tables:
    """Regrets, strategies and their sums, each [entries, batch, hands] by player, with reaches.

    Reaches always belong to the strategies at hand.
    """

    def __init__(self, sweeps: Sweeps, discounts: _native.Discounts) -> None:
        self._sweeps, self._discounts = sweeps, discounts
        self._regrets, self._sums = sweeps.new_entries(), sweeps.new_entries()
        self._strategies = sweeps.new_entries()
        self._predictions = sweeps.new_entries() if discounts.predicts else []
        self._reaches = [sweeps.new_reaches(player) for player in range(2)]

    def named(self) -> dict[str, Tensor]:
        """The tables that a solver needs to continue; the others follow by `match_all`."""
        kinds = {"regrets": self._regrets, "sums": self._sums, "predictions": self._predictions}
        return {f"{kind}_{p}": t for kind, tables in kinds.items() for p, t in enumerate(tables)}

    def factors(self, iterations: range) -> Tensor:
        """Factors of positive and negative regrets, sums, and regrets in a prediction: [_, 4]."""
        discounts = self._discounts
        rows = [
            (
                discounts.positive(iteration - 1),
                discounts.negative(iteration - 1),
                discounts.average(iteration),
                discounts.positive(iteration),
            )
            for iteration in iterations
        ]
        return self._sweeps.placement.put(np.array(rows).reshape(-1, 4))

    def iterate(self, factors: Tensor) -> None:
        for player in range(2):
            self._update(player, factors)
            if self._discounts.alternating:
                self._match(player, factors[3])
        if not self._discounts.alternating:
            for player in range(2):
                self._match(player, factors[3])

    def match_all(self, iteration: int) -> None:
        """The strategies of both players from the regrets after an iteration."""
        predicted = self._sweeps.placement.put(np.array(self._discounts.positive(iteration)))
        for player in range(2):
            self._match(player, predicted)

    def sums_at(self, actor: int, node: int) -> NDArray[np.float64]:
        """The sums of strategies at a decision node: [actions, batch, hands]."""
        return self._sums[actor][self._sweeps.action_rows(actor, node)].cpu().double().numpy()

    def root_values(self, player: int, is_best: bool) -> NDArray[np.float64]:
        """Counterfactual values at the root against the opponent's average: [batch, hands].

        They may lie in the workspace, which the next call overwrites.
        """
        opponent = 1 - player
        reaches = self._sweeps.new_reaches(opponent)
        self._sweeps.fill_reaches(opponent, self._average(opponent), reaches)
        values = self._sweeps.workspace(player)
        own = None if is_best else self._average(player)
        self._sweeps.fill_values(player, reaches, own, values)
        return values[0].cpu().double().numpy()

    def _update(self, player: int, factors: Tensor) -> None:
        """Regrets and average of a player, against the opponent's reaches."""
        entries = self._sweeps.entries[player]
        values = self._sweeps.workspace(player)
        strategy = self._strategies[player]
        self._sweeps.fill_values(player, self._reaches[1 - player], strategy, values)
        gains, regrets = values[entries], self._regrets[player]
        if np.isfinite([self._discounts.alpha, self._discounts.beta]).any():
            regrets.mul_(torch.where(regrets > 0, factors[0], factors[1]))
        regrets.add_(gains)
        if self._discounts.clamps:
            regrets.clamp_(min=0)
        if self._discounts.predicts:
            self._predictions[player].copy_(gains)
        self._sums[player].mul_(factors[2]).add_(self._reaches[player][entries])

    def _match(self, player: int, predicted: Tensor) -> None:
        """The strategy from the regrets, and the reaches that follow from it."""
        strategy, regrets = self._strategies[player], self._regrets[player]
        if self._discounts.predicts:
            torch.addcmul(self._predictions[player], regrets, predicted, out=strategy)
            strategy.clamp_(min=0)
        else:
            torch.clamp(regrets, min=0, out=strategy)
        self._sweeps.normalize(player, strategy, strategy)
        self._sweeps.fill_reaches(player, strategy, self._reaches[player])

    def _average(self, player: int) -> Tensor:
        average = torch.empty_like(self._sums[player])
        self._sweeps.normalize(player, self._sums[player], average)
        return average

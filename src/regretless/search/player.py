# SPDX-License-Identifier: MIT
"""The player who searches at every decision, and what he plays in the whole game.

He solves the subgame at hand, stops at an iterate drawn with the weights of the average strategy,
plays by it, and searches anew at the leaf that is reached, with the ranges of that iterate.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.named_strategy import named_strategy
from regretless.policy import TablePolicy
from regretless.search.leaf_values import LeafValues
from regretless.search.subgames import (
    SearchConfig,
    Strategies,
    answer_all,
    make_subgames,
    on_threads,
    search_discounts,
)
from regretless.strategy_table import TableEvaluator

_BATCH = 8192  # subgames in flight


class SearchPlayer:
    """What a search plays, as a table; measured exactly.

    With `playthroughs` 0 every stop of every subgame counts with its probability. Else the player
    draws one of so many seeds before an episode, which fixes all his stops: the measure is exact
    for that player, and from above an approximation of the other.
    """

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        leaves: Callable[[_native.Subgames], LeafValues],
        playthroughs: int = 0,
        *,
        strategies: Callable[[_native.Subgames], Strategies] | None = None,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        self.game, self.config = game, config
        discounts = search_discounts(config)
        try:
            self._solver = _native.VectorSolver(
                game, discounts, merges_suits=False, board=list(config.board), max_bytes=1 << 32
            )
            whole = _native.Subgames(game, discounts, iterations=1, board=list(config.board))
        except ValueError as error:
            raise InputError(f"{game.name}: no table of what a search plays: {error}") from None
        parts: list[_native.SearchProfile | None] = [None] * threads

        def search(part: int) -> None:
            job = make_subgames(game, config)
            parts[part] = profile = _native.SearchProfile(
                job,
                whole,
                discounts,
                warm_start=config.warm_start,
                playthroughs=playthroughs,
                part=part,
                parts=threads,
                batch=_BATCH,
                seed=seed,
            )
            answer_all(profile, leaves(job), strategies(job) if strategies else None)

        on_threads(search, threads, threads)
        done = [part for part in parts if part is not None]
        self.num_subgames = sum(part.num_subgames for part in done)
        self._strategies = self._normalize(np.sum([part.sums() for part in done], axis=0))

    def values(self) -> list[float]:
        """Expected payoffs against himself, in units."""
        return [value / self.game.unit for value in self._solver.values_of(self._strategies)]

    def gains(self) -> list[float]:
        """What a best answer in each seat gains, in units."""
        best = [
            value / self.game.unit for value in self._solver.best_values_against(self._strategies)
        ]
        return [b - value for b, value in zip(best, self.values(), strict=True)]

    def exploitability(self) -> float:
        return sum(self.gains()) / 2

    def num_infosets(self) -> int:
        return self._solver.size.infosets

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        """By infoset name."""
        rows = dict(self._decisions(self._strategies))
        return named_strategy(self.game, self._solver, rows.__getitem__)

    def policy(self, name: str) -> TablePolicy:
        return TablePolicy(TableEvaluator(self.game).table(self.strategy()), name)

    def _decisions(self, table: NDArray[np.float64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Decision nodes, and their rows [actions, hands] of a table."""
        begin, hands = 0, self.game.num_hands
        for node in np.flatnonzero(self._solver.actors >= 0):
            end = begin + int(self._solver.num_children[node]) * hands
            yield int(node), table[begin:end].reshape(-1, hands)
            begin = end

    def _normalize(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Uniform where the player never comes."""
        strategies = np.empty_like(sums)
        rows = dict(self._decisions(strategies))
        for node, weights in self._decisions(sums):
            total = weights.sum(axis=0)
            uniform = 1 / len(weights)
            rows[node][:] = np.divide(
                weights, total, out=np.full_like(weights, uniform), where=total > 0
            )
        return strategies

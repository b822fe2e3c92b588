# SPDX-License-Identifier: MIT
"""The strategy of a searching player, as a table of the whole game (ReBeL's test-time search).

The player solves a subgame, stops at an iterate drawn with the weights of the average strategy,
plays by it, and searches again at the leaf that is reached, with the ranges of that iterate.
"""

import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import TooLargeError, refusing
from regretless.explicit.explicit_game import ExplicitGame
from regretless.games import Game, with_public_view
from regretless.games.spots import begin_at
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import (
    StrategyTable,
    TableEvaluator,
    named_rows,
    solution_table,
)
from regretless.search.leaf_values import LeafValues
from regretless.search.subgames import (
    SearchConfig,
    Strategies,
    answer_all,
    make_subgames,
    number_roots,
    on_threads,
    read_board,
    search_discounts,
)
from regretless.watch import UNWATCHED, Stopped, Watch

_BATCH = 8192  # subgames in flight at most
_BATCH_BYTES = 1 << 28  # of them together
_TABLE_SHARE = 6  # the table and its copies take this many times the memory of the tree's solver
_LEAST_ITERATIONS = 64  # of a search whose time is short
_SMALLER = 4  # the next longer search has so many times the iterations
_CAUTION = 3  # the next longer search may take so many times the time that is expected


class SearchProfileTable:
    """The table and its exact measures.

    With `playthroughs` 0 every stop of every subgame counts with its probability. Otherwise the
    player draws one of `playthroughs` seeds before an episode, which fixes all stops: the measure
    is exact for that player, and approximates the player with all stops from above.
    """

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        leaves: Callable[[_native.Subgames], LeafValues],
        playthroughs: int = 0,
        *,
        strategies: Strategies | None = None,
        threads: int = 1,
        seed: int = 0,
        watch: Watch = UNWATCHED,
    ) -> None:
        self.game = begin_at(game, read_board(game, config.board))
        self.config, public = config, with_public_view(self.game, "search")
        self._num_hands = public.num_hands
        discounts, limit = search_discounts(config), config.max_bytes
        with refusing(f"{game.name}: no table of what a search plays", TooLargeError):
            self._problem = _native.VectorProblem(
                public, merge_suits=False, max_bytes=limit // _TABLE_SHARE
            )
            whole = _native.Subgames(
                _native.PublicStates(public), discounts, iterations=1, max_bytes=limit
            )
            whole.outline(0)  # built now: the threads below only read it
        parts: list[_native.SearchProfile | None] = [None] * threads

        def search(part: int) -> None:
            job = make_subgames(game, config, keeps_average=False)
            with watch.over("searching"):  # subgames without leaves are solved where they begin
                largest = max(job.subgame_bytes(root) for root in number_roots(job, watch))
                parts[part] = profile = _native.SearchProfile(
                    job,
                    whole,
                    discounts,
                    warm_start=config.warm_start,
                    playthroughs=playthroughs,
                    part=part,
                    parts=threads,
                    batch=max(1, min(_BATCH, _BATCH_BYTES // largest)),
                    seed=seed,
                )
                answer_all(profile, leaves(job), strategies, watch)

        on_threads(search, threads, threads)
        done = [part for part in parts if part is not None]
        self.num_subgames = sum(part.num_subgames for part in done)
        self._strategies = self._normalize(np.sum([part.sums() for part in done], axis=0))

    def values(self) -> list[float]:
        """Returns the expected payoffs when all seats play the table, in units."""
        return [value / self.game.unit for value in self._problem.values_of(self._strategies)]

    def gains(self) -> list[float]:
        """Returns the gain of a best response in each seat, in units."""
        best = [
            value / self.game.unit for value in self._problem.best_values_against(self._strategies)
        ]
        return [b - value for b, value in zip(best, self.values(), strict=True)]

    def exploitability(self) -> float:
        return sum(self.gains()) / 2

    def num_infosets(self) -> int:
        return self._problem.size.infosets

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        """Returns the strategy by the name of the infoset."""
        if isinstance(self.game, ExplicitGame):
            return TableEvaluator(self.game).strategy(self.table())
        return named_rows(self._problem, self.table())

    def table(self) -> StrategyTable:
        rows = partial(self._problem.rows, self._strategies)
        table = solution_table(rows, self.game, self.config.max_bytes)
        return _of_tree(table, self.game) if isinstance(self.game, ExplicitGame) else table

    def policy(self, name: str) -> TablePolicy:
        return TablePolicy(self.table(), name)

    def _normalize(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Normalises for the hands of the root; uniform where the player never comes."""
        problem, rows, begin = self._problem, [], 0
        for node in np.flatnonzero(problem.actors >= 0):
            end = begin + int(problem.num_children[node]) * self._num_hands
            of_all = sums[begin:end].reshape(-1, self._num_hands)  # [actions, hands]
            weights = of_all[:, problem.hands(int(problem.actors[node]))]
            total = weights.sum(axis=0)
            uniform = np.full_like(weights, 1 / len(weights))
            rows.append(np.divide(weights, total, out=uniform, where=total > 0).ravel())
            begin = end
        return np.concatenate(rows)


def longest_search(
    search: Callable[[int], SearchProfileTable], iterations: int, end: float
) -> SearchProfileTable:
    """Returns the longest search of at most `iterations` that is done by the moment `end`.

    Shorter searches come first and show the time of the next; `Stopped` if not one is done.
    """
    sizes = [iterations]
    while end < math.inf and sizes[-1] > _LEAST_ITERATIONS:
        sizes.append(-(-sizes[-1] // _SMALLER))
    found, seconds, growth = None, 0.0, float(_SMALLER**2)  # iterations and stops
    for size in reversed(sizes):
        begun = time.perf_counter()
        if found is not None and begun + _CAUTION * growth * seconds > end:
            break
        try:
            found = search(size)
        except Stopped:
            if found is None:
                raise
            break
        taken = time.perf_counter() - begun
        growth, seconds = taken / seconds if seconds else growth, taken
    assert found is not None
    return found


def _of_tree(table: StrategyTable, game: ExplicitGame) -> StrategyTable:
    """Turns a table by infosets of the public view into one by infosets of the game."""
    assert game.public is not None
    keys = game.infoset_keys[game.public.tree_infosets(table.keys)]
    order = np.argsort(keys)
    assert table.values is not None and table.reaches is not None
    return StrategyTable(
        keys[order], table.probabilities[order], table.values[order], table.reaches[order]
    )

# SPDX-License-Identifier: MIT
"""Values of whole vectors of hands at the end of an episode, many terminal nodes at once.

Every board has a matrix of all pairs of hands, so the values of its terminals are one product.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.networks.placement import Placement
from regretless.solvers.batch import SubgameBatch

_CANNOT_MEET = 2  # in matchups


@dataclass(frozen=True)
class Term:
    """One part of the payoffs: what a pair of hands counts, times a factor of the terminal."""

    matrices: Tensor  # [tables, hands of player 1, hands of player 0]
    factors: tuple[Tensor, Tensor]  # [player][terminals, batch or 1, 1]


@dataclass(frozen=True)
class Ending:
    """Terminals that one batched product serves: equally many of each table, table by table."""

    rows: Tensor  # [terminals]
    num_tables: int
    terms: tuple[Term, ...]

    def fill_values(self, player: int, opponent_reaches: Tensor, values: Tensor) -> None:
        """Values of these rows of [rows, batch, hands] from the opponent's reaches."""
        reaches = opponent_reaches.index_select(0, self.rows)
        reaches = reaches.view(self.num_tables, -1, reaches.shape[-1])
        total: Tensor | None = None
        for term in self.terms:
            matrices = term.matrices if player == 0 else term.matrices.mT
            product = torch.bmm(reaches, matrices).view(-1, *values.shape[1:])
            product.mul_(term.factors[player])
            total = product if total is None else total.add_(product)
        assert total is not None
        values.index_copy_(0, self.rows, total)


def make_endings(
    subgames: SubgameBatch, rows: NDArray[np.int64], placement: Placement
) -> Iterator[Ending]:
    """All terminals of the tree, given the rows of its nodes; folds are one table."""
    arrays = subgames.problem.arrays()
    order = np.argsort(arrays["tables"], kind="stable")
    tables, starts, counts = np.unique(
        arrays["tables"][order], return_index=True, return_counts=True
    )
    alike = np.where(tables < 0, 0, counts)  # folds apart, whatever their number
    for count in np.unique(alike):
        chosen = np.flatnonzero(alike == count)
        terminals = np.concatenate([order[starts[c] : starts[c] + counts[c]] for c in chosen])
        payoffs = arrays["payoffs"][terminals].reshape(-1, 2, 3)
        matchups = np.stack([subgames.problem.matchups(int(tables[c])).T for c in chosen])
        terms = [
            Term(placement.put(matrices), _put_factors(factors, subgames.scales, placement))
            for matrices, factors in _terms(matchups, payoffs, is_fold=bool(count == 0))
        ]
        nodes = arrays["terminal_nodes"][terminals]
        yield Ending(placement.put_indices(rows[nodes]), len(chosen), tuple(terms))


def _terms(
    matchups: NDArray[np.int8], payoffs: NDArray[np.float64], is_fold: bool
) -> Iterator[tuple[NDArray[Any], NDArray[np.float64]]]:
    """Matrices [tables, hands, hands], with what each counts for [terminals, players].

    With s the sign of a showdown, 0 for a tie, a player who wins w, ties t or loses l gets
    s (w - l) / 2 + (w + l) / 2 + (t - (w + l) / 2) [s = 0].
    """
    lose, tie, win = np.moveaxis(payoffs, 2, 0)
    meets = matchups != _CANNOT_MEET
    if is_fold:
        yield meets, win
        return
    yield np.where(meets, matchups, 0), (win - lose) / 2 * [1, -1]  # the sign is player 0's
    half_sum = (win + lose) / 2
    if half_sum.any():
        yield meets, half_sum
    if (tie != half_sum).any():
        yield matchups == 0, tie - half_sum


def _put_factors(
    factors: NDArray[np.float64], scales: NDArray[np.float64], placement: Placement
) -> tuple[Tensor, Tensor]:
    shared = scales[:1] if (scales == scales[0]).all() else scales
    first, second = (placement.put(factors[:, p, None] * shared)[..., None] for p in range(2))
    return first, second

# SPDX-License-Identifier: MIT
"""A problem as flat arrays: the order of strength gives dense matrices; cut trees have leaves."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from regretless import _native
from regretless.games import load_game
from regretless.games.spots import make_spot

MENU = {"all": {"open": "50%", "raise": "a"}}
SPOTS = {
    "river": ("Td9d6hQc2s", "22+,A2s+,KTo+,76s", "random"),
    "turn": ("Td9d6hQc", "TT+,AJs+,98s", "99+,ATs+,KQo,T8s"),
    "short deck": ("Td9d6hQcAs", "random", "TT+,A9s+"),
}


def problem_of(name: str, **options: Any) -> _native.VectorProblem:
    rule = "short-deck" if name == "short deck" else "holdem"
    board, first, second = SPOTS[name]
    spot = make_spot(board, 100, 200, first, second, MENU, rule=rule)
    return _native.VectorProblem(spot.game, **options)


def sweep(
    ranks: tuple[NDArray[Any], NDArray[Any]],
    cards: tuple[NDArray[Any], NDArray[Any]],
    order: NDArray[Any],
    reach: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Weaker minus stronger hands of the opponent that a hand can meet, by prefix sums."""
    own, other = ranks
    in_order = order[other[order] >= 0]
    assert (np.diff(other[in_order]) >= 0).all()

    def sign(hands: NDArray[Any], rank: NDArray[Any]) -> NDArray[np.float64]:
        sums = np.concatenate([[0.0], np.cumsum(reach[hands])])
        below = np.searchsorted(other[hands], rank, side="left")
        upto = np.searchsorted(other[hands], rank, side="right")
        return sums[below] - (sums[-1] - sums[upto])

    values = sign(in_order, own)
    for card in range(52):
        holders = in_order[(cards[1][in_order] == card).any(axis=1)]
        mine = (cards[0] == card).any(axis=1)
        values[mine] -= sign(holders, own[mine])
    return np.where(own >= 0, values, 0.0)  # hands of the same two cards tie


@pytest.mark.parametrize("name", SPOTS)
def test_the_order_of_strength_gives_the_dense_matrix(name: str) -> None:
    problem = problem_of(name)
    arrays = problem.arrays()
    tables = np.unique(arrays["tables"][arrays["tables"] >= 0])
    assert len(tables) >= (1 if "river" in name or "deck" in name else 12)
    generator = np.random.default_rng(3)
    for table in tables[:20].tolist():
        dense = problem.matchups(table).astype(float)
        ranks = [arrays[f"ranks_{p}"][table] for p in range(2)]
        meets = dense != 2
        expected = np.sign(ranks[0][:, None].astype(int) - ranks[1][None, :])
        assert (dense[meets] == expected[meets]).all()
        shares = (arrays["cards_0"][:, None, :, None] == arrays["cards_1"][None, :, None, :]).any(
            (2, 3)
        )
        assert (meets == (~shares & (ranks[0] >= 0)[:, None] & (ranks[1] >= 0)[None, :])).all()
        signs = np.where(meets, dense, 0.0)
        for player in range(2):
            matrix = signs if player == 0 else -signs.T  # [own hands, opponent's hands]
            reach = generator.random(matrix.shape[1])
            found = sweep(
                (ranks[player], ranks[1 - player]),
                (arrays[f"cards_{player}"], arrays[f"cards_{1 - player}"]),
                arrays[f"orders_{1 - player}"][table],
                reach,
            )
            assert found == pytest.approx(matrix @ reach, abs=1e-9)


def test_row_0_is_of_no_board_and_small_games_have_no_order() -> None:
    arrays = problem_of("turn").arrays()
    assert not arrays["ranks_0"][0].any() and not arrays["ranks_1"][0].any()
    small = _native.VectorProblem(load_game("leduc")).arrays()
    assert small["ranks_0"].shape == (0, 6) and small["cards_1"].shape == (0, 2)


def test_a_tree_is_cut_at_leaves() -> None:
    whole, cut = problem_of("turn"), problem_of("turn", ends_with_round=True)
    arrays = cut.arrays()
    leaves = arrays["leaf_nodes"]
    assert len(leaves) == cut.size.leaves > 0 == whole.size.leaves
    assert (cut.actors[leaves] == -3).all() and (cut.num_children[leaves] == 0).all()
    assert (cut.actors[cut.parents[leaves]] == _native.CHANCE).all()
    assert arrays["leaf_stakes"].min() == 100 and arrays["leaf_stakes"].max() == 200
    assert cut.size.nodes < whole.size.nodes and cut.size.endings < whole.size.endings
    shallow = problem_of("river", max_decisions=1)
    assert (shallow.parents[shallow.arrays()["leaf_nodes"]] == 0).all()
    with pytest.raises(ValueError, match="has no values of its own"):
        shallow.values_of(np.ones(len(shallow.hands(0)) * int(shallow.num_children[0])))
    with pytest.raises(ValueError, match="max_decisions"):
        problem_of("river", max_decisions=-1)

# SPDX-License-Identifier: MIT
"""Rivers of pot-limit Omaha against a brute-force oracle and against equities."""

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

import brute_force_spot as brute
from regretless import _native
from regretless.equities import equity
from regretless.errors import InputError
from regretless.games.spots import Spot, make_spot
from regretless.solving.solution import Problem, solve
from regretless.solving.spot_options import SpotOptions
from test_spots import as_strategy, of_pot
from test_spots import solve as solver_of

BOARD = "Ts9d6h4c2s"
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def hands_of(count: int, seed: int, cards: int = 24) -> list[tuple[str, ...]]:
    """So many hands from the first `cards` of a shuffled deck: few cards make many blockers."""
    random = Random(seed)
    deck = [card for card in DECK if card not in (BOARD[i : i + 2] for i in range(0, 10, 2))]
    some = sorted(random.sample(deck, cards))
    return random.sample(list(combinations(some, 4)), count)


def weighted(hands: list[tuple[str, ...]], seed: int) -> dict[tuple[str, ...], float]:
    random = Random(seed)
    return {hand: random.choice([1.0, 0.5, 0.25]) for hand in hands}


def text(weights: dict[tuple[str, ...], float]) -> str:
    return ",".join(f"{''.join(hand)}:{weight}" for hand, weight in weights.items())


def ranges(count: int, cards: int = 24) -> list[dict[tuple[str, ...], float]]:
    shared = hands_of(count // 2, 3, cards)  # both may hold these
    return [weighted([*dict.fromkeys(shared + hands_of(count, p, cards))], p) for p in (1, 2)]


def spot_of(weights: list[dict[tuple[str, ...], float]], menu: Any, **options: Any) -> Spot:
    return make_spot(BOARD, 100, 300, *map(text, weights), menu, rule="omaha", **options)


def test_brute_force_finds_the_same() -> None:
    weights = ranges(12, cards=14)
    betting = brute.Betting(100, 300, (0.5, 1.0), (3.0,))
    oracle = brute.Spot(BOARD, weights, betting)
    solver = solver_of(spot_of(weights, {"all": {"open": "50%,100%", "raise": "3x"}}), 2_000)
    values, exploitability = of_pot(solver, 100)
    assert exploitability < 1e-3
    found, found_exploitability = oracle.evaluate(as_strategy(solver))
    assert found == pytest.approx(values, abs=1e-5)
    assert found_exploitability == pytest.approx(exploitability, abs=1e-5)
    assert values == pytest.approx(oracle.values(), abs=1e-3)


@pytest.mark.parametrize("count, cards", [(2, 12), (40, 12), (400, 30), (3_000, 47)])
def test_what_is_checked_down_is_the_equity(count: int, cards: int) -> None:
    weights = ranges(count, cards)
    shares = equity([text(each) for each in weights], BOARD, rule="omaha", method="exact")
    solver = solver_of(spot_of(weights, ""), 1)
    assert of_pot(solver, 100)[0] == pytest.approx(shares.equities, abs=1e-6)
    # Rake takes the same from ties as from wins, which pays ties of their own.
    raked = solver_of(spot_of(weights, "", rake=0.1), 1)
    left = np.array(shares.equities) * 90 - 50
    assert raked.values() == pytest.approx(left.tolist(), abs=1e-4)


def test_pairs_of_hands_are_told_as_they_are() -> None:
    spot = spot_of(ranges(30, 14), "100%")
    problem = solver_of(spot, 0).problem
    (table,) = {int(table) for table in problem.arrays()["tables"] if table >= 0}
    rows, folds = problem.matchups(table), problem.matchups()
    names = [
        [tuple(DECK[card] for card in spot.game.hand_parts(int(hand))) for hand in hands]
        for hands in (problem.hands(0), problem.hands(1))
    ]
    board = tuple(BOARD[i : i + 2] for i in range(0, 10, 2))
    for i, first in enumerate(names[0]):
        for j, second in enumerate(names[1]):
            ranks = [brute.rank(board, hand) for hand in (first, second)]
            can_meet = not set(first) & set(second)
            assert rows[i, j] == (np.sign(ranks[1] - ranks[0]) if can_meet else 2)
            assert folds[i, j] == (0 if can_meet else 2)


def test_the_options_of_solve() -> None:
    options = SpotOptions(BOARD, 100, 300, "AsKsQhJd,8c7c6s5d", "AcAdKhQh,9c9h8d7d", "50%,a", "a")
    for game in ("plo", "plo4"):
        spot = options.spot(game)
        assert spot is not None and spot.game.rules.limit == _native.Limit.POT
        result = solve(spot, target=0.1).to_json(game)
        assert result["ev_oop"] + result["ev_ip"] == pytest.approx(100, abs=1e-3)
        assert set(result["root_mix"]) == {"check", "bet 50", "bet 100"}  # a is the pot


def test_what_is_wrong_is_named() -> None:
    hands = ("AsKsQhJd", "AcAdKhQc")
    with pytest.raises(InputError, match=r"range_oop: 178,365 hands .* at most 30,000"):
        make_spot(BOARD, 100, 300, "random", hands[1], "a", rule="omaha")
    with pytest.raises(InputError, match="only rivers are solved, 5 cards, not 4"):
        make_spot(BOARD[:8], 100, 300, *hands, "a", rule="omaha")
    with pytest.raises(InputError, match="a hand has 4 cards"):
        make_spot(BOARD, 100, 300, "AsKs", hands[1], "a", rule="omaha")
    with pytest.raises(InputError, match="range_ip: no hand that the board leaves"):
        make_spot(BOARD, 100, 300, hands[0], "TsAdKhQh", "a", rule="omaha")
    with pytest.raises(InputError, match="shares a card"):
        make_spot(BOARD, 100, 300, hands[0], "AsAdKhQc", "a", rule="omaha")
    spot = make_spot(BOARD, 100, 300, *hands, "a", rule="omaha")
    with pytest.raises(InputError, match=r"precision: .* 32 bits"):
        Problem.make(spot, precision=16)
    assert "not kept" in (Problem.make(spot).no_bundle() or "")

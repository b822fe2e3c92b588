# SPDX-License-Identifier: MIT
"""Pools of deals: what they hold of each class of hands, and that their weights give the game."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.games import load_game
from regretless.games.spots import begin_at


def cards_of(game, hand) -> list[int]:
    return game.hand_parts(int(hand))


def class_of(game, hand) -> tuple:
    """Cards under the least of all ways to name the suits; dice as they are."""
    if isinstance(game, _native.LiarsDice):
        return tuple(cards_of(game, hand))
    size, cards = game.rules.deck.num_suits, cards_of(game, hand)
    return min(
        tuple(sorted(card // size * size + suits[card % size] for card in cards))
        for suits in itertools.permutations(range(size))
    )


def class_chances(game) -> dict[tuple, float]:
    """Returns the probability of each class, by counting every hand."""
    counts = Counter(class_of(game, hand) for hand in range(game.num_hands))
    return {each: count / game.num_hands for each, count in counts.items()}


def counts_by_class(game, pool) -> list[Counter]:
    """Counts the deals of each seat by the class of its hand."""
    hands, players = pool.hands, game.num_players
    return [
        Counter(class_of(game, hand) for hand in hands[seat::players, seat])
        for seat in range(players)
    ]


@pytest.mark.parametrize(
    ("name", "classes"),
    [("kuhn", 3), ("leduc", 3), ("leduc3", 4), ("nlhe", 169), ("short-deck", 81)],
)
def test_every_class_is_there_often_enough(name, classes):
    game = load_game(name)
    least = 12
    pool = _native.DealPool(
        game, count=classes * game.num_players * (least + 1), min_per_class=least
    )
    assert len(pool) == classes * game.num_players * (least + 1)
    assert pool.num_classes == classes and pool.num_lacking == 0
    found = counts_by_class(game, pool)
    for seat, counts in enumerate(found):
        assert len(counts) == classes and min(counts.values()) >= least
        assert sorted(counts.values()) == sorted(pool.counts[seat])


@pytest.mark.parametrize("name", ["leduc3", "nlhe", "liars-dice-1x6f"])
def test_weights_give_every_class_what_it_has_in_the_game(name):
    game = load_game(name)
    chances = class_chances(game)
    count = 2 * len(chances) * game.num_players
    pool = _native.DealPool(game, count=count, min_per_class=2)
    weights, players = pool.weights, game.num_players
    for seat in range(players):
        mine = weights[seat::players]
        assert mine.mean() == pytest.approx(1, rel=1e-5)
        sums = Counter()
        for hand, weight in zip(pool.hands[seat::players, seat], mine, strict=True):
            sums[class_of(game, hand)] += weight / len(mine)
        assert sums == pytest.approx(chances, rel=1e-4)


def test_expectations_over_a_weighed_pool_are_those_of_the_game():
    """In Leduc both hold the same rank in 3 of 15 deals; a pair of kings is to count five."""
    game = load_game("leduc")
    options = {"count": 60, "min_per_class": 8}  # of ten: kings are rare at times
    pools = [_native.DealPool(game, **options, seed=seed) for seed in range(400)]
    found = []
    for pool in pools:
        first, second = (pool.hands // 2).T
        values = (first == second) * np.where(first == 2, 5, 1)
        found.append((values * pool.weights).mean())
    assert sum(pool.num_rejections for pool in pools) > 100
    assert abs(np.mean(found) - 7 / 15) < 4 * np.std(found) / np.sqrt(len(found))


def test_without_a_least_number_deals_come_as_they_do():
    pool = _native.DealPool(load_game("nlhe"), count=500, seed=3)
    assert pool.num_rejections == 0 and pool.num_lacking == 0
    assert (pool.weights == 1).all()


def test_where_rejections_run_out_it_is_filled_as_deals_come():
    game = load_game("nlhe")
    full = _native.DealPool(game, count=4 * 169 * 2, min_per_class=4, max_rejections=10**6)
    assert full.num_lacking == 0 and 0 < full.num_rejections < 10**6
    few = _native.DealPool(game, count=4 * 169 * 2, min_per_class=4, max_rejections=50)
    assert few.num_rejections == 50 and len(few) == len(full)
    lacking = sum(counts.get(each, 0) < 4 for counts in counts_by_class(game, few)
                  for each in class_chances(game))  # fmt: skip
    assert few.num_lacking == lacking > 0
    for seat in range(2):
        assert few.weights[seat::2].mean() == pytest.approx(1, rel=1e-5)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["kuhn", "leduc", "leduc3", "hunl-25bb", "liars-dice-2x3f-3p"]),
    st.integers(1, 300),
    st.integers(0, 3),
    st.integers(0, 1_000),
    st.integers(0, 2**64 - 1),
)
def test_pools_are_the_same_again(name, count, least, rejections, seed):
    game = load_game(name)
    options = {"min_per_class": least, "max_rejections": rejections, "seed": seed}
    try:
        pool = _native.DealPool(game, count=count, **options)
    except ValueError as error:
        assert str(error).startswith("count: must be") and "\n" not in str(error)
        return
    again = _native.DealPool(game, count=count, **options)
    assert pool.hands.tobytes() == again.hands.tobytes()
    assert pool.weights.tobytes() == again.weights.tobytes()
    assert len(pool) == count == pool.counts.sum()
    assert np.isfinite(pool.weights).all() and (pool.weights > 0).all()


def test_a_game_that_begins_with_weights_has_every_hand_as_a_class():
    weights = [[1, 0, 2, 0, 3, 1], [1, 1, 1, 1, 0.5, 0]]
    game = begin_at(load_game("leduc"), weights=weights)
    pairs = list(itertools.permutations(range(6), 2))
    chances = np.zeros((2, 6))
    for first, second in pairs:
        chances[:, [first, second]] += np.diag([weights[0][first] * weights[1][second]] * 2)
    chances /= chances.sum(axis=1, keepdims=True)
    pool = _native.DealPool(game, count=50, min_per_class=5)
    assert pool.num_classes == 6 and pool.num_lacking == 0
    assert ((pool.counts >= 5) == (chances > 0)).all()
    for seat in range(2):
        mine, hands = pool.weights[seat::2], pool.hands[seat::2, seat]
        np.testing.assert_allclose(
            np.bincount(hands, mine, 6) / len(mine), chances[seat], rtol=1e-5
        )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"count": 1}, "count: must be one for each seat"),
        ({"count": 10**8}, "count: must be one for each seat"),
        ({"count": 10, "min_per_class": -1}, "min_per_class"),
        ({"count": 10, "max_rejections": -1}, "max_rejections"),
        ({"count": 59, "min_per_class": 10}, "count: must be at least 60 to hold 10 deals"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        _native.DealPool(load_game("leduc"), **options)

# SPDX-License-Identifier: MIT
import itertools
from math import comb

import numpy as np
import pytest

from regretless._native import Deck, hand_cards, hand_index, hands_possible, num_hands

STANDARD = Deck()


@pytest.mark.parametrize("num_hole", [1, 2, 3, 4])
def test_hands_are_in_colex_order(num_hole: int) -> None:
    small = Deck(5, 4)
    expected = sorted(itertools.combinations(range(20), num_hole), key=lambda hand: hand[::-1])
    assert hand_cards(small, num_hole).tolist() == [list(hand) for hand in expected]


@pytest.mark.parametrize("num_hole", [1, 2, 4, 5])
def test_index_inverts_cards_in_any_order(num_hole: int) -> None:
    cards = hand_cards(STANDARD, num_hole)
    assert len(cards) == num_hands(STANDARD, num_hole) == comb(52, num_hole)
    shuffled = np.random.default_rng(0).permuted(cards, axis=1)
    np.testing.assert_array_equal(hand_index(STANDARD, shuffled), np.arange(len(cards)))


def test_dead_cards_block_hands() -> None:
    dead = [0, 17, 51]
    possible = hands_possible(STANDARD, 2, dead)
    assert possible.dtype == np.bool_
    np.testing.assert_array_equal(possible, ~np.isin(hand_cards(STANDARD, 2), dead).any(axis=1))
    assert possible.sum() == comb(49, 2)


def test_bad_input_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="1 to 5 cards"):
        hand_cards(STANDARD, 6)
    with pytest.raises(ValueError, match="no more than the deck"):
        hand_cards(Deck(3, 1), 4)
    with pytest.raises(ValueError, match="twice"):
        hand_index(STANDARD, np.array([[4, 4]], np.uint8))
    with pytest.raises(ValueError, match="card 60 is not"):
        hand_index(STANDARD, np.array([[4, 60]], np.uint8))
    with pytest.raises(ValueError, match="card 52 is not"):
        hands_possible(STANDARD, 2, [52])


def test_decks_compare_by_value() -> None:
    assert Deck(9, 4, 4) == Deck(9, 4, 4) != STANDARD
    assert len({Deck(), STANDARD, Deck(9, 4, 4)}) == 2
    assert repr(STANDARD) == "Deck(num_ranks=13, num_suits=4, lowest_rank=0)"
    assert [STANDARD.rank(51), STANDARD.suit(51), STANDARD.card(12, 3)] == [12, 3, 51]

# SPDX-License-Identifier: MIT
"""Canonical indices: known sizes, both directions, and a slow canonical form to compare with."""

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless._native import CanonicalIndex, Deck, hand_cards

STANDARD = Deck()
SHORT = Deck(9, 4, 4)
HOLDEM = CanonicalIndex([2, 3, 1, 1])
STREETS = [[2, 3, 1, 1], [2, 4], [2, 5], [4, 3, 1, 1], [5, 3, 1, 1], [5], [1, 2]]
INDICES = {tuple(streets): CanonicalIndex(streets) for streets in STREETS}


def one(canonical: CanonicalIndex, cards: list[int]) -> int:
    return int(canonical.index(np.array([cards], np.uint8))[0])


def slow_form(streets: list[int], cards: list[int]) -> tuple[int, ...]:
    """The least of the 24 renamings of suits, each street sorted."""
    ends = np.cumsum([0, *streets]).tolist()
    return min(
        tuple(
            card
            for start, end in itertools.pairwise(ends)
            for card in sorted(4 * (c // 4) + suits[c % 4] for c in cards[start:end])
        )
        for suits in itertools.permutations(range(4))
    )


@pytest.mark.parametrize(
    ("streets", "size"),
    [
        ([2], 169),
        ([2, 3], 1_286_792),
        ([2, 3, 1], 55_190_538),
        ([2, 3, 1, 1], 2_428_287_420),
        ([2, 4], 13_960_050),
        ([2, 5], 123_156_254),
        ([3], 1_755),
        ([4], 16_432),
        ([5], 134_459),
    ],
)
def test_sizes(streets: list[int], size: int) -> None:
    assert CanonicalIndex(streets).size(len(streets) - 1) == size


@st.composite
def deals(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    streets = draw(st.sampled_from(STREETS))
    cards = draw(st.permutations(range(52)))
    return streets, cards[: sum(streets)]


@given(deals(), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_suits_and_order_within_streets_do_not_matter(
    deal: tuple[list[int], list[int]], suits: list[int], random: Random
) -> None:
    streets, cards = deal
    renamed, start = [], 0
    for length in streets:
        street = [4 * (card // 4) + suits[card % 4] for card in cards[start : start + length]]
        random.shuffle(street)
        renamed += street
        start += length
    canonical = INDICES[tuple(streets)]
    assert one(canonical, renamed) == one(canonical, cards)


@given(st.data())
def test_cards_invert_the_index_on_every_street(data: st.DataObject) -> None:
    canonical = INDICES[tuple(data.draw(st.sampled_from(STREETS)))]
    street = data.draw(st.integers(0, canonical.num_streets - 1))
    index = data.draw(st.integers(0, canonical.size(street) - 1))
    cards = canonical.cards(street, np.array([index], np.uint64))
    assert len(set(cards[0].tolist())) == canonical.num_cards(street)
    assert canonical.index(cards).tolist() == [index]


@given(deals())
def test_the_representative_is_isomorphic_to_the_deal(deal: tuple[list[int], list[int]]) -> None:
    streets, cards = deal
    canonical = INDICES[tuple(streets)]
    index = np.array([one(canonical, cards)], np.uint64)
    back = canonical.cards(len(streets) - 1, index)[0].tolist()
    assert slow_form(streets, back) == slow_form(streets, cards)


@pytest.mark.parametrize("deck", [STANDARD, SHORT, Deck(4, 3), Deck(3, 2)])
def test_hole_cards_and_flops_fill_the_range(deck: Deck) -> None:
    for num_cards in (2, 3):
        canonical = CanonicalIndex([num_cards], deck)
        counts = np.bincount(canonical.index(hand_cards(deck, num_cards)).astype(np.int64))
        assert len(counts) == canonical.size(0)
        assert counts.all()


def test_flop_deals_fill_the_range() -> None:
    """Every flop with one hole pair of each of the 169 classes meets every index."""
    flops = hand_cards(STANDARD, 3)
    pairs = CanonicalIndex([2]).cards(0, np.arange(169, dtype=np.uint64))
    met = np.zeros(HOLDEM.size(1), bool)
    for pair in pairs:
        apart = flops[~np.isin(flops, pair).any(axis=1)]
        met[HOLDEM.index(np.hstack([np.tile(pair, (len(apart), 1)), apart]))] = True
    assert met.all()


def test_same_classes_as_the_slow_form() -> None:
    random = np.random.default_rng(1)
    slow: dict[tuple[int, ...], int] = {}
    few_ranks = random.random((4_000, 20)).argsort(axis=1)[:, :5].astype(np.uint8)
    for cards, index in zip(few_ranks.tolist(), HOLDEM.index(few_ranks).tolist(), strict=True):
        assert slow.setdefault(slow_form([2, 3], cards), index) == index
    assert len(set(slow.values())) == len(slow)


def test_bad_input_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="1 to 5 streets"):
        CanonicalIndex([])
    with pytest.raises(ValueError, match="1 to 7 cards"):
        CanonicalIndex([8])
    with pytest.raises(ValueError, match="more than 10 cards"):
        CanonicalIndex([5, 6])
    with pytest.raises(ValueError, match="no street ends at 3 cards"):
        one(HOLDEM, [0, 1, 2])
    with pytest.raises(ValueError, match="twice"):
        one(HOLDEM, [5, 5])
    with pytest.raises(ValueError, match="card 52 is not"):
        one(HOLDEM, [0, 52])
    with pytest.raises(ValueError, match="is not below 169"):
        HOLDEM.cards(0, np.array([169], np.uint64))
    with pytest.raises(ValueError, match="no street 4"):
        HOLDEM.size(4)

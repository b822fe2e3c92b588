# SPDX-License-Identifier: MIT
"""Strengths against two independent evaluators, known counts, and each other."""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from phevaluator import evaluate_cards, evaluate_omaha_cards
from pokerkit import OmahaHoldemHand, ShortDeckHoldemHand

from regretless._native import (
    Deck,
    Showdown,
    board_strengths,
    category,
    hand_cards,
    strength,
    strengths,
)
from regretless.notation.strength import describe

STANDARD = Deck()
SHORT = Deck(9, 4, 4)
LEDUC = Deck(3, 2)


def deal(deck: Deck, count: int, width: int, seed: int = 0) -> NDArray[np.uint8]:
    """Rows of distinct cards [count, width]."""
    random = np.random.default_rng([seed, deck.num_cards, width])
    order = random.random((count, deck.num_cards)).argsort(axis=1)
    return np.ascontiguousarray(order[:, :width], dtype=np.uint8)


def text(deck: Deck, cards: NDArray[np.uint8]) -> str:
    """Cards as "AhKs"."""
    return "".join(
        "23456789TJQKA"[deck.lowest_rank + deck.rank(card)] + "cdhs"[deck.suit(card)]
        for card in cards.tolist()
    )


def parse(cards: str, deck: Deck = STANDARD) -> list[int]:
    return [
        deck.card("23456789TJQKA".index(rank) - deck.lowest_rank, "cdhs".index(suit))
        for rank, suit in zip(cards[::2], cards[1::2], strict=True)
    ]


def assert_same_order(ours: NDArray[np.uint32], theirs: list[Any]) -> None:
    """Hands in the order of `ours` are in the order of `theirs`, with the same ties."""
    order = np.argsort(ours, kind="stable")
    for a, b in itertools.pairwise(order.tolist()):
        assert (ours[a] == ours[b]) == (theirs[a] == theirs[b])
        assert ours[a] == ours[b] or theirs[a] < theirs[b]


@pytest.mark.parametrize("width", [5, 6, 7])
def test_holdem_agrees_with_phevaluator(width: int) -> None:
    cards = deal(STANDARD, 20_000, width)
    ours = strengths(Showdown.HOLDEM, STANDARD, cards, 2)
    assert_same_order(ours, [-evaluate_cards(*row) for row in cards.tolist()])


def test_omaha_agrees_with_phevaluator() -> None:
    cards = deal(STANDARD, 5_000, 9)
    ours = strengths(Showdown.OMAHA, STANDARD, cards, 4)
    theirs = [-evaluate_omaha_cards(*row[4:], *row[:4]) for row in cards.tolist()]
    assert_same_order(ours, theirs)


@pytest.mark.parametrize("num_board", [3, 4, 5])
def test_omaha_of_five_agrees_with_pokerkit(num_board: int) -> None:
    cards = deal(STANDARD, 700, 5 + num_board)
    ours = strengths(Showdown.OMAHA, STANDARD, cards, 5)
    theirs = [
        OmahaHoldemHand.from_game(text(STANDARD, row[:5]), text(STANDARD, row[5:])) for row in cards
    ]
    assert_same_order(ours, theirs)


@pytest.mark.parametrize("width", [5, 6, 7])
def test_short_deck_agrees_with_pokerkit(width: int) -> None:
    cards = deal(SHORT, 1_000, width)
    ours = strengths(Showdown.SHORT_DECK, SHORT, cards, 2)
    theirs = [
        ShortDeckHoldemHand.from_game(text(SHORT, row[:2]), text(SHORT, row[2:])) for row in cards
    ]
    assert_same_order(ours, theirs)


def test_pair_rule_ranks_kuhn_and_leduc() -> None:
    kuhn = Deck(3, 1)
    assert [strength(Showdown.PAIR, kuhn, [card], []) for card in range(3)] == [1, 2, 3]
    on_queen = board_strengths(Showdown.PAIR, LEDUC, [2], 1)
    assert on_queen.tolist() == [1, 1, 0, 5, 3, 3]


@pytest.mark.parametrize(
    ("rule", "deck", "num_hole", "num_board"),
    [
        (Showdown.HOLDEM, STANDARD, 2, 5),
        (Showdown.SHORT_DECK, SHORT, 2, 3),
        (Showdown.OMAHA, STANDARD, 4, 4),
        (Showdown.PAIR, LEDUC, 1, 1),
    ],
)
def test_one_many_and_board_agree(
    rule: Showdown, deck: Deck, num_hole: int, num_board: int
) -> None:
    board = deal(deck, 1, num_board)[0]
    hands = hand_cards(deck, num_hole)
    on_board = board_strengths(rule, deck, board.tolist(), num_hole)
    possible = ~np.isin(hands, board).any(axis=1)
    assert (on_board[~possible] == 0).all()
    rows = np.hstack([hands[possible], np.tile(board, (possible.sum(), 1))])
    many = strengths(rule, deck, rows, num_hole)
    np.testing.assert_array_equal(many, on_board[possible])
    for row, expected in zip(rows[:200].tolist(), many[:200].tolist(), strict=True):
        assert strength(rule, deck, row[:num_hole], row[num_hole:]) == expected


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AcKdQhJs9c7d5h", "ace high"),
        ("6c6dQhJs9c7d5h", "pair of sixes"),
        ("KcKd4h4s9c7d5h", "two pair, kings and fours"),
        ("2c2d2hJs9c7d5h", "trips, deuces"),
        ("Ac2d3h4s5cKdKh", "straight to the five"),
        ("2c4c6c8cTcTdTh", "flush, ten high"),
        ("KcKdKh4s4c9d9h", "full house, kings over nines"),
        ("KcKdKhKs4c4d4h", "quads, kings"),
        ("5c6c7c8c9cAcKc", "straight flush to the nine"),
    ],
)
def test_describe(cards: str, words: str) -> None:
    parsed = parse(cards)
    assert describe(strength(Showdown.HOLDEM, STANDARD, parsed[:2], parsed[2:])) == words


def test_describe_knows_the_short_deck_order() -> None:
    flush, full = parse("6c8cTcJcKc", SHORT), parse("KcKdKhAsAc", SHORT)
    better, worse = (
        strength(Showdown.SHORT_DECK, SHORT, cards[:2], cards[2:]) for cards in (flush, full)
    )
    assert better > worse
    assert describe(better, Showdown.SHORT_DECK) == "flush, king high"
    assert describe(worse, Showdown.SHORT_DECK) == "full house, kings over aces"


def test_bad_input_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="card 52 is not in a deck of 52 cards"):
        strength(Showdown.HOLDEM, STANDARD, [0, 52], [1, 2, 3])
    with pytest.raises(ValueError, match="card 3 is there twice"):
        strength(Showdown.HOLDEM, STANDARD, [0, 3], [1, 2, 3])
    with pytest.raises(ValueError, match="5, 6 or 7 cards"):
        strength(Showdown.HOLDEM, STANDARD, [0, 3], [1, 2])
    with pytest.raises(ValueError, match="4 or 5 hole cards"):
        board_strengths(Showdown.OMAHA, STANDARD, [0, 1, 2], 2)
    with pytest.raises(ValueError, match="36 cards"):
        strength(Showdown.SHORT_DECK, STANDARD, [0, 3], [1, 2, 4])
    with pytest.raises(ValueError, match="card 77 is not"):
        strengths(Showdown.HOLDEM, STANDARD, np.full((9, 7), 77, np.uint8), 2)
    with pytest.raises(TypeError):
        strengths(Showdown.HOLDEM, STANDARD, np.zeros((9, 7)), 2)
    with pytest.raises(ValueError, match="no categories"):
        category(Showdown.PAIR, 3)
    with pytest.raises(ValueError, match="1 to 52 cards"):
        Deck(14, 4)


def test_empty_batch() -> None:
    assert strengths(Showdown.HOLDEM, STANDARD, np.zeros((0, 7), np.uint8), 2).shape == (0,)

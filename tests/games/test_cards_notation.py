# SPDX-License-Identifier: MIT

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless._native import Deck
from regretless.errors import InputError
from regretless.notation.cards import format_cards, parse_cards

STANDARD, SHORT = Deck(13, 4, 0), Deck(9, 4, 4)
LEDUC, KUHN = Deck(3, 2, 9), Deck(3, 1, 9)
DECKS = (STANDARD, SHORT, LEDUC, KUHN)


@pytest.mark.parametrize(
    ("text", "deck", "cards"),
    [
        ("", STANDARD, ()),
        ("2c", STANDARD, (0,)),
        ("AsKd", STANDARD, (51, 45)),
        ("as kd", STANDARD, (51, 45)),
        (" As , tdJh ", STANDARD, (51, 33, 38)),
        ("6c", SHORT, (0,)),
        ("As", SHORT, (35,)),
        ("JcKd", LEDUC, (0, 5)),
        ("J K", KUHN, (0, 2)),
        ("jqk", KUHN, (0, 1, 2)),
    ],
)
def test_parses(text, deck, cards):
    assert parse_cards(text, deck) == cards


@pytest.mark.parametrize(
    ("text", "deck", "column"),
    [
        ("AsXd", STANDARD, 3),
        ("As Kd Ax", STANDARD, 7),
        ("AsK", STANDARD, 3),
        ("AS", STANDARD, 1),
        ("AsKdAs", STANDARD, 5),
        ("As,,Kd", STANDARD, 4),
        ("As,", STANDARD, 4),
        ("5c", SHORT, 1),
        ("Jh", LEDUC, 1),
        ("Ts", KUHN, 1),
        ("1s", STANDARD, 1),
        ("AsKdß♠", STANDARD, 5),
    ],
)
def test_points_at_the_wrong_card(text, deck, column):
    with pytest.raises(InputError, match=f"at column {column} of ") as caught:
        parse_cards(text, deck)
    assert "\n" not in str(caught.value)


@settings(deadline=None)
@given(st.data(), st.sampled_from(DECKS), st.sampled_from(["", " ", ",", " , "]))
def test_format_parses_back(data, deck, separator):
    every = range(deck.num_ranks * deck.num_suits)
    cards = tuple(data.draw(st.lists(st.sampled_from(every), unique=True)))
    text = separator.join(format_cards([card], deck) for card in cards)
    assert parse_cards(text, deck) == cards
    assert parse_cards(format_cards(cards, deck), deck) == cards


@settings(deadline=None)
@given(st.text() | st.text("AKQJT92cdhs, x"), st.sampled_from(DECKS))
def test_any_text_parses_or_is_an_input_error(text, deck):
    try:
        cards = parse_cards(text, deck)
    except InputError:
        return
    assert parse_cards(format_cards(cards, deck), deck) == cards

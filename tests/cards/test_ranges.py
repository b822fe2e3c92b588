# SPDX-License-Identifier: MIT
import re
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.notation.cards import parse_cards
from regretless.notation.ranges import ORDER, Range

STANDARD, SHORT, KUHN = _native.Deck(13, 4, 0), _native.Deck(9, 4, 4), _native.Deck(3, 1, 9)


def weight_of(hands: Range, cards: str) -> float:
    held = np.array([parse_cards(cards, hands.deck)], np.uint8)
    return float(hands.weights[_native.hand_index(hands.deck, held)[0]])


@pytest.mark.parametrize(
    ("text", "combos", "weight"),
    [
        ("AA", 6, 6),
        ("AK", 16, 16),
        ("AKs", 4, 4),
        ("aKo", 12, 12),
        ("TT+", 30, 30),
        ("QQ-88", 30, 30),
        ("QQ-QQ", 6, 6),
        ("A9s-A6s", 16, 16),
        ("A2s+", 48, 48),
        ("K9o+", 48, 48),
        ("JTs-54s", 28, 28),
        ("54s-JTs", 28, 28),
        ("A2s-A5s", 16, 16),
        ("88-QQ", 30, 30),
        ("0.1%", 6, 6),
        ("15%", 200, 200),
        ("15%:0.5", 200, 100),
        ("99.9%", 1326, 1326),
        ("AsKs", 1, 1),
        ("As Ks : 0.5", 1, 0.5),
        ("AsKs@.25", 1, 0.25),
        ("random", 1326, 1326),
        ("100%", 1326, 1326),
        ("random:0.5", 1326, 663),
        (" TT + , A5s - A2s : 1e-1 ", 46, 31.6),
        ("AA,AsAh:0.5", 6, 5.5),
        ("AsAh:0.5,AA", 6, 6),
        ("AA,AsAh:0", 5, 5),
        ("AK,AKs:0.5", 16, 14),
    ],
)
def test_counts(text, combos, weight):
    hands = Range.parse(text, STANDARD)
    assert hands.num_combos == combos == len(hands.hands)
    assert hands.total_weight == pytest.approx(weight)


def test_weights_land_on_the_hands_named():
    hands = Range.parse("AK,AsKs:0.5,72o:0.125", STANDARD)
    assert weight_of(hands, "KsAs") == 0.5
    assert weight_of(hands, "AhKd") == 1.0
    assert weight_of(hands, "7h2c") == 0.125
    assert weight_of(hands, "7h2h") == 0.0


def test_other_decks_and_hand_sizes():
    assert Range.parse("66+", SHORT).num_combos == 54
    assert Range.parse("random", SHORT).num_combos == 630
    assert Range.parse("A6s+", SHORT).num_combos == 32
    omaha = Range.parse("AsKsQdJd:0.5, 2c 3c 4c 5c", STANDARD, 4)
    assert omaha.total_weight == 1.5
    assert Range.parse(str(omaha), STANDARD, 4) == omaha
    assert Range.parse("random", STANDARD, 5).num_combos == 2598960
    assert list(Range.parse("J:0.5,K", KUHN, 1).combos()) == [("K", 1.0), ("J", 0.5)]


@pytest.mark.parametrize(
    ("text", "token", "column"),
    [
        ("", "", 1),
        ("AA,,KK", "", 4),
        ("AA,", "", 4),
        ("AA, AKx", "AKx", 5),
        ("KA", "KA", 1),
        ("AAs", "AAs", 1),
        ("AsAs", "As", 3),
        ("AsKsQs", "AsKsQs", 1),
        ("As", "As", 1),
        ("A", "A", 1),
        ("AKs-QJo", "AKs-QJo", 1),
        ("AA-AK", "AA-AK", 1),
        ("J9s-T8o", "J9s-T8o", 1),
        ("J9s-T2s", "J9s-T2s", 1),
        ("K2s-Q9s", "K2s-Q9s", 1),
        ("QQ-88-66", "QQ-88-66", 1),
        ("QQ-", "", 4),
        ("QQ-88+", "QQ-88", 1),
        ("AsKs+", "+", 5),
        ("AA KK", "AA KK", 1),
        ("AA:1.5", "1.5", 4),
        ("KK, AA:-0.1", "-0.1", 8),
        ("AA:nan", "nan", 4),
        ("AA:inf", "inf", 4),
        ("AA:1e999", "1e999", 4),
        ("AA:", "", 4),
        ("AA:0.5:0.5", "AA:0.5:0.5", 1),
        (":0.5", ":0.5", 1),
        ("0%", "0%", 1),
        ("AA, 101%", "101%", 5),
        ("-5%", "-5", 1),
        ("AA;KK", "AA;KK", 1),
        ("T9s,10Js", "10", 5),
    ],
)
def test_points_at_the_wrong_item(text, token, column):
    with pytest.raises(InputError) as caught:
        Range.parse(text, STANDARD)
    assert str(caught.value).endswith(f"{token!r} at column {column} of {text!r}")


def test_the_order_of_hands_is_that_of_their_equities():
    header = Path(__file__).parents[2] / "native/cards/starting_hands.h"
    rows = re.findall(r"\{\{([0-9, ]+)\}\}", header.read_text())
    equities = [[int(each) for each in row.split(",")] for row in rows]
    ranks = "23456789TJQKA"
    named = {
        ranks[high] + ranks[low] + kind: equities[row][column]
        for high in range(13)
        for low in range(high + 1)
        for kind, row, column in (
            [("", high, high)] if high == low else [("s", low, high), ("o", high, low)]
        )
    }
    assert list(ORDER) == sorted(named, key=lambda name: -named[name])
    for percent in (0.3, 5, 12.5, 40, 77, 100):
        hands = Range.parse(f"{percent}%", STANDARD).num_combos
        assert abs(hands - percent / 100 * 1326) <= 6


def test_a_part_of_all_hands_needs_an_order():
    for deck, num_hole in ((SHORT, 2), (STANDARD, 4)):
        with pytest.raises(InputError, match=r"only the hands of hold'em .* '15%' at column 1"):
            Range.parse("15%", deck, num_hole)


def test_canonical_text_is_compact():
    for text, expected in [
        ("AA,KK,QQ", "QQ+"),
        ("AKs,AKo", "AK"),
        ("A2s+,A2o+", "A2+"),
        ("99,88,A5s,A4s", "99-88,A5s-A4s"),
        ("random,AA", "random"),
        ("AA:0", "random:0.0"),
        ("KK:0.5,AA:0.5,QQ", "KK+:0.5,QQ"),
        ("AcKc,AdKd,AhKh,AsKs", "AKs"),
        ("KdAs:0.5", "AsKd:0.5"),
    ]:
        assert str(Range.parse(text, STANDARD)) == expected


def test_echo_says_how_the_range_was_understood():
    assert Range.parse("AA,KK:0.5", STANDARD).echo() == "AA,KK:0.5: 12 combos, total weight 9"


@pytest.mark.parametrize("bad", [np.full(1326, np.nan), np.full(1326, -1.0), np.zeros(1325)])
def test_bad_weight_arrays_are_refused(bad):
    with pytest.raises(InputError):
        Range(bad, STANDARD)


ITEMS = st.sampled_from(
    ["AA", "AKs", "AKo", "TT+", "QQ-88", "A9s-A6s", "K2+", "T9s-54s", "AsKs", "9h7d", "random"]
)
WEIGHTS = st.floats(0, 1).map(lambda weight: f":{weight!r}") | st.just("")


@settings(deadline=None)
@given(st.lists(st.tuples(ITEMS, WEIGHTS), min_size=1, max_size=8))
def test_text_parses_back_to_the_same_range(items):
    hands = Range.parse(",".join(item + weight for item, weight in items), STANDARD)
    assert Range.parse(str(hands), STANDARD) == hands


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([STANDARD, SHORT]), st.floats(0, 1))
def test_any_weights_survive_the_text(seed, deck, density):
    rng = np.random.default_rng(seed)
    num_hands = comb(deck.num_ranks * deck.num_suits, 2)
    weights = rng.choice([1.0, 0.5, rng.random()], num_hands) * (rng.random(num_hands) < density)
    hands = Range(weights, deck)
    assert Range.parse(str(hands), deck) == hands


NOTATION = st.text("AKQJT98762cdhsox+-:@,. %0e")


@settings(deadline=None)
@given(st.text() | NOTATION, st.sampled_from([STANDARD, SHORT]), st.sampled_from([1, 2, 4]))
def test_any_text_parses_or_is_an_input_error(text, deck, num_hole):
    try:
        hands = Range.parse(text, deck, num_hole)
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert Range.parse(str(hands), deck, num_hole) == hands

# SPDX-License-Identifier: MIT
"""The encoder `composition` agrees with trying all five cards of every hand."""

import hashlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_sight import CATEGORIES, Sight
from regretless import _native
from regretless.games import load_game
from regretless.games.encoders import load_encoder

GAMES = {name: load_game(name) for name in ("plo5-100bb", "plo4", "nlhe", "short-deck", "leduc")}
ENCODERS = {name: load_encoder("composition", game) for name, game in GAMES.items()}
BOARDS = {name: (0, 1) if name == "leduc" else (0, 3, 4, 5) for name in GAMES}


@st.composite
def situations(draw):
    """A game, and hole and board cards that fit it; the suits are few, so that flushes come."""
    name = draw(st.sampled_from(sorted(GAMES)))
    deck = GAMES[name].rules.deck
    cards = list(range(deck.num_cards))
    few = draw(st.integers(1, deck.num_suits))
    width = draw(st.integers(5, 13))  # ranks that are close together make straights
    first = draw(st.integers(0, 13))
    fits = [
        card
        for card in cards
        if card % deck.num_suits < few and (card // deck.num_suits - first) % 13 < width
    ]
    size = GAMES[name].rules.num_hole_cards
    count = draw(st.sampled_from(BOARDS[name]))
    pool = fits if len(fits) >= size + count else cards
    dealt = draw(
        st.lists(st.sampled_from(pool), unique=True, min_size=size + count, max_size=size + count)
    )
    return name, dealt[:size], dealt[size:]


class Reader:
    """The features of a row by the name of their field."""

    def __init__(self, name, hole, board):
        game, self.encoder = GAMES[name], ENCODERS[name]
        others = [c for c in range(game.rules.deck.num_cards) if c not in hole and c not in board]
        size = game.rules.num_hole_cards
        hands = [others[:size], others[size : 2 * size]]
        seats = 0 if board else game.rules.first_actors[0]
        hands[seats] = hole
        episode = _native.PokerEpisode(game, hole=hands, board=board)
        while len(episode.board) < len(board):
            episode.call()
        assert episode.actor == seats
        self.episode, self.row = episode, self.encoder.row(episode)
        self.features = self.encoder.expand(self.row[None])[0]
        self.fields = {field.name: field for field in self.encoder.fields}

    def values(self, name):
        field = self.fields[name]
        ends = field.width if field.kind == "marks" else 1
        return [
            self.features[field.feature + i * field.stride :][:ends].tolist()
            for i in range(field.count)
        ]

    def marks(self, name):
        """The number that each mark says; None where there is none."""
        return [each.index(1) if 1 in each else None for each in self.values(name)]

    def numbers(self, name):
        return [each[0] for each in self.values(name)]


def pattern(ranks):
    counts = sorted(Counter(ranks).values(), reverse=True)
    known = {4: 5, 3: 4 if counts.count(2) else 3, 2: counts.count(2)}
    return known.get(counts[0] if counts else 1, 0)


@settings(max_examples=250, deadline=None)
@given(situation=situations())
def test_shapes_of_suits_and_ranks(situation):
    name, hole, board = situation
    sight, reader = Sight(GAMES[name], hole, board), Reader(*situation)
    held, shown = Counter(map(sight.suit, hole)), Counter(map(sight.suit, board))
    order = sight.suit_order()
    assert reader.marks("hole cards of each suit") == [held[suit] for suit in order]
    assert reader.marks("board cards of each suit") == [shown[suit] for suit in order]
    lengths = [*sorted(held.values(), reverse=True), 0]
    assert reader.marks("hole cards of the longest suit") == lengths[:1]
    assert reader.marks("of the second longest") == lengths[1:2]
    assert reader.marks("hole cards alike") == [pattern(sight.ranks(hole))]
    assert reader.marks("board cards alike") == [pattern(sight.ranks(board))]
    places = reader.marks("ranks by place of the hole cards")
    assert places == sorted(sight.ranks(hole))
    line = set(places)
    if sight.has_straights and sight.deck.num_ranks - 1 in line:
        line.add(-1)
    for apart, field in ((1, "hole ranks one apart"), (2, "hole ranks two apart")):
        assert reader.marks(field) == [sum(rank + apart in line for rank in line)]


@settings(max_examples=250, deadline=None)
@given(situation=situations().filter(lambda each: each[0] != "leduc"))
def test_straights_and_flushes_that_are_made_or_one_card_away(situation):
    name, hole, board = situation
    sight, reader = Sight(GAMES[name], hole, board), Reader(*situation)
    windows, straights = sight.windows(), sight.straights()
    (facts,) = (field for field in reader.fields if field.startswith("straights:"))
    found = np.reshape(reader.numbers(facts), (6, len(windows))).tolist()
    in_hand = [len(window & set(sight.ranks(hole))) for window in windows]
    on_board = [len(window & set(sight.ranks(board))) for window in windows]
    nexts = sight.next_straights()
    expected = [[count >= least for count in in_hand] for least in (2, 3, 4)]
    expected += [straights, [len(cards) > 0 for cards in nexts], [n >= 3 for n in on_board]]
    assert found == expected
    outs = set().union(*nexts)
    ranks = np.flatnonzero(reader.numbers("ranks that make a straight")).tolist()
    assert ranks == sorted(set(sight.ranks(outs)))
    assert reader.numbers("cards that make a straight") == [len(outs) / 32]
    made, flushes = sight.flushes(), []
    for suit in sight.suit_order():
        nexts = [card for card in sight.unseen() if sight.suit(card) == suit and sight.to_come]
        drawn = any(suit in sight.flushes([*board, card]) for card in nexts)
        best = max((card for card in hole if sight.suit(card) == suit), default=0)
        higher = sum(card > best for card in sight.unseen() if sight.suit(card) == suit)
        known = 4 * (suit in made) + min(higher, 3)
        flushes.append(known if suit in made or drawn else None)
    (field,) = (name for name in reader.fields if name.startswith("flushes"))
    assert reader.marks(field) == flushes


@settings(max_examples=250, deadline=None)
@given(situation=situations())
def test_pairs_with_the_board_and_the_made_hand(situation):
    name, hole, board = situation
    sight, reader = Sight(GAMES[name], hole, board), Reader(*situation)
    held = Counter(sight.ranks(hole))
    shown = sorted(sight.ranks(board), reverse=True)
    pairing = [held[rank] for rank in shown] + [None] * sight.to_come
    assert reader.marks("hole cards that pair each board card") == pairing
    above = sum(rank > shown[0] for rank in sight.ranks(hole)) if board else None
    assert reader.marks("hole cards above the board") == [above]
    if not board:
        made = None
    elif sight.has_straights:
        made = CATEGORIES.index(sight.best_category())
    else:
        made = 1 if held[shown[0]] else None
    assert reader.marks("made hand") == [made]


@pytest.mark.parametrize("name", GAMES)
def test_strength_is_that_of_questions(name):
    job = _native.SelfPlay(GAMES[name], 300, chips=True, encoders=["composition"], tables=300)
    (field,) = (each for each in ENCODERS[name].fields if each.name == "strength")
    random = np.random.default_rng(1)
    while (questions := job.ask()) is not None:
        features = ENCODERS[name].expand(questions.rows("composition"))
        found, step = features[:, field.feature], 1 / 65535
        np.testing.assert_allclose(found, questions.hand_strengths, rtol=0, atol=0.51 * step)
        legal = np.array(questions.legal, np.float32) * random.random(questions.legal.shape)
        job.answer(np.float32(legal / legal.sum(axis=1, keepdims=True)))


def test_rows_of_plo5_are_those_of_the_version():
    """To change the rows, raise the version in the encoder and in ENCODERS, then this."""
    job = _native.SelfPlay(GAMES["plo5-100bb"], 50, encoders=["composition"], tables=50)
    digest = hashlib.sha256()
    while (questions := job.ask()) is not None:
        digest.update(questions.rows("composition").tobytes())
        legal = np.array(questions.legal, np.float32)
        job.answer(legal / legal.sum(axis=1, keepdims=True))
    assert digest.hexdigest()[:16] == "7b59cbc7488289f9"

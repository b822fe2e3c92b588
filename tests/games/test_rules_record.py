# SPDX-License-Identifier: MIT
"""Whatever makes a game what it is, its record holds: the game that comes back is the same."""

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.face import rules_record
from regretless.games.rules_record import check_record, recorded_game

# What the record calls by another name than the native rules do, or holds in another field.
RENAMED = {"num_players": "players", "num_hole_cards": "hole_cards", "num_streets": "board_cards"}
DERIVED = {"num_board_cards", "has_donks"}

numbers = st.decimals(min_value="0.000001", max_value="100000", places=6).map(lambda x: f"{x:f}")
sizes = st.one_of(
    numbers.map(lambda number: f"{number}%"),
    st.integers(1, 500).map(lambda chips: f"{chips}c"),
    st.floats(1.000001, 30).map(lambda times: f"{times:.17f}u"),
    st.sampled_from(["min", "e", "2e", "3e200%", "1e33.333333%", "33.333333333333336%"]),
)
ratios = st.sampled_from([0.0, 0.0, 0.1, 1 / 3, 1.5, 12.0])
rows = st.lists(sizes, max_size=3, unique_by=_native.normalize_bet_size)
lines = rows.map(lambda each: [*each, "a"])
situations = st.one_of(lines, st.fixed_dictionaries({"open": lines, "raise": lines}))


@st.composite
def menus(draw: st.DrawFn) -> dict[str, Any]:
    menu: dict[str, Any] = {key: draw(ratios) for key in ("add_all_in", "force_all_in", "merge")}
    menu["max_raises"] = draw(st.sampled_from([0, 1, 3, 1_000_000]))
    menu["limp"] = draw(st.booleans())
    streets = ("preflop", "flop", "turn", "river")
    return menu | {street: draw(situations) for street in streets}


@st.composite
def games(draw: st.DrawFn) -> "_native.Poker":
    players = draw(st.integers(2, 4))
    big = draw(st.integers(1, 20))
    chips = st.lists(st.integers(1, 200 * big), min_size=players, max_size=players)
    game = load_game(
        draw(st.sampled_from(["nlhe", "limit-holdem", "plo4"])),
        players=players,
        small_blind=draw(st.integers(1, big)),
        big_blind=big,
        bets=draw(st.lists(st.integers(1, 3 * big), min_size=4, max_size=4)),
        max_raises=draw(st.integers(1, 5)),
        antes=draw(st.lists(st.integers(0, big), max_size=players)),
        stacks=draw(chips),
        rake={"fraction": draw(st.floats(0, 0.2)), "cap": draw(st.integers(0, 9))},
        unit=draw(st.integers(1, 100)),
        menu=draw(menus()),
    )
    assert isinstance(game, _native.Poker)
    return game


def same_play(first: Any, second: Any, seed: int) -> None:
    """Both games offer the same slots for the same chips and pay alike."""
    choose = random.Random(seed)
    one, two = (_native.PokerEpisode(each, seed=seed, index=1) for each in (first, second))
    while not one.is_terminal:
        assert (one.legal, one.offer, one.infoset) == (two.legal, two.offer, two.infoset)
        slot = choose.choice([slot for slot, is_legal in enumerate(one.legal) if is_legal])
        one.choose(slot)
        two.choose(slot)
    assert one.payoffs == two.payoffs


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(games(), st.integers(0, 1000))
def test_random_rules_and_menus_come_back(game: "_native.Poker", seed: int) -> None:
    record = json.loads(json.dumps(rules_record(game)))
    again = recorded_game(record, "here")
    assert rules_record(again) == record
    same_play(game, again, seed)


@settings(max_examples=200, deadline=None)
@given(st.floats(1e-6, 1e8), st.sampled_from("%xcu"))
def test_a_size_is_written_so_that_it_is_read_as_the_same(number: float, unit: str) -> None:
    text = f"{number:.25f}{unit}"
    if unit == "x" and number <= 1:
        return
    once = _native.normalize_bet_size(text)
    assert _native.normalize_bet_size(once) == once
    scale = 100 if unit == "%" else 1
    assert float(once[:-1]) / scale == float(text[:-1]) / scale


def test_the_record_names_every_field_of_rules_and_menu() -> None:
    """The native side refuses to compile with a field that is not bound; so none can be lost."""
    game = load_game("nlhe")
    record = rules_record(game)
    fields = {each for each in vars(_native.PokerRules) if is_field(_native.PokerRules, each)}
    assert record["poker"].keys() == {RENAMED.get(each, each) for each in fields - DERIVED}
    fields = {each for each in vars(_native.Rake) if is_field(_native.Rake, each)}
    assert record["poker"]["rake"].keys() == fields
    fields = {each for each in vars(_native.BetMenu) if is_field(_native.BetMenu, each)}
    assert record["menu"].keys() == fields - DERIVED | {"rows"}


def is_field(kind: type, name: str) -> bool:
    return not name.startswith("_") and not callable(vars(kind)[name])


def test_ratios_that_older_records_leave_out_are_none() -> None:
    record = rules_record(load_game("nlhe"))
    for key in ("add_all_in", "force_all_in", "merge"):
        assert record["menu"].pop(key) == 0
    assert record["menu"].pop("limp") is True
    assert rules_record(recorded_game(record, "here")) == rules_record(load_game("nlhe"))


def spot(**start: Any) -> "_native.Poker":
    game = load_game("turn-endgame")
    assert isinstance(game, _native.Poker)
    return _native.Poker(game.rules, game.menu, **start)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 99))
def test_a_game_that_begins_at_a_spot_comes_back(seed: int) -> None:
    weights = np.random.default_rng(seed).random((2, 1326)) ** 9 * 1e6
    game = spot(board=[50, 3, 17, 22], weights=weights.tolist())
    again = recorded_game(json.loads(json.dumps(rules_record(game))), "here")
    assert rules_record(again) == rules_record(game)
    same_play(game, again, seed)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"board": [1, 2, 3]}, "3 cards, but 4 are due"),
        ({"board": [1, 2, 3, 3]}, "not in the deck or there twice"),
        ({"board": [1, 2, 3, 52]}, "not in the deck or there twice"),
        ({"weights": [[1.0] * 1326]}, "must be of two players"),
        ({"weights": [[1.0] * 1325] * 2}, "must be 1326"),
        ({"weights": [[-1.0] * 1326] * 2}, "finite and not negative"),
        ({"weights": [[float("nan")] * 1326] * 2}, "finite and not negative"),
        ({"weights": [[0.0] * 1326] * 2}, "shares a card"),
        ({"weights": [[1.0] + [0.0] * 1325] * 2}, "shares a card"),
    ],
)
def test_a_start_that_makes_no_sense_is_refused(start: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spot(**start)


def test_deals_are_drawn_from_the_ranges() -> None:
    """Every pair of hands as often as the product of its weights, and the board as given."""
    few = {0: 3.0, 1: 1.0, 700: 2.0}
    weights = [few.get(hand, 0.0) for hand in range(1326)]
    game = spot(board=[50, 40, 31, 22], weights=[weights, weights])
    cards = [set(map(int, row)) for row in _native.hand_cards(game.rules.deck, 2)]
    pairs = {(a, b): few[a] * few[b] for a in few for b in few if cards[a].isdisjoint(cards[b])}
    counts = dict.fromkeys(pairs, 0)
    for index in range(20_000):
        episode = _native.PokerEpisode(game, seed=5, index=index)
        assert episode.board == [50, 40, 31, 22]
        counts[episode.hand(0), episode.hand(1)] += 1
    for pair, weight in pairs.items():
        assert abs(counts[pair] / 20_000 - weight / sum(pairs.values())) < 0.02


def test_what_cannot_be_written_down_is_refused() -> None:
    game = load_game("kuhn")
    menu = _native.BetMenu("m" * 101, game.menu.slots, game.menu.rows(1))
    with pytest.raises(InputError, match=r"there: name: .*at most 100"):
        check_record(_native.Poker(game.rules, menu), "there")


@pytest.mark.parametrize("record", [5, [], None, "poker"])
def test_rules_that_are_no_mapping_are_refused(record: Any) -> None:
    with pytest.raises(InputError, match="rules: rules must be a mapping"):
        recorded_game(record, "rules")

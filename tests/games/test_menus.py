# SPDX-License-Identifier: MIT
"""Bet menus: what the named ones offer, what sizes mean, and where a bet off the menu belongs."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.evaluation.lbr import local_best_response
from regretless.games import load_game
from regretless.games.menus import MENUS, make_menu
from regretless.matches.bots import BOTS
from regretless.policies.policy import UniformPolicy

BOARD = [0, 5, 10, 15, 20]


def begin(menu, **options):
    """A heads-up episode of blinds 50 and 100, 10,000 deep, that uses the menu."""
    game = load_game("nlhe", menu=menu, **options)
    return _native.PokerEpisode(game, [], BOARD)


def flop(menu, to=300, **options):
    """After a raise and a call: the pot is twice `to`."""
    episode = begin(menu, **options)
    episode.raise_to(to)
    episode.call()
    return episode


def raises(episode):
    """Raise slots that are offered, by name."""
    offered = zip(episode.game.action_names, episode.offer, strict=True)
    return {name: amount for name, amount in list(offered)[2:] if amount is not None}


# The named menus


def test_deep_cfr_7_before_the_flop():
    episode = begin("deep-cfr-7")
    assert episode.game.num_actions == 7
    opens = {"raise 1": 200, "raise 2": 250, "raise 3": 300, "raise 4": 350, "all-in": 10_000}
    assert raises(episode) == opens
    episode.raise_to(250)
    assert raises(episode) == {"raise 1": 1_000, "raise 2": 1_250, "all-in": 10_000}
    episode.raise_to(1_000)
    assert raises(episode) == {"raise 1": 4_000, "raise 2": 5_000, "all-in": 10_000}


def test_deep_cfr_7_after_the_flop():
    episode = flop("deep-cfr-7")
    thirds = {"raise 1": 198, "raise 2": 450, "raise 3": 900, "all-in": 9_700}
    assert raises(episode) == thirds
    episode.raise_to(450)  # then 33 % of 1,500 on top of it
    facing = {"raise 1": 945, "raise 2": 1_575, "raise 3": 2_700, "all-in": 9_700}
    assert raises(episode) == facing | {"raise 1": 450 + 495}
    episode.call()
    assert episode.street == 2
    assert raises(episode) == {"raise 1": 750, "raise 2": 1_500, "all-in": 9_250}
    episode.call()
    episode.call()
    assert episode.street == 3
    assert list(raises(episode)) == ["raise 1", "raise 2", "raise 3", "all-in"]


def test_nfsp_9():
    episode = flop("nfsp-9")
    assert episode.game.num_actions == 9
    shares = {"25%": 150, "40%": 240, "60%": 360, "80%": 480, "100%": 600, "150%": 900}
    assert raises(episode) == shares | {"all-in": 9_700}


def test_sd_cfr_allows_three_raises_a_street():
    episode = flop("sd-cfr")
    shares = {"33%": 198, "67%": 402, "100%": 600, "200%": 1_200, "300%": 1_800}
    assert raises(episode) == shares | {"all-in": 9_700}
    for slot in (2, 2, 2):
        assert raises(episode)
        episode.choose(slot)
    assert raises(episode) == {}
    assert episode.raise_range is not None  # the menu stops, the rules do not


def play(game, *slots):
    """Returns the bets after these slots, by name, in chips."""
    episode = _native.PokerEpisode(load_game(game), [], BOARD)
    for slot in slots:
        episode.choose(slot)
    return raises(episode)


def test_hunl_100bb_has_seven_slots_in_chips_of_half_a_big_blind():
    opens = {"raise 1": 4, "raise 2": 5, "raise 3": 6, "raise 4": 7, "all-in": 200}
    assert load_game("hunl-100bb").num_actions == 7
    assert play("hunl-100bb") == opens
    assert play("hunl-100bb", 1) == opens  # of the big blind, after a limp
    assert play("hunl-100bb", 5) == {"raise 1": 28, "raise 2": 35, "all-in": 200}
    assert play("hunl-100bb", 5, 2) == {"raise 1": 112, "raise 2": 140, "all-in": 200}
    flop = {"raise 1": 4, "raise 2": 9, "raise 3": 18, "all-in": 194}  # 12 chips in the pot
    assert play("hunl-100bb", 4, 1) == flop
    assert play("hunl-100bb", 4, 1, 1, 1) == {"raise 1": 6, "raise 2": 12, "all-in": 194}
    assert play("hunl-100bb", 4, 1, 1, 1, 1, 1) == flop
    assert play("hunl-100bb", 4, 1, 6) == {}  # facing all-in


def test_hunl_25bb_has_five_shares_of_the_pot_and_three_raises():
    assert load_game("hunl-25bb").num_actions == 8
    opens = {"33%": 4, "67%": 5, "100%": 6, "200%": 10, "300%": 14, "all-in": 50}
    assert play("hunl-25bb") == opens
    shares = {"33%": 4, "67%": 8, "100%": 12, "200%": 24, "300%": 36, "all-in": 44}
    assert play("hunl-25bb", 4, 1) == shares
    assert play("hunl-25bb", 2, 2) and not play("hunl-25bb", 2, 2, 2)


def test_plo5_100bb_bets_half_the_pot_or_the_pot():
    assert load_game("plo5-100bb").action_names == ["fold", "call", "50%", "pot"]
    assert play("plo5-100bb") == {"50%": 4, "pot": 6}
    assert play("plo5-100bb", 3, 1) == {"50%": 6, "pot": 12}
    assert play("plo5-100bb", 3, 1, 2) == {"50%": 6 + 12, "pot": 6 + 24}
    assert not play("plo5-100bb", 2, 2, 2)


@pytest.mark.parametrize("name", MENUS)
@pytest.mark.parametrize("game", ["limit-holdem", "nlhe", "plo5", "short-deck"])
def test_every_named_menu_fits_every_game(name, game):
    loaded = load_game(game, menu=name)
    assert loaded.menu.name == name
    assert loaded.action_names[:2] == ["fold", "call"]


# Sizes


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("33%", "33%"),
        ("33.0%", "33%"),
        (".5%", "0.5%"),
        ("2.50x", "2.5x"),
        ("100c", "100c"),
        ("3u", "3u"),
        ("e", "e"),
        ("2e", "2e"),
        ("3e200%", "3e200%"),
        ("e75%", "e75%"),
        ("min", "min"),
        ("a", "a"),
        ("-", "-"),
    ],
)
def test_sizes_are_written_one_way(text, normal):
    assert _native.normalize_bet_size(text) == normal
    assert _native.normalize_bet_size(normal) == normal


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "33", "%", "0%", "-5%", "33%%", "1x", "0.5x", "5e", "0e", "1.5e", "e200", "e0%"),
        *("inf%", "nan%", "infe", "nane", "1e9c", "200000000c", "min2", "A", "+5%", "0x10%", "５%"),
    ],
)
def test_what_is_no_size_is_quoted(text):
    with pytest.raises(ValueError, match=r"^bet size '") as caught:
        _native.normalize_bet_size(text)
    assert f"'{text}'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("size", "bet", "raised"),
    [
        ("50%", 300, 450 + 750),  # of 600, then of 600 + 2 x 450
        ("250c", 250, 450 + 250 + 200),  # below the least raise of 450
        ("1000c", 1_000, 1_450),
        ("7u", 700, 900),  # to 700, which is below the least raise
        ("20u", 2_000, 2_000),
        ("min", 100, 900),
        ("a", 9_700, 9_700),
        ("e50%", 300, 1_200),
    ],
)
def test_what_sizes_mean_on_a_flop_with_600_in_the_pot(size, bet, raised):
    episode = flop(size)
    assert list(raises(episode).values()) == [bet]
    episode.raise_to(450)
    assert list(raises(episode).values()) == [raised]


def test_a_multiple_is_of_the_bet_faced():
    episode = flop({"all": {"open": "50%", "raise": "2.5x"}})
    episode.raise_to(400)
    assert list(raises(episode).values()) == [1_000]
    with pytest.raises(InputError, match="no bet to multiply"):
        begin("2x")


@pytest.mark.parametrize("to", [200, 300, 700, 2_345])
def test_geometric_bets_end_all_in_on_the_river(to):
    episode = flop("e", to)
    for _ in range(3):
        assert not episode.is_terminal
        episode.choose(2)
        episode.call()
    assert episode.is_terminal
    assert episode.stacks == [0, 0]


def test_geometric_over_a_given_number_of_streets():
    pot, stack = 600, 9_700
    share = (((pot + 2 * stack) / pot) ** 0.5 - 1) / 2
    assert list(raises(flop("2e")).values()) == [round(pot * share)]
    assert list(raises(flop("1e")).values()) == [stack]


# Clamping


def test_sizes_out_of_range_become_the_least_or_the_most_once():
    episode = flop("1%,2%,50%,1000%,2000%,a", stacks=1_000)
    assert episode.raise_range == (100, 700)
    assert raises(episode) == {"1%": 100, "50%": 300, "all-in": 700}


def test_without_all_in_the_first_of_equal_slots_stays():
    assert raises(flop("500%,1000%,20000c", stacks=1_000)) == {"500%": 700}


def test_when_only_all_in_is_left_it_is_the_slot():
    assert raises(flop("min,50%,a", stacks=350)) == {"all-in": 50}


def test_all_in_of_pot_limit_is_the_pot():
    episode = _native.PokerEpisode(load_game("plo4"), [], BOARD)
    assert raises(episode)["all-in"] == 300


# Ratios to the pot


def test_all_in_is_added_where_it_is_small():
    menu = {"all": "50%", "add_all_in": 2}
    assert raises(flop(menu)) == {"50%": 300}
    assert raises(flop(menu, stacks=1_500)) == {"50%": 300, "all-in": 1_200}  # twice 600
    assert raises(flop(menu, stacks=1_501)) == {"50%": 300}


def test_a_raise_that_leaves_little_is_made_all_in():
    menu = {"all": "50%,80%", "force_all_in": 0.2}  # 480 leave 220 behind a pot of 1,560
    assert raises(flop(menu, stacks=1_000)) == {"50%": 300, "80%": 700}
    assert raises(flop({**menu, "all": "50%,80%,a"}, stacks=1_000)) == {"50%": 300, "all-in": 700}


def test_close_raises_are_merged_into_the_larger():
    menu = {"all": "33%,40%,100%,a", "merge": 0.1}
    assert raises(flop(menu)) == {"40%": 240, "100%": 600, "all-in": 9_700}
    assert raises(flop(menu, stacks=950)) == {"40%": 240, "all-in": 650}
    assert raises(flop({**menu, "merge": 1e6})) == {"all-in": 9_700}


def test_ratios_count_what_the_shortest_stack_can_match():
    menu = {"all": "100%", "add_all_in": 1, "force_all_in": 0.1}
    assert raises(flop(menu, stacks=[800, 10_000])) == {"all-in": 500}
    episode = flop(menu, stacks=[800, 10_000])
    episode.call()
    assert raises(episode) == {"all-in": 9_700}  # of which 500 can be called


def test_seats_have_rows_of_their_own():
    episode = begin({"seats": ["50%,a", "2u,4u,a"]})
    assert list(raises(episode).values()) == [200, 400, 10_000]  # seat 1, the button
    episode.call()
    assert list(raises(episode).values()) == [200, 10_000]


# Mistakes


@pytest.mark.parametrize(
    ("menu", "place"),
    [
        ("33", r"menu\.preflop\[0\]: bet size '33'"),
        ("33%,,a", r"menu\.preflop\[1\]: bet size ''"),
        ({"all": "33%", "turn": "50%,5y"}, r"menu\.turn\[1\]: bet size '5y'"),
        ({"all": {"open": "33%", "raise": ["2x", 3]}}, r"menu\.preflop\.raise\[1\]"),
        ({"all": {"raise": "33%"}}, r"menu\.preflop: 'open' is missing"),
        ({"all": {"open": "33%", "limp": "a"}}, r"menu\.preflop: unknown key 'limp'"),
        ({"all": 5}, r"menu\.preflop: must be a line or a list"),
        ({"all": "a,a"}, r"menu\.preflop: a is given twice"),
        ("33%,33.0%", r"menu\.preflop: 33% is given twice"),
        ({"all": "a", "flop": "min,min"}, r"menu\.flop: min is given twice"),
        ({"flop": "33%"}, "menu: no sizes for 'preflop'"),
        ({"all": "33%", "rivver": "a"}, "menu: unknown street 'rivver'"),
        ({"seats": []}, r"menu\.seats"),
        ({"seats": [5, 6]}, r"menu\.seats\[0\]: must be a mapping"),
        ({"seats": ["a", "b"]}, r"menu\.seats\[1\]\.preflop\[0\]: bet size 'b'"),
        ({"seats": ["a", "a"], "all": "a"}, "menu: 'all' beside 'seats'"),
        ({"seats": ["a", "a", "a"]}, "needs rows for every seat"),
        ({"all": "33%,a", "slots": ["bet"]}, r"menu\.slots: must be 2 names"),
        ({"all": "a", "max_raises": -1}, r"menu\.max_raises"),
        ({"all": "a", "max_raises": True}, r"menu\.max_raises"),
        ({"all": "a", "merge": -0.1}, r"menu\.merge"),
        ({"all": "a", "add_all_in": "2"}, r"menu\.add_all_in"),
        ({"all": "a", "force_all_in": float("nan")}, r"menu\.force_all_in"),
        ({"all": "a", "limp": "no"}, r"menu\.limp: input should be a valid boolean, not 'no'"),
        ({"seats": [{"all": "a", "merge": 0.1}] * 2}, r"menu\.seats\[0\]: unknown street 'merge'"),
        ({"bet_sizes": 0.5}, r"menu\.bet_sizes: input should be"),
        ({"bet_sizes": [0.5, float("nan")]}, r"menu\.bet_sizes\.1"),
        ({"bet_sizes": [0.5], "all": "a"}, r"menu: 'all' beside 'bet_sizes'"),
        (",".join(f"{i}%" for i in range(1, 40)), "more than 32 slots"),
        ("\ud800", r"menu\.preflop\[0\]"),
    ],
)
def test_mistakes_are_named_with_their_place(menu, place):
    with pytest.raises(InputError, match=place) as caught:
        load_game("nlhe", menu=menu)
    assert "\n" not in str(caught.value)


texts = st.one_of(
    st.sampled_from(["33%", "2x", "e", "a", "-", "50%,a", "min,3e200%", "100c,,", "2u,-", "1e9%"]),
    st.text(max_size=8),
    st.text(st.characters(exclude_categories=()), max_size=2),
    st.text("0123456789.%xcuea-min, ", max_size=10),
)
values = st.recursive(
    st.one_of(texts, st.none(), st.booleans(), st.integers(), st.floats()),
    lambda some: st.one_of(
        st.lists(some, max_size=3),
        st.dictionaries(st.sampled_from(["open", "raise", "reraise", "limp"]), some, max_size=3),
    ),
    max_leaves=8,
)
keys = st.one_of(
    st.sampled_from(["all", "preflop", "flop", "turn", "river", "seats", "slots", "max_raises"]),
    st.sampled_from(["bet_sizes", "max_raises_per_street"]),
    st.sampled_from(["add_all_in", "force_all_in", "merge", "limp"]),
    st.text(max_size=3),
    st.integers(),
)


# Limping


def test_limping_may_be_left_out():
    menu = {"preflop": "2.5u,a", "all": "50%,a"}
    assert begin(menu).offer == [-1, 0, 250, 10_000]
    episode = begin({**menu, "limp": False})
    assert episode.offer == [-1, None, 250, 10_000]
    assert not episode.legal[1]
    with pytest.raises(ValueError, match="legal"):
        episode.choose(1)
    assert episode.translate(0) == (2, 2, 1)  # a limp is taken for the least raise
    assert episode.translate(220) == (2, 2, 1)
    episode.raise_to(250)
    assert episode.offer[:2] == [-1, 0]
    episode.call()
    assert episode.offer[:2] == [None, 0]


def test_who_cannot_raise_may_call_without_a_limp():
    menu = {"all": "a", "limp": False}
    assert begin(menu, stacks=[1000, 100]).offer == [-1, 0, None]
    assert begin({**menu, "max_raises": 0}).offer == [-1, 0, None]


def test_nobody_limps_at_a_table_of_six():
    game = load_game("nlhe", players=6, menu={"preflop": "3x,a", "all": "a", "limp": False})
    episode = _native.PokerEpisode(game, [])
    for _ in range(4):
        assert episode.offer[:2] == [-1, None]
        episode.fold()
    assert episode.offer[:2] == [-1, None]  # the small blind may not complete
    episode.raise_to(300)
    assert episode.offer[:2] == [-1, 0]


@pytest.mark.parametrize("name", ["random", "caller", "raiser", "tight-aggressive", "pot-odds"])
def test_jam_or_fold_is_a_game_for_bots(name):
    game = load_game("nlhe", stacks=1000, menu="jam-fold")
    assert game.action_names == ["fold", "call", "all-in"]
    job = _native.SelfPlay(game, episodes=200, tables=50, seed=3, chips=True)
    policy = BOTS[name](game)
    while (questions := job.ask()) is not None:
        probabilities = policy(questions)
        assert not probabilities[~questions.legal].any()
        job.answer(probabilities)
    payoffs = job.take_steps().payoffs
    assert set(np.abs(payoffs).ravel()) <= {0, 50, 100, 1000}


def test_local_best_response_keeps_to_the_menu():
    game = load_game("nlhe", stacks=1000, menu="jam-fold")
    result = local_best_response(game, UniformPolicy(), 40)
    assert result.hands == 40


@settings(max_examples=600, deadline=None)
@given(st.one_of(texts, st.dictionaries(keys, values, max_size=5)), st.integers(1, 4))
def test_any_text_or_mapping_is_a_menu_or_an_input_error(spec, num_streets):
    try:
        menu = make_menu(spec, num_streets)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert menu.slots[:2] == ["fold", "call"]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["1%", "33%", "40%", "90%", "250%", "min", "e"]), max_size=5, unique=True
    ),
    st.tuples(st.floats(0, 3), st.floats(0, 3), st.floats(0, 3)),
    st.tuples(st.integers(301, 3_000), st.integers(301, 3_000)),
    st.randoms(use_true_random=False),
)
def test_ratios_leave_legal_raises_in_any_line_of_play(sizes, ratios, stacks, random):
    names = ("add_all_in", "force_all_in", "merge")
    menu = {"all": sizes, **dict(zip(names, ratios, strict=True))}
    episode = begin(menu, stacks=list(stacks))
    while not episode.is_terminal:
        offered = list(raises(episode).values())
        assert len(set(offered)) == len(offered)
        pot = episode.pot + episode.to_call
        for low, high in pairwise(sorted(offered)):
            assert high - low >= ratios[2] * pot
        if offered:
            least, most = episode.raise_range
            assert least <= min(offered) and max(offered) <= most
        legal = [slot for slot, is_legal in enumerate(episode.legal) if is_legal]
        episode.choose(random.choice(legal))


# Translation


def pseudo_harmonic(low, high, x):
    """Ganzfried and Sandholm 2013: the probability of the lower bet, in shares of the pot."""
    return (high - x) * (1 + low) / ((high - low) * (1 + x))


@settings(max_examples=200, deadline=None)
@given(st.integers(100, 9_700))
def test_translation_is_pseudo_harmonic(bet):
    episode = flop("50%,100%,200%")
    marks = {1: 0, 2: 300, 3: 600, 4: 1_200}  # slots and what they add to the pot of 600
    low, high, probability = episode.translate(bet)
    if bet >= 1_200:
        assert (low, high, probability) == (4, 4, 1)
        return
    if bet in marks.values():
        assert low == high
        assert marks[low] == bet
        assert probability == 1
        return
    assert high == low + 1
    assert marks[low] < bet < marks[high]
    expected = pseudo_harmonic(marks[low] / 600, marks[high] / 600, bet / 600)
    assert probability == pytest.approx(expected, abs=1e-12)


def test_translation_falls_from_one_to_zero_between_two_bets():
    episode = flop("50%,100%")
    weights = [episode.translate(bet)[2] for bet in range(301, 600)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0.99
    assert weights[-1] < 0.01


def test_translation_of_a_raise_counts_the_pot_after_the_call():
    episode = flop("50%,100%")
    episode.raise_to(300)  # the pot after a call is 1,200: slots raise to 900 and 1,500
    assert list(raises(episode).values()) == [900, 1_500]
    assert episode.translate(1_200) == (2, 3, pytest.approx(pseudo_harmonic(0.5, 1, 0.75)))
    assert episode.translate(700) == (1, 2, pytest.approx(pseudo_harmonic(0, 0.5, 400 / 1_200)))


def test_fold_and_call_are_their_own_slots_and_a_menu_without_raises_has_only_the_call():
    episode = flop("-")
    assert episode.translate(0) == (1, 1, 1)
    assert episode.translate(500) == (1, 1, 1)
    episode.raise_to(500)
    assert episode.translate(-1) == (0, 0, 1)

# SPDX-License-Identifier: MIT
"""Invariants of every poker episode, whatever the rules; senseless arguments raise an exception
and never end the process."""

import random

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from properties import holds
from regretless import _native
from regretless.games import load_game
from regretless.games.menus import make_menu

MENUS = [
    "min",
    "a",
    "50%,100%,a",
    "min,33%,2.5u,e,2e150%,100c,a",
    {"all": "-,50%", "max_raises": 1},
    {"all": "50%,a", "limp": False},
]


@st.composite
def decks(draw):
    """(showdown, deck, hole cards, board cards by street)."""
    showdown = draw(st.sampled_from(["holdem", "short_deck", "omaha", "pair"]))
    if showdown == "pair":
        num_ranks = draw(st.integers(1, 13))
        deck = (num_ranks, draw(st.integers(1, 4)), draw(st.integers(0, 13 - num_ranks)))
        return showdown, deck, 1, draw(st.lists(st.integers(0, 2), min_size=1, max_size=4))
    deck = (9, 4, 4) if showdown == "short_deck" else (13, 4, 0)
    num_hole = draw(st.integers(4, 5) if showdown == "omaha" else st.integers(1, 3))
    boards = st.sampled_from([[0, 3, 1, 1], [3, 1, 1], [0, 0, 5], [5], [4, 1], [0, 4], [2, 0, 1]])
    return showdown, deck, num_hole, draw(boards)


@st.composite
def poker_rules(draw):
    showdown, deck, num_hole, board = draw(decks())
    rules = _native.PokerRules()
    rules.showdown = _native.Showdown[showdown.upper()]
    rules.deck = _native.Deck(*deck)
    rules.num_hole_cards, rules.num_streets, rules.board_cards = num_hole, len(board), board
    players = rules.num_players = draw(st.integers(2, 10))
    rules.limit = draw(
        st.sampled_from([_native.Limit.FIXED, _native.Limit.POT, _native.Limit.NONE])
    )

    def seats(low, high):
        return draw(st.lists(st.integers(low, high), min_size=players, max_size=players))

    def streets(values):
        return draw(st.lists(values, min_size=len(board), max_size=len(board)))

    rules.stacks, rules.blinds = seats(1, draw(st.sampled_from([3, 30, 300]))), seats(0, 10)
    rules.antes = draw(st.sampled_from([[0] * players, [3] * players, seats(0, 5)]))
    rules.bets = streets(st.integers(1, 20))
    rules.max_raises = streets(st.sampled_from([0, 1, 2, 4, _native.NO_RAISE_CAP]))
    rules.first_actors = streets(st.integers(0, players - 1))
    rules.rake = _native.Rake()
    rules.rake.fraction = draw(st.sampled_from([0.0, 0.05, 0.5]))
    rules.rake.cap = draw(st.integers(0, 3))
    rules.rake.no_flop_no_drop = draw(st.booleans())
    return rules


def check_decision(episode, rules):
    """At a decision: chips are where they were paid, and every legal slot is a legal action."""
    for seat, start in enumerate(rules.stacks):
        assert episode.stacks[seat] + episode.paid[seat] == start
        assert episode.stacks[seat] >= 0
        assert 0 <= episode.bets[seat] <= episode.paid[seat]
    assert episode.pot == sum(episode.paid)
    if episode.actor == _native.CHANCE:
        return
    assert episode.live[episode.actor]
    assert episode.stacks[episode.actor] > 0
    assert any(episode.legal)
    offer = episode.offer
    raises = [amount for amount in offer if amount is not None and amount > 0]
    assert len(set(raises)) == len(raises)
    for slot, action in enumerate(offer):
        assert episode.legal[slot] == (action is not None)
        if action is None:
            continue
        chosen, acted = episode.copy(), episode.copy()
        chosen.choose(slot)
        acted.act(action)
        assert chosen.stacks == acted.stacks
        assert len(chosen.events) == len(episode.events) + 1


def act_at_random(episode, rng):
    if rng.random() < 0.5:
        episode.choose(rng.choice([slot for slot, legal in enumerate(episode.legal) if legal]))
        return
    actions = [0] + [-1] * episode.can_fold
    if episode.raise_range:
        low, high = episode.raise_range
        actions += [low, high, rng.randint(low, high)]
    episode.act(rng.choice(actions))


@holds(200, 800, poker_rules(), st.sampled_from(MENUS), st.integers(0, 2**64 - 1))
def test_every_episode_keeps_its_chips_and_ends(rules, menu, seed):
    try:
        game = _native.Poker(rules, make_menu(menu, rules.num_streets))
    except ValueError:
        assume(False)
    rng = random.Random(seed)
    episode = _native.PokerEpisode(game, seed, 7)
    bound = 2 * rules.num_players * (sum(rules.stacks) + rules.num_streets)
    while not episode.is_terminal:
        check_decision(episode, rules)
        act_at_random(episode, rng)
        assert len(episode.events) <= bound
    payoffs = episode.payoffs
    assert episode.copy().payoffs == payoffs
    assert all(payoff >= -stack for payoff, stack in zip(payoffs, rules.stacks, strict=True))
    rake = -sum(payoffs)
    assert 0 <= rake <= rules.rake.fraction * episode.pot
    assert rules.rake.cap == 0 or rake <= rules.rake.cap


# Nonsense

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([-(2**31), 2**31 - 1, 2**31, 2**32, 2**63, 2**64, -1, 10, 255, 256]),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.sampled_from([_native.Limit.POT, _native.Showdown.PAIR, object()]),
)
nonsense = st.recursive(scalars, lambda some: st.lists(some, max_size=12), max_leaves=40)

FIELDS = [
    name
    for name in dir(_native.PokerRules)
    if not name.startswith("_") and name not in ("copy", "validate", "num_board_cards")
]


def attempt(call, *arguments):
    """The result, or None after one of the exceptions that a bad argument may cause."""
    try:
        return call(*arguments)
    except (ValueError, TypeError, OverflowError):
        return None


def read_all(thing):
    for name in dir(type(thing)):
        if not name.startswith("_"):
            attempt(getattr, thing, name)


@holds(120, 400, st.dictionaries(st.sampled_from(FIELDS), nonsense, min_size=1, max_size=3))
def test_nonsense_in_the_rules(values):
    game = load_game("nlhe", players=3)
    rules, menu = game.rules, game.menu
    for name, value in values.items():
        attempt(setattr, rules, name, value)
    read_all(rules)
    attempt(rules.validate)
    if (game := attempt(_native.Poker, rules, menu)) is not None:
        play_through(game)


@holds(80, 200, nonsense, nonsense, nonsense)
def test_nonsense_in_the_deck_and_the_rake(a, b, c):
    rules = load_game("leduc").rules
    rake = _native.Rake()
    for name, value in {"fraction": a, "cap": b, "no_flop_no_drop": c}.items():
        attempt(setattr, rake, name, value)
    rules.rake = rake
    if (deck := attempt(_native.Deck, a, b, c)) is not None:
        rules.deck = deck
    attempt(rules.validate)
    if (game := attempt(_native.Poker, rules, load_game("leduc").menu)) is not None:
        play_through(game)


def play_through(game):
    episode = _native.PokerEpisode(game)
    rng = random.Random(0)
    for _ in range(200):
        if episode.is_terminal:
            assert sum(episode.payoffs) <= 0
            return
        read_all(episode)
        act_at_random(episode, rng)


sizes = st.one_of(st.sampled_from(["33%", "2x", "e", "a", "-", "3e200%"]), scalars)
rows = st.lists(st.lists(st.lists(st.lists(sizes, max_size=3), max_size=4), max_size=5), max_size=3)


@holds(
    80,
    200,
    nonsense,
    st.one_of(nonsense, st.just(["fold", "call", "bet"])),
    st.one_of(rows, nonsense),
    scalars,
)
def test_nonsense_in_a_menu(name, slots, menu_rows, max_raises):
    for rest in ((), (max_raises,)):
        menu = attempt(_native.BetMenu, name, slots, menu_rows, *rest)
        if menu is None:
            continue
        for num_streets in (-1, 0, 4, 5, 2**31 - 1):
            menu.rows(num_streets)
        attempt(menu.rows, max_raises)
        if (game := attempt(_native.Poker, load_game("leduc").rules, menu)) is not None:
            play_through(game)
        attempt(_native.Poker, menu, name)


METHODS = [
    *("act", "choose", "deal_board", "deal_hole", "fold", "call", "raise_to"),
    *("hand", "hand_parts", "hole", "slot_text", "strength", "translate", "copy"),
]


@holds(
    80,
    250,
    st.lists(st.tuples(st.sampled_from(METHODS), st.lists(nonsense, max_size=2)), max_size=12),
)
def test_nonsense_told_to_an_episode(calls):
    episode = _native.PokerEpisode(load_game("nlhe"), [], [])
    for name, arguments in calls:
        attempt(getattr(episode, name), *arguments)
    read_all(episode)


@holds(80, 200, st.lists(nonsense, max_size=3))
def test_nonsense_in_place_of_a_game(arguments):
    game = load_game("leduc")
    for kind in (_native.PokerEpisode, _native.LiarsDiceEpisode):
        attempt(kind, *arguments)
        attempt(kind, game, *arguments)
    attempt(_native.LiarsDice, *arguments)
    attempt(_native.normalize_bet_size, *arguments)


def test_every_method_of_an_episode_is_told_nonsense():
    methods = {
        name
        for name, value in vars(_native.PokerEpisode).items()
        if callable(value) and not name.startswith("_")
    }
    assert methods == set(METHODS)


@pytest.mark.parametrize("value", [1_000, -7])
def test_rules_with_a_wrong_number_of_seats_or_streets_can_be_read(value):
    rules = _native.PokerRules()
    rules.num_players = rules.num_streets = value
    read_all(rules)
    with pytest.raises(ValueError, match="players"):
        rules.validate()

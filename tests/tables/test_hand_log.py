# SPDX-License-Identifier: MIT
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.games import load_game
from regretless.games.poker_rules import position_names, street_name
from regretless.histories.hand_log import format_episode
from regretless.notation.cards import parse_cards


def deal(game, hands, board=""):
    deck = game.rules.deck
    return _native.PokerEpisode(
        game, [parse_cards(h, deck) for h in hands], parse_cards(board, deck)
    )


def test_no_limit_to_the_showdown():
    game = load_game("nlhe", stacks=[10_000, 5_000], rake={"fraction": 0.05, "cap": 300})
    episode = deal(game, ["KsKd", "JhJs"], "2c7dKh9s3h")
    for action in [300, 0, 0, 400, 6000, 0]:
        episode.act(action)
    assert format_episode(episode) == (
        """nlhe, 2 players
  BB: 10000 chips, KsKd
  BTN: 5000 chips, JhJs
  BB posts 100, BTN posts 50
Preflop, pot 150
  BTN raises to 300
  BB calls 200
Flop 2c7dKh, pot 600
  BB checks
  BTN bets 400
  BB raises to 6000
  BTN calls 4300, all-in
  BB takes back 1300
Turn 2c7dKh9s, pot 10000
River 2c7dKh9s3h, pot 10000
Showdown, pot 10000
  BB shows KsKd: trips, kings
  BTN shows JhJs: pair of jacks
Result
  BB: wins 9700, +4700, now 14700
  BTN: -5000, now 0
  rake: 300
"""
    )


def test_unknown_cards_and_unfinished_episodes():
    game = load_game("nlhe", players=3)
    episode = deal(game, ["", "AsAh", ""])
    assert "  SB: 10000 chips, unknown cards\n" in format_episode(episode)
    assert format_episode(episode).endswith("BTN is to act\n")
    for action in [-1, 300, 0]:
        episode.act(action)
    assert format_episode(episode).endswith("Flop, pot 600\nBoard cards are due\n")
    episode.deal_board(parse_cards("2c7dKh9s3h", game.rules.deck))
    for _ in range(6):
        episode.call()
    assert format_episode(episode).endswith("Result unknown, as not all cards are known\n")


def test_kuhn():
    game = load_game("kuhn")
    episode = deal(game, ["J", "K"])
    for action in [0, 1, -1]:
        episode.act(action)
    assert format_episode(episode).splitlines()[3:] == [
        "  seat 0 posts 1, seat 1 posts 1",
        "Street 1, pot 2",
        "  seat 0 checks",
        "  seat 1 bets 1, all-in",
        "  seat 0 folds",
        "  seat 1 takes back 1",
        "Result",
        "  seat 0: -1, now 1",
        "  seat 1: wins 2, +1, now 3",
    ]


def test_liars_dice():
    game = load_game("liars-dice-2x3f")
    episode = _native.LiarsDiceEpisode(game, [[2, 2], [3, 1]])
    episode.choose(4)
    assert format_episode(episode).endswith("  seat 0 bids 2 x 2\nseat 1 is to act\n")
    episode.choose(12)
    assert format_episode(episode) == (
        """liars-dice-2x3f, 2 players, 3 is wild
  seat 0: 2 2
  seat 1: 3 1
  seat 0 bids 2 x 2
  seat 1 calls it a lie
Result: 3 x 2
  seat 0: +1
  seat 1: -1
"""
    )


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (2, "BB BTN"),
        (3, "SB BB BTN"),
        (4, "SB BB UTG BTN"),
        (6, "SB BB UTG HJ CO BTN"),
        (9, "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN"),
    ],
)
def test_positions(players, names):
    assert position_names(load_game("nlhe", players=players).rules) == names.split()


def test_names_of_seats_and_streets():
    assert position_names(load_game("short-deck").rules) == ["seat 0", "seat 1"]
    endgame = load_game("turn-endgame").rules
    assert [street_name(endgame, street) for street in (0, 1)] == ["turn", "river"]
    assert street_name(load_game("leduc").rules, 1) == "street 2"


NAMES = ["kuhn", "leduc3", "limit-holdem", "nlhe", "turn-endgame", "plo5", "short-deck"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 2**32), st.data())
def test_every_state_is_told(name, seed, data):
    episode = _native.PokerEpisode(load_game(name), seed=seed)
    while not episode.is_terminal:
        format_episode(episode)
        slots = [slot for slot, legal in enumerate(episode.legal) if legal]
        episode.choose(data.draw(st.sampled_from(slots)))
    text = format_episode(episode)
    assert all(f"{payoff:+d}, now" in text for payoff in episode.payoffs)

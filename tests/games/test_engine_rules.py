# SPDX-License-Identifier: MIT
"""The rules of poker by example: what a reader would look up, with the chips counted out.

Seats are numbered in the order of play after the flop: seat 0 is the small blind, seat 1 the big
blind, the last seat the button. Heads-up, seat 0 is the big blind and seat 1 the button.
"""

import pytest

from regretless import _native
from regretless.games import load_game
from regretless.notation.cards import parse_cards

DRY_BOARD = "2c7d9hJs3d"
ROYAL_BOARD = "TsJsQsKsAs"  # everybody plays it


def deal(game, holes="", board=""):
    """An episode with hole cards by seat ("AhKh QcQd") and a board."""
    deck = game.rules.deck
    hole_cards = [list(parse_cards(hole, deck)) for hole in holes.split()]
    return _native.PokerEpisode(game, hole_cards, list(parse_cards(board, deck)))


def play(episode, *actions):
    """Folds ("f"), checks or calls ("c"), or raises to a number."""
    for action in actions:
        episode.act({"f": -1, "c": 0}.get(action, action))
    return episode


def nlhe(players, **options):
    return load_game("nlhe", players=players, **options)


# Blinds, order of play


def test_heads_up_the_button_posts_the_small_blind_and_speaks_first_before_the_flop_only():
    episode = deal(nlhe(2), "AhKh QcQd", DRY_BOARD)
    assert episode.bets == [100, 50]
    assert episode.actor == 1
    play(episode, "c")
    assert episode.actor == 0  # the big blind may still raise
    assert episode.raise_range == (200, 10_000)
    play(episode, "c")
    assert (episode.street, episode.actor) == (1, 0)


def test_the_seat_after_the_big_blind_speaks_first_and_the_small_blind_after_the_flop():
    episode = deal(nlhe(6), board=DRY_BOARD)
    assert episode.bets == [50, 100, 0, 0, 0, 0]
    assert episode.actor == 2
    play(episode, "c", "c", "c", "c", "c", "c")
    assert (episode.street, episode.actor) == (1, 0)


def test_a_short_big_blind_is_all_in_and_the_largest_bet_posted_is_called():
    # The big blind has 30 of 100: the button calls the small blind's 50; a raise is a full blind.
    episode = deal(nlhe(3, stacks=[1_000, 30, 1_000]), "AhAd KhKd QhQd", DRY_BOARD)
    assert episode.bets == [50, 30, 0]
    assert (episode.actor, episode.to_call) == (2, 50)
    assert episode.raise_range == (150, 1_000)
    play(episode, "f")
    assert (episode.to_call, episode.raise_range) == (0, None)  # nobody is left to bet against
    play(episode, "c")  # and 20 of the small blind were not called
    assert episode.paid == [30, 30, 0]
    assert episode.payoffs == [30, -30, 0]


def test_a_straddle_speaks_last_and_is_raised_by_at_least_a_straddle():
    episode = deal(nlhe(4, straddle=200), board=DRY_BOARD)
    assert episode.bets == [50, 100, 200, 0]
    assert (episode.actor, episode.to_call) == (3, 200)
    assert episode.raise_range == (400, 10_000)
    play(episode, "c", "c", "c")
    assert (episode.street, episode.actor) == (0, 2)  # the straddler's option
    play(episode, "c")
    assert episode.street == 1
    assert episode.raise_range == (100, 9_800)  # from the flop on the least bet is a big blind


# Antes


def test_an_ante_that_nobody_can_match_is_trimmed():
    # Seats 0 and 1 are all-in with 4 and 6 of an ante of 10: seat 2 plays for 6; no one decides.
    game = nlhe(3, small_blind=1, big_blind=2, antes=10, stacks=[4, 6, 100])
    episode = deal(game, "AhAd KhKd QhQd", DRY_BOARD)
    assert episode.is_terminal
    assert episode.paid == [4, 6, 6]
    assert episode.payoffs == [12 - 4, 4 - 6, -6]  # aces take 3 x 4, kings the 2 x 2 left


def test_a_big_blind_ante_is_dead_money_in_the_main_pot():
    # The button is all-in for one blind and still wins the ante of 100 that only seat 1 paid.
    game = nlhe(3, antes=[0, 100], stacks=[1_000, 1_000, 100])
    episode = deal(game, "2h3h KhKd AhAd", DRY_BOARD)
    assert episode.pot == 50 + 100 + 100
    play(episode, "c", "f", "c")
    assert episode.payoffs == [-50, -200, 250]


# Raises


def test_a_raise_is_at_least_as_large_as_the_last_one():
    episode = deal(nlhe(3), board=DRY_BOARD)
    assert episode.raise_range == (200, 10_000)
    play(episode, 350)  # a raise of 250
    assert episode.raise_range == (600, 10_000)
    play(episode, 600, "c", "c")
    assert (episode.street, episode.raise_range) == (1, (100, 9_400))


def test_a_short_all_in_raise_does_not_reopen_the_betting():
    game = nlhe(3, stacks=[1_000, 250, 1_000])
    episode = play(deal(game, board=DRY_BOARD), "c", "c", "c")
    play(episode, 100, 150)  # the big blind is all-in with a raise of 50
    assert episode.raise_range == (250, 900)  # the button has not spoken yet
    play(episode, "c")
    assert (episode.actor, episode.to_call) == (0, 50)
    assert episode.raise_range is None
    with pytest.raises(ValueError, match="no raise is allowed here"):
        episode.raise_to(250)


@pytest.mark.parametrize(("second", "reopens"), [(199, False), (200, True), (210, True)])
def test_short_all_ins_that_add_up_to_a_full_raise_reopen_it(second, reopens):
    game = nlhe(4, stacks=[1_000, 250, 100 + second, 1_000])
    episode = play(deal(game, board=DRY_BOARD), "c", "c", "c", "c")
    play(episode, 100, 150, second, "c")
    assert (episode.actor, episode.to_call) == (0, second - 100)
    assert episode.raise_range == ((second + 100, 900) if reopens else None)


def test_a_first_all_in_below_the_least_bet_does_not_let_those_who_checked_raise():
    game = nlhe(3, stacks=[1_000, 140, 1_000])
    episode = play(deal(game, board=DRY_BOARD), "c", "c", "c")
    play(episode, "c", 40)  # all-in for 40 where the least bet is 100
    assert episode.raise_range == (140, 900)  # the button has not spoken
    play(episode, "c")
    assert (episode.actor, episode.raise_range) == (0, None)


def test_nobody_raises_against_players_who_are_all_in():
    episode = play(deal(nlhe(2, stacks=[500, 10_000]), board=DRY_BOARD), "c", 500)
    assert (episode.actor, episode.to_call, episode.raise_range) == (1, 400, None)


def test_pot_limit_raises_by_at_most_the_pot_after_the_call():
    episode = deal(load_game("plo4", players=3), board=DRY_BOARD)
    assert episode.raise_range == (200, 350)  # call 100, then the pot is 250
    play(episode, 350)
    assert episode.raise_range == (600, 1_150)  # call 300, then the pot is 800


def test_fixed_limit_stops_at_the_cap():
    episode = deal(load_game("limit-holdem"), board=DRY_BOARD)
    for to in (200, 300, 400):  # the big blind was the first bet
        assert episode.raise_range == (to, to)
        play(episode, to)
    assert episode.raise_range is None
    play(episode, "c")
    play(episode, 100, 200, 300, 400)
    assert episode.raise_range is None
    play(episode, "c")
    assert episode.raise_range == (200, 200)  # the big bet, from the turn on


# Pots


def test_three_pots_are_won_by_three_players():
    game = nlhe(4, small_blind=5, big_blind=10, stacks=[30, 60, 100, 100])
    episode = deal(game, "AhAd KhKd QhQd JhJd", "2c7d9h3s4d")
    play(episode, 100, "c", "c", "c")
    # Aces win 4 x 30, kings 3 x 30, queens 2 x 40.
    assert episode.payoffs == [120 - 30, 90 - 60, 80 - 100, -100]


def test_the_odd_chip_goes_to_the_first_winner_after_the_button():
    game = nlhe(3, small_blind=1, big_blind=2, stacks=100)
    episode = deal(game, "2h3h 4h5h 6h7h", ROYAL_BOARD)
    play(episode, "c", "f", "c", *"cccccc")  # a pot of 5 for seats 1 and 2
    assert episode.payoffs == [-1, 3 - 2, 2 - 2]


def test_odd_chips_are_counted_pot_by_pot():
    # 3 x 3 is split 3 ways, then 2 x 2 by two: no chip is odd. With a folded chip in the main
    # pot, 10 leaves one to seat 0.
    game = nlhe(4, small_blind=1, big_blind=2, antes=1, stacks=[3, 5, 5, 5])
    episode = deal(game, "2h3h 4h5h 6h7h 8h8d", ROYAL_BOARD)
    play(episode, 4, "f", "c", "c")  # the button folds its ante
    assert episode.payoffs == [4 - 3, 3 + 2 - 5, 3 + 2 - 5, -1]


def test_a_bet_that_is_not_called_comes_back():
    episode = play(deal(nlhe(2), board=DRY_BOARD), 500, "f")
    assert episode.paid == [100, 100]
    assert episode.payoffs == [-100, 100]
    episode = play(deal(nlhe(2), board=DRY_BOARD), 300, 900, "f")
    assert episode.paid == [300, 300]
    assert episode.payoffs == [300, -300]


def test_a_call_for_less_returns_the_rest():
    game = nlhe(2, stacks=[300, 1_000])
    episode = play(deal(game, "AhAd KhKd", DRY_BOARD), 1_000, "c")
    assert episode.paid == [300, 300]
    assert episode.payoffs == [300, -300]


def test_rake_is_rounded_down_and_capped():
    rake = {"fraction": 0.05, "cap": 30}
    assert pot_of(nlhe(2, rake=rake), bet=100) == [200 - 20, -200]  # 5 % of 400
    assert pot_of(nlhe(2, rake=rake), bet=113) == [213 - 21, -213]  # 5 % of 426 is 21.3
    assert pot_of(nlhe(2, rake=rake), bet=900) == [1_000 - 30, -1_000]


def pot_of(game, bet):
    episode = play(deal(game, "AhAd KhKd", DRY_BOARD), "c", "c", bet, "c", *"cccc")
    return episode.payoffs


def test_no_flop_no_drop():
    raked = nlhe(2, rake={"fraction": 0.05, "no_flop_no_drop": False})
    spared = nlhe(2, rake={"fraction": 0.05})
    assert play(deal(raked, board=DRY_BOARD), 500, "f").payoffs == [-100, 90]
    assert play(deal(spared, board=DRY_BOARD), 500, "f").payoffs == [-100, 100]


# Small games


@pytest.mark.parametrize(
    ("holes", "actions", "payoffs"),
    [
        ("K J", ["c", "c"], [1, -1]),
        ("J K", ["c", "c"], [-1, 1]),
        ("K J", [1, "c"], [2, -2]),
        ("J K", [1, "f"], [1, -1]),
        ("K J", ["c", 1, "f"], [-1, 1]),
        ("Q K", ["c", 1, "c"], [-2, 2]),
    ],
)
def test_kuhn_payoffs(holes, actions, payoffs):
    assert play(deal(load_game("kuhn"), holes), *actions).payoffs == payoffs


@pytest.mark.parametrize(
    ("holes", "board", "actions", "payoffs"),
    [
        ("Kc Qc", "Jc", ["c", "c", "c", "c"], [1, -1]),
        ("Kc Qc", "Qd", ["c", "c", "c", "c"], [-1, 1]),  # a pair wins
        ("Kc Kd", "Jc", ["c", "c", 4, "c"], [0, 0]),
        ("Kc Qc", "Jc", [2, "f"], [1, -1]),
        ("Kc Qc", "Jc", [2, 4, "c", 4, 8, "c"], [13, -13]),
        ("Kc Qc", "Jc", ["c", 2, "c", "c", 4, "f"], [-3, 3]),
    ],
)
def test_leduc_payoffs(holes, board, actions, payoffs):
    assert play(deal(load_game("leduc"), holes, board), *actions).payoffs == payoffs


# Mistakes


def snapshot(episode):
    """All that the episode shows; what it refuses to show is part of it."""

    def read(name):
        try:
            return getattr(episode, name)
        except ValueError as error:
            return str(error)

    names = [name for name in dir(type(episode)) if not name.startswith("_") and name != "game"]
    shown = {name: value for name in names if not callable(value := read(name))}
    return shown | {"holes": [episode.hole(seat) for seat in range(episode.game.num_players)]}


MISTAKES = {
    "fold without a bet": lambda e: e.fold(),
    "no such action": lambda e: e.act(-2),
    "below the least raise": lambda e: e.raise_to(99),
    "beyond the stack": lambda e: e.raise_to(9_901),
    "raise to nothing": lambda e: e.raise_to(0),
    "negative raise": lambda e: e.raise_to(-100),
    "slot off the menu": lambda e: e.choose(9),
    "negative slot": lambda e: e.choose(-1),
    "fold slot without a bet": lambda e: e.choose(0),
    "too many board cards": lambda e: e.deal_board([20, 21, 22]),
    "a card that is out": lambda e: e.deal_board([0]),
    "a card of nobody": lambda e: e.deal_board([52]),
    "the mark of no card": lambda e: e.deal_board([255]),
    "negative card": lambda e: e.deal_board([-1]),
    "twice the same card": lambda e: e.deal_board([30, 30]),
    "hole cards again": lambda e: e.deal_hole(0, [30, 31]),
    "no such seat": lambda e: e.deal_hole(2, [30, 31]),
    "one hole card": lambda e: e.deal_hole(1, [30]),
    "hole card on the board": lambda e: e.deal_hole(1, [0, 31]),
    "translate what is illegal": lambda e: e.translate(99),
    "payoffs before the end": lambda e: e.payoffs,
    "strength without a board": lambda e: e.strength(0),
    "text of an illegal slot": lambda e: e.slot_text(0),
    "hole cards of nobody": lambda e: e.hole(2),
    "hand of unknown cards": lambda e: e.hand(1),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_raises_and_changes_nothing(name):
    episode = play(deal(nlhe(2), "AhKh", "2c7d9h"), "c", "c")
    before = snapshot(episode)
    assert {"stacks", "bets", "legal", "offer", "events", "infoset"} <= set(before)
    with pytest.raises(ValueError):
        MISTAKES[name](episode)
    assert snapshot(episode) == before


def test_nothing_can_be_done_after_the_end():
    episode = play(deal(nlhe(2), "AhKh QcQd"), "f")
    before = snapshot(episode)
    for attempt in (episode.call, episode.fold, lambda: episode.choose(1)):
        with pytest.raises(ValueError, match="over"):
            attempt()
    assert snapshot(episode) == before
    assert not any(episode.legal)


def test_nobody_acts_while_board_cards_are_due():
    episode = play(deal(nlhe(2), "AhKh QcQd"), "c", "c")
    assert episode.actor == _native.CHANCE
    with pytest.raises(ValueError, match="board cards are due"):
        episode.call()
    episode.deal_board(list(parse_cards("2c7d", episode.game.rules.deck)))
    assert episode.actor == _native.CHANCE  # two of three
    episode.deal_board(list(parse_cards("9h", episode.game.rules.deck)))
    assert episode.actor == 0


def test_a_showdown_needs_the_cards_of_those_in_it():
    episode = play(deal(nlhe(2), "AhKh", DRY_BOARD), *"cccccccc")
    with pytest.raises(ValueError, match="seat 1 are unknown"):
        _ = episode.payoffs
    episode.deal_hole(1, list(parse_cards("QcQd", episode.game.rules.deck)))
    assert episode.payoffs == [-100, 100]

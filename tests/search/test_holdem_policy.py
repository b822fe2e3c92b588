# SPDX-License-Identifier: MIT
"""The player of heads-up hold'em who solves every decision: beliefs, histories and real bets."""

import signal
import threading
import time

import numpy as np
import pytest

from regretless import _native, load_game
from regretless.errors import InputError
from regretless.games.episodes import played
from regretless.matches.off_menu import OffMenuPlayer
from regretless.notation.cards import parse_cards
from regretless.policies.policy import UniformPolicy
from regretless.search.blueprint import Blueprint
from regretless.search.holdem_policy import History, HoldemResolvingPolicy, HoldemSearchConfig
from regretless.search.holdem_search import possible_hands
from regretless.seats.contestants import find_table
from regretless.seats.searchers import names_search, search_strategy
from regretless.tables.table import Table, play_on

BOARD = parse_cards("Ks9d4h7c2s")
TO_TURN = (5, 0, 0, 0)  # a raise before the flop that is called, checks on the flop


def make_policy(**options: object) -> HoldemResolvingPolicy:
    config = HoldemSearchConfig(**{"street": "turn", "turn": 10, "river": 40, **options})
    return HoldemResolvingPolicy(load_game("hunl-100bb"), UniformPolicy(), None, config)


def history(player: int, *actions: int, cards: int) -> History:
    return History(player, (*TO_TURN, *actions), tuple(BOARD[:cards]))


def test_a_hand_is_searched_once_and_from_the_history_alone() -> None:
    policy, other = make_policy(threads=1), make_policy(threads=3)
    deep = history(0, 5, 0, 0, 12, cards=5)  # a bet on the turn is called, a check, a bet
    (found,) = policy.choices([deep])
    assert policy.num_searches == 3  # the turn, the river, the answer to the bet
    policy.choices([deep, history(0, cards=4)])
    assert policy.num_searches == 3
    first = other.choices([history(0, cards=4)])
    again, later = other.choices([deep, history(1, 5, cards=4)])
    assert len(first) == 1 and len(later.amounts) >= 3
    assert again.amounts == found.amounts
    assert np.array_equal(again.strategy, found.strategy)
    sums = found.strategy.sum(axis=0)
    possible = possible_hands(1326, BOARD)
    assert np.allclose(sums[possible], 1, atol=1e-5) and not sums[~possible].any()


def test_an_interrupt_ends_searches_that_run_and_those_that_wait() -> None:
    policy = make_policy(threads=2, turn=1_000_000)
    questions = [history(0, cards=4), history(1, 5, cards=4), history(0, 5, 15, cards=4)]
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    begun = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        policy.choices(questions)
    assert time.process_time() - begun < 20  # a million iterations take hours


def test_beliefs_after_a_card_have_its_blockers() -> None:
    policy = make_policy()
    turn = history(0, cards=4)
    solution = policy._solve([policy._line(turn)])[turn]
    for card in (c for c in range(52) if c not in BOARD[:4]):
        belief = solution.next_belief((0, 0), card, ())
        possible = possible_hands(1326, (*BOARD[:4], card))
        assert not belief.opponent_values[~possible].any()
        assert np.count_nonzero(belief.opponent_values[possible]) > 1000
        assert np.count_nonzero(belief.range[possible]) == possible.sum()
        for each in (belief.range, belief.opponent_range):
            assert each.sum() == pytest.approx(1) and not each[~possible].any()


def test_an_action_that_is_never_made_leaves_the_belief() -> None:
    policy = make_policy()
    turn = history(0, cards=4)
    solution = policy._solve([policy._line(turn)])[turn]
    strange = solution.next_belief((-1,), None, ())
    assert strange.range.sum() == pytest.approx(1)
    assert np.isfinite(strange.opponent_values).all()
    # An odd bet of the opponent is not in the tree: his values are those before it.
    values = [solution.next_belief((0, bet), None, ()).opponent_values for bet in (7, 13)]
    assert np.array_equal(*values)


def test_a_bet_off_the_menu_is_solved_as_it_was_made() -> None:
    real = load_game("hunl-100bb")
    player = OffMenuPlayer(make_policy(), real, 0)
    hole = [list(parse_cards("KhKd")), []]
    for bet in (7, 11, 150):
        episode = _native.PokerEpisode(real, hole[::-1], list(BOARD[:4]))
        played(episode, (*TO_TURN, bet))
        assert episode.actor == 1
        action = player.act(episode, 0)
        assert action >= 0  # three kings are not folded
        assert action == 0 or action > bet


def test_long_raising_stays_small() -> None:
    policy = make_policy()
    raised = history(0, 2, 4, 6, 8, 10, 12, 14, 16, cards=4)
    (found,) = policy.choices([raised])
    assert found.amounts[:2] == (-1, 0) and found.amounts[2] > 16


def test_a_person_at_a_table_bets_any_amount() -> None:
    game = load_game("hunl-100bb")
    table = Table(game, [None, make_policy(turn=2, river=2)], seed=3)
    play_on([table])
    for amount in (7, 0, 9, 0, 13, 0):
        if table.is_over:
            break
        least_most = table.bet_range
        if amount and least_most is not None and least_most[0] <= amount <= least_most[1]:
            table.bet(amount)
        else:
            table.check_or_call()
        play_on([table])
    assert table.is_over or table.actor == 0


def test_blueprint_ranges_follow_bayes_rule() -> None:
    game = load_game("hunl-100bb")

    class OnlyAces:
        name, needs = "aces", UniformPolicy.needs

        def __call__(self, questions: _native.Questions) -> np.ndarray:
            is_pair = np.isin(questions.hands, pairs)
            rows = np.zeros(questions.legal.shape)
            rows[is_pair, 2], rows[~is_pair, 1] = 1, 1
            return rows

    aces = range(48, 52)
    pairs = [b * (b - 1) // 2 + a for b in aces for a in aces if a < b]
    raised = game.episode_of().offer[2]
    assert raised is not None
    blueprint = Blueprint(OnlyAces(), game, game)
    bb, button = blueprint.ranges((raised, 0), BOARD[:3])
    assert np.flatnonzero(button).tolist() == sorted(pairs)
    assert not np.isin(pairs, np.flatnonzero(bb)).any()
    choices = blueprint.choices((), ())
    assert choices.strategy.sum(axis=0) == pytest.approx(np.ones(1326))


def test_names_of_searching_players() -> None:
    assert names_search("search") and names_search("search:hunl-deep-cfr,turn=5")
    assert not names_search("searching")
    found, real = find_table(["search,river=7,street=river", "tight-aggressive"])
    assert real.name == "hunl-100bb"
    policy = found[0].policy
    assert isinstance(policy, HoldemResolvingPolicy) and policy.config.river == 7
    with pytest.raises(InputError, match="unknown option 'rivr'"):
        search_strategy("search,rivr=7")
    with pytest.raises(InputError, match="heads-up"):
        search_strategy("search", load_game("leduc"))
    with pytest.raises(InputError, match="option=value"):
        search_strategy("search,river")

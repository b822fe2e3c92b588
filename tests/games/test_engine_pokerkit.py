# SPDX-License-Identifier: MIT
"""The poker engine against pokerkit; see `pokerkit_oracle` for what is compared."""

import os
import random

import pytest

from pokerkit_oracle import Lockstep, play_all, play_hands, print_totals
from random_tables import TABLES
from regretless.games import load_game


@pytest.mark.parametrize("name", TABLES)
def test_hands_agree_with_pokerkit(name):
    hands = round(2_000 * TABLES[name].share)
    assert play_hands(name, seed=1, first=0, last=hands).hands == hands


def play_script(stacks, actions):
    """No-limit hold'em with blinds 50 and 100, compared at every step of the script."""
    game = load_game("nlhe", players=len(stacks), stacks=stacks)
    lockstep = Lockstep(game, random.Random(0))
    for action in actions:
        lockstep.compare_chips()
        lockstep.compare_actions()
        lockstep.act(action)
    lockstep.compare_actions()
    return lockstep


def test_pokerkit_reopens_after_an_all_in_below_the_least_bet():
    calls = [0] * 3
    lockstep = play_script([1_000, 140, 1_000], [*calls, 0, 40, 0])
    assert lockstep.counts.met == {"reopening counted from 0": 1}
    assert lockstep.theirs.min_completion_betting_or_raising_to_amount == 140
    assert lockstep.ours.raise_range is None


def test_pokerkit_forgets_short_all_ins_that_added_up():
    calls = [0] * 5
    lockstep = play_script([1_000, 250, 310, 330, 1_000], [*calls, 100, 150, 210, 230, 0])
    assert lockstep.counts.met == {"reopening counter reset": 1}
    assert lockstep.theirs.min_completion_betting_or_raising_to_amount is None
    assert lockstep.ours.to_call == 130  # a full raise and more
    assert lockstep.ours.raise_range == (330, 900)


@pytest.mark.slow
def test_a_hundred_thousand_hands_agree_with_pokerkit(capsys):
    totals = play_all(100_000, seed=0, processes=os.cpu_count() or 1)
    with capsys.disabled():
        print()
        print_totals(totals)
    assert sum(counts.hands for counts in totals.values()) == 100_000
    met = {what for counts in totals.values() for what in counts.met}
    assert {"side pots", "won without showdown", "not reopened, both agree"} <= met

# SPDX-License-Identifier: MIT
"""The poker engine against pokerkit; see `pokerkit_oracle` for what is compared."""

import os

import pytest

from pokerkit_oracle import TABLES, play_all, play_hands, print_totals


@pytest.mark.parametrize("name", TABLES)
def test_hands_agree_with_pokerkit(name):
    hands = round(2_000 * TABLES[name].share)
    assert play_hands(name, seed=1, first=0, last=hands).hands == hands


@pytest.mark.slow
def test_a_hundred_thousand_hands_agree_with_pokerkit(capsys):
    totals = play_all(100_000, seed=0, processes=os.cpu_count() or 1)
    with capsys.disabled():
        print()
        print_totals(totals)
    assert sum(counts.hands for counts in totals.values()) == 100_000
    met = {what for counts in totals.values() for what in counts.met}
    assert {"side pots", "won without showdown", "not reopened, both agree"} <= met

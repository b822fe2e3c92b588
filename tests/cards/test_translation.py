# SPDX-License-Identifier: MIT
"""Bets off the menu at a table: real chips are played, and policies see a bet of their menu."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.games.translation import action_text, pot_share, raise_slots
from regretless.histories.choices import read_bet, read_choice
from regretless.policies.policy import Needs, UniformPolicy
from regretless.tables.seat_json import seat_json
from regretless.tables.table import Table, play_on


class Watcher:
    """A policy that plays by a script of slots and notes what it is asked."""

    name = "watcher"
    needs = Needs(chips=True, history=True)

    def __init__(self, *slots: int) -> None:
        self.slots = list(slots)
        self.pots: list[int] = []
        self.histories: list[list[int]] = []

    def __call__(self, questions: _native.Questions) -> np.ndarray:
        self.pots.append(int(questions.pots[0]))
        self.histories.append(questions.step_slots.tolist())
        slot = self.slots.pop(0) if self.slots else 1
        return np.eye(questions.legal.shape[1], dtype=np.float32)[[slot]]


def heads_up(watcher: Watcher, menu: str = "50%,100%,a", seed: int = 1) -> Table:
    """A person on the button, who opens, against the watcher."""
    return Table(load_game("nlhe", menu=menu), [watcher, None], seed)


def test_real_chips_are_played_and_a_bet_of_the_menu_is_seen() -> None:
    watcher = Watcher(1, 1)
    table = heads_up(watcher)
    assert raise_slots(table.episode) == {200: 2, 300: 3, 10000: 4}
    table.bet(290)
    entry = table.log[-1]
    assert entry.text == "raise to 290" and entry.seen in ("raise to 200", "raise to 300")
    seen_to = int(entry.seen.split()[-1])
    play_on([table])  # calls, then checks the flop
    assert table.episode.pot == 580 and table.episode.street == 1 and table.actor == 1
    assert watcher.pots[0] == 100 + seen_to and watcher.pots[1] == 2 * seen_to
    assert watcher.histories[0] == [3 if seen_to == 300 else 2]
    assert table.seen is not None and table.seen.pot == 2 * seen_to
    assert table.seen.board == table.episode.board
    for _ in range(3):
        table.choose(1)
        play_on([table])
    assert table.is_over and abs(table.episode.payoffs[0]) in (0, 290)
    assert sum(table.episode.payoffs) == 0


def test_the_size_is_drawn_as_pseudo_harmonic_says() -> None:
    """Between bets of 1/2 and 1 of the pot, one of 3/4 is the smaller one 3 times in 7."""
    seen = []
    for seed in range(400):
        table = heads_up(Watcher(), "50%,100%,a", seed)
        table.bet(250)  # of the pot after a call: 200 is 1/2, 300 is 1
        seen.append(table.log[-1].seen)
        again = heads_up(Watcher(), "50%,100%,a", seed)
        again.bet(250)
        assert again.log == table.log
    assert set(seen) == {"raise to 200", "raise to 300"}
    expected = (1 - 0.75) * (1 + 0.5) / ((1 - 0.5) * (1 + 0.75))
    assert seen.count("raise to 200") / 400 == pytest.approx(expected, abs=0.08)


def _opened(watcher: Watcher, seed: int) -> Table:
    table = heads_up(watcher, seed=seed)
    table.bet(380)
    return table


def _sees(table: Table, amount: int) -> bool:
    return table.log[-1].seen == f"raise to {amount}"


def test_a_policy_bets_the_same_share_of_the_real_pot() -> None:
    watcher = Watcher(1, 3)
    table = next(each for each in (_opened(watcher, seed) for seed in range(9)) if _sees(each, 300))
    play_on([table])
    assert table.episode.street == 1 and watcher.pots == [400, 600]
    assert table.episode.bets[0] == 760  # the pot; the policy meant 600
    big = Watcher(4)
    table = heads_up(big)
    table.bet(217)
    play_on([table])
    assert table.episode.stacks[0] == 0 and table.episode.bets[0] == 10000


def test_what_is_below_the_menu_is_seen_as_its_least_and_not_as_a_call() -> None:
    watcher = Watcher(1)
    table = heads_up(watcher, "100%,a")
    table.bet(200)
    assert table.log[-1].seen == "raise to 300"
    play_on([table])
    assert watcher.histories[0] == [2]


def test_other_programs_are_told_as_well() -> None:
    table = heads_up(Watcher())
    assert seat_json(table, 1)["bet_range"] == (200, 10000)
    assert seat_json(table, 0)["bet_range"] is None
    table.bet(290)
    told = seat_json(table, 0)["log"][-1]
    assert told == {"seat": 1, "text": "raise to 290", "seen": table.log[-1].seen}


def test_what_is_on_the_menu_is_itself() -> None:
    table = heads_up(Watcher())
    table.bet(300)
    assert table.log[-1].text == "raise to 300" and table.log[-1].seen is None
    assert table.episode.steps == [(1, 3)]


def test_once_the_seen_hand_is_over_policies_check_and_call() -> None:
    table = heads_up(Watcher(1), "a")  # every raise is all-in to it
    table.bet(5000)
    assert table.log[-1].seen == "all-in 10000"
    play_on([table])
    assert table.seen is None and table.episode.street == 1 and table.actor == 1
    table.bet(3000)
    play_on([table])
    assert table.episode.street == 2 and table.episode.pot == 16000


def test_what_cannot_be_bet_is_one_line() -> None:
    table = heads_up(Watcher())
    for amount, words in ((1, "from 200 to 10000"), (10001, "from 200 to 10000")):
        with pytest.raises(InputError, match=words):
            table.bet(amount)
    capped = Table(load_game("nlhe", menu={"all": "100%", "max_raises": 1}), [None, None], 1)
    capped.bet(250)
    assert capped.bet_range is None
    with pytest.raises(InputError, match="nothing to bet"):
        capped.bet(1000)
    dice = Table(load_game("liars-dice-1x4f"), [None, None], 1)
    with pytest.raises(InputError, match="nothing to bet"):
        dice.bet(2)


def test_bets_as_they_are_typed() -> None:
    episode = load_game("nlhe").episode(1)
    amounts = {"r250": 250, "b75": 75, "raise to 333": 333, "pot": 300, "75%": 250, "r75%": 250}
    for text, amount in (amounts | {"min": 200, "r 250": 250, "allin": 10000}).items():
        assert read_bet(text, episode) == amount, text
    for text in ("60%", "c", "3", "x", "call 50", "raise to 220", "a", "", "b", "%", "r-3"):
        assert read_bet(text, episode) is None, text
    named = load_game("nlhe", menu="deep-cfr-7").episode(1)
    assert read_bet("raise 1", named) is None  # the name of a slot
    assert read_choice("raise 1", named) == 2
    assert read_bet("r5", load_game("liars-dice-1x4f").episode(1)) is None


def test_actions_in_words() -> None:
    episode = load_game("nlhe").episode(1)
    for slot, action in enumerate(episode.offer):
        if action is not None:
            assert action_text(episode, action) == episode.slot_text(slot)
    episode.call()
    assert action_text(episode, 0) == "check"
    assert pot_share(episode, 300) == 1


GAMES = {
    "two": load_game("nlhe", menu="33%,100%,a", stacks=2000),
    "all-in": load_game("nlhe", menu="a", stacks=1500),
    "no all-in": load_game("nlhe", menu="60%", stacks=3000),
    "three": load_game("nlhe", players=3, menu="50%,a", stacks=[500, 2000, 900]),
    "pot limit": load_game("plo4"),
    "spot": make_spot("Td9d6h", 101, 700, "random", "random", {"all": "50%,a"}).game,
}


@settings(max_examples=120, deadline=None)
@given(
    name=st.sampled_from(sorted(GAMES)),
    seed=st.integers(0, 10_000),
    share=st.lists(st.floats(0, 1), min_size=1, max_size=8),
)
def test_any_bets_at_any_table(name: str, seed: int, share: list[float]) -> None:
    """Whatever is bet, the hand comes to its end, chips add up, and the same cards are seen."""
    game = GAMES[name]
    policies = [None, *[UniformPolicy()] * (game.num_players - 1)]
    table = Table(game, policies, seed)
    for number in range(200):
        play_on([table])
        if table.is_over:
            break
        if table.seen is not None:
            assert table.seen.actor == table.episode.actor == 0
            assert table.seen.board == table.episode.board
            assert table.seen.hand_parts(0) == table.episode.hand_parts(0)
        if table.bet_range is None or number >= len(share):
            table.choose(1)
        else:
            least, most = table.bet_range
            table.bet(least + int(share[number] ** 4 * (most - least)))
    assert table.is_over and sum(table.episode.payoffs) == 0
    again = game.episode(seed, 0)
    for _, _, action, _ in table.episode.events:
        again.act(action)
    assert again.payoffs == table.episode.payoffs

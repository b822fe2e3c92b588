# SPDX-License-Identifier: MIT
"""The rules of the bots and the counts of styles in NumPy, a sentence a line, to judge the core."""

import numpy as np

from regretless.matches.seatings import by_policy

FOLD, CALL, RAISE = 0, 1, 2
FIRST_RAISE = 2  # slot


def caller(questions):
    """Checks and calls."""
    return np.full(len(questions), CALL)


def raiser(questions):
    """Raises, and calls when it cannot."""
    return np.full(len(questions), RAISE)


def tight_aggressive(questions):
    """Raises strong hands, calls with fair ones and folds the rest."""
    strengths = questions.hand_strengths
    return (strengths >= 0.6) * CALL + (strengths >= 0.8) * 1


def pot_odds(questions):
    """Calls where the strength is worth the price, and bets and raises strong hands."""
    strengths, to_calls = questions.hand_strengths, questions.to_calls
    odds = to_calls / np.maximum(questions.pots + to_calls, 1)
    raises = strengths >= np.where(to_calls > 0, 0.9, 0.7)
    return np.where(raises, RAISE, strengths >= odds)


RULES = {
    "caller": (caller, 1.0),
    "raiser": (raiser, 1.0),
    "tight-aggressive": (tight_aggressive, 0.5),
    "pot-odds": (pot_odds, 0.5),
}


def answers(name, questions, is_poker):
    """The answers of a bot: float32 [batch, actions]."""
    if name == "random":
        return questions.legal.astype(np.float32)
    rule, raise_size = RULES[name]
    legal, moves = questions.legal, rule(questions)
    slots = poker_slots(legal, moves, raise_size) if is_poker else bid_slots(legal, moves)
    rows = np.zeros(legal.shape, np.float32)
    rows[np.arange(len(legal)), slots] = 1
    return rows


def poker_slots(legal, moves, raise_size):
    slots = np.where((moves == FOLD) & legal[:, FOLD], FOLD, CALL)
    raising = np.flatnonzero(moves == RAISE)
    places = np.cumsum(legal[raising, FIRST_RAISE:], axis=1)  # from 1 on
    if places.size:
        counts = places[:, -1]
        chosen = 1 + np.rint(raise_size * np.maximum(counts - 1, 0)).astype(int)
        raises = FIRST_RAISE + (places >= chosen[:, None]).argmax(axis=1)
        slots[raising] = np.where(counts > 0, raises, CALL)
    return np.where((slots == CALL) & ~legal[:, CALL], FOLD, slots)


def bid_slots(legal, moves):
    liar = legal.shape[1] - 1
    lowest = legal.argmax(axis=1)  # the liar itself after the highest bid
    return np.where((moves != RAISE) & legal[:, liar], liar, lowest)


def style_counts(steps, num_streets):
    """The counts behind styles by policy, from whole columns of steps."""
    episodes, players = steps.payoffs.shape
    seats = np.repeat(np.arange(episodes) * players, np.diff(steps.offsets)) + steps.actors
    is_first_street = steps.streets == 0
    raises = steps.slots >= FIRST_RAISE
    calls = (steps.slots == CALL) & steps.legal[:, FOLD]
    folds = steps.slots == FOLD

    def how_often(those):
        return np.bincount(those, minlength=episodes * players).reshape(episodes, players)

    stayed = how_often(seats[folds]) == 0
    saw = how_often(seats[folds & is_first_street]) == 0
    saw = saw & (saw.sum(axis=1, keepdims=True) > 1) if num_streets > 1 else saw | True
    showdowns = stayed & (stayed.sum(axis=1, keepdims=True) > 1)
    found = {
        "vpip": how_often(seats[is_first_street & (raises | calls)]) > 0,
        "pfr": how_often(seats[is_first_street & raises]) > 0,
        "raises": how_often(seats[raises]),
        "calls": how_often(seats[calls]),
        "saw": saw,
        "showdowns": showdowns,
        "won": showdowns & (steps.payoffs > 0),
    }
    return {name: by_policy(table).sum(axis=0) for name, table in found.items()}

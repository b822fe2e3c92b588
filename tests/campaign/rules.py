# SPDX-License-Identifier: MIT
"""Random hands of every variant and table size in lockstep with pokerkit (pokerkit_oracle)."""

import random
from typing import Any

from pokerkit_oracle import Lockstep
from random_tables import Table, random_game
from regretless import InputError
from turn import Turn

SIZES = {"nlhe": 9, "limit-holdem": 9, "plo4": 9, "plo5": 9, "short-deck": 9}
TABLES = [
    Table(name, (players,), 1.0, has_straddle, has_rake)
    for name, most in SIZES.items()
    for players in range(2, most + 1)
    for has_straddle in (False, players > 2 and name == "nlhe")
    for has_rake in (False, name == "nlhe")
]
TABLES = list(dict.fromkeys(TABLES))


class Probed(Lockstep):
    """Also tries actions that both must refuse, and looks that nothing has changed."""

    def choose(self, raises: tuple[int, int] | None) -> int:
        if self.rng.random() < 0.1:
            self.probe(raises)
        return super().choose(raises)

    def probe(self, raises: tuple[int, int] | None) -> None:
        ours = self.ours
        before = (ours.stacks, ours.bets, ours.pot, ours.actor, ours.events)
        low, high = raises or (1, 0)
        odd = [-2, low - 1, high + 1, 10**9, -(10**9)] + [-1] * (not ours.can_fold)
        for action in odd if raises else []:
            if action in (-1, 0) and (action == 0 or ours.can_fold):
                continue
            refused = False
            try:
                ours.copy().act(action)
            except (ValueError, InputError):
                refused = True
            theirs = action > 0 and self.theirs.can_complete_bet_or_raise_to(action)
            self.expect(f"refusal of {action}", refused, not theirs)
            self.counts.met["actions refused by both"] += 1
        after = (ours.stacks, ours.bets, ours.pot, ours.actor, ours.events)
        self.expect("state after refusals", after, before)


def play(table: Table, key: str) -> Any:
    rng = random.Random(key)
    return Probed(random_game(table, rng), rng).play()


def run(turn: Turn) -> None:
    index = 0
    while turn.left() > 0:
        table = TABLES[(turn.number * 7919 + index) % len(TABLES)]
        key = f"{turn.seed} {turn.number} {index}"
        index += 1
        try:
            counts = play(table, key)
        except Exception as error:
            turn.find(f"rules of {table.game}", str(error)[:300], (table, key, str(error)))
            continue
        turn.count("hands")
        turn.count("decisions", counts.decisions)
        turn.count(f"hands: {table.game}, {table.seats[0]} players")
        for what, number in counts.met.items():
            turn.count(f"met: {what}", number)

# SPDX-License-Identifier: MIT
"""A client of ACPC dealers for two-player no-limit hold'em that shares nothing with the package.

Written from the published protocol alone: it follows the betting by itself, plays at random, and
counts its chips by an evaluator of others.
"""

import random
import re
import socket
from dataclasses import dataclass, field

from phevaluator import evaluate_cards

STACK, BLINDS = 20_000, (100, 50)


@dataclass
class Hand:
    """Reads the betting of a match state."""

    spent: list[int] = field(default_factory=lambda: list(BLINDS))
    actor: int = 1
    street: int = 0
    is_over: bool = False
    folded: int | None = None
    raise_by: int = 100  # the least
    spoken: int = 0  # on this street

    def play(self, betting: str) -> "Hand":
        for street in betting.split("/"):
            for action, amount in re.findall(r"([fcr])([0-9]*)", street):
                self._act(action, int(amount or 0))
        return self

    def _act(self, action: str, amount: int) -> None:
        me, other = self.actor, 1 - self.actor
        self.spoken += 1
        if action == "f":
            self.folded, self.is_over = me, True
            return
        if action == "r":
            self.raise_by = max(self.raise_by, amount - self.spent[other])
            self.spent[me] = amount
            self.actor = other
            return
        self.spent[me] = self.spent[other]
        if self.spoken < 2:
            self.actor = other
        elif self.street == 3 or self.spent[me] == STACK:
            self.is_over = True
        else:
            self.street, self.spoken, self.actor, self.raise_by = self.street + 1, 0, 0, 100

    def won(self, position: int, cards: str) -> int:
        if self.folded is not None:
            lost = self.spent[self.folded]
            return -lost if self.folded == position else lost
        hands, _, board = cards.partition("/")
        board = board.replace("/", "")
        ranks = [
            evaluate_cards(*(text[i : i + 2] for i in range(0, 14, 2)))
            for text in (hand + board for hand in hands.split("|"))
        ]
        mine, others = ranks[position], ranks[1 - position]  # the lower is the better
        return 0 if mine == others else self.spent[0] if mine < others else -self.spent[0]


def play(host: str, port: int, seed: int, line_end: str = "\r\n") -> tuple[int, int]:
    """Hands and chips won in a match, over when the dealer closes the connection."""
    dice, hands, chips = random.Random(seed), 0, 0
    with socket.create_connection((host, port), timeout=60) as connection:
        connection.sendall(b"VERSION:2.0.0\r\n")
        for line in connection.makefile("r", newline="\n"):
            line = line.strip()
            kind, position, _, betting, cards = line.split(":")
            assert kind == "MATCHSTATE"
            hand = Hand().play(betting)
            assert all(
                (text != "") == (seat == int(position) or (hand.is_over and hand.folded is None))
                for seat, text in enumerate(cards.partition("/")[0].split("|"))
            )
            if hand.is_over:
                hands, chips = hands + 1, chips + hand.won(int(position), cards)
            elif hand.actor == int(position):
                connection.sendall(f"{line}:{choose(hand, dice)}{line_end}".encode())
    return hands, chips


def choose(hand: Hand, dice: random.Random) -> str:
    """Any legal action, with bets of any size."""
    me, other = hand.spent[hand.actor], hand.spent[1 - hand.actor]
    drawn = dice.random()
    if drawn < 0.15 and me < other:
        return "f"
    if drawn < 0.6 or other == STACK:
        return "c"
    least = min(other + hand.raise_by, STACK)
    most = STACK if drawn > 0.97 else min(least + 3 * other, STACK)
    return f"r{dice.randint(least, most)}"

# SPDX-License-Identifier: MIT
"""What players call the seats and the streets: BTN, SB, BB, UTG; preflop, flop, turn, river."""

from regretless import _native

_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


def position_names(rules: _native.PokerRules) -> list[str]:
    """By seat: positions if the first two seats post blinds, else `seat 0` and so on."""
    num_seats, blinds = rules.num_players, rules.blinds
    if num_seats == 2 and blinds[0] > blinds[1] > 0:
        return ["BB", "BTN"]
    if num_seats == 2 or not 0 < blinds[0] <= blinds[1]:
        return [f"seat {seat}" for seat in range(num_seats)]
    num_middle = num_seats - 3
    late = ["LJ", "HJ", "CO"][-min(3, num_middle - 1) :] if num_middle > 1 else []
    early = [f"UTG+{i}" if i else "UTG" for i in range(num_middle - len(late))]
    return ["SB", "BB", *early, *late, "BTN"]


def street_name(rules: _native.PokerRules, street: int) -> str:
    """By the cards on the board; games with one hole card only count their streets."""
    num_board = sum(rules.board_cards[: street + 1])
    if rules.num_hole_cards == 1 or num_board not in _STREETS:
        return f"street {street + 1}"
    return _STREETS[num_board]

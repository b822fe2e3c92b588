# SPDX-License-Identifier: MIT
"""A bot without regretless: `regretless match "cmd:python3 examples/json_bot.py" caller`.

It reads lines of JSON and writes one for each: docs/bots.md has the schema.
"""

import json
import sys

RANKS = "23456789TJQKA"


def amount(cards: str, board: str, pot: int, to_call: int, bet: int) -> int:
    """Raises with a pair of its own or with the board, calls cheap bets, else checks or folds."""
    ranks, shown = cards[::2], board[::2]
    if len(set(ranks)) < len(ranks) or any(rank in shown for rank in ranks):
        return bet + to_call + pot + to_call  # the pot, over a call
    if 3 * to_call <= pot or max(map(RANKS.index, ranks)) == len(RANKS) - 1:
        return 0
    return -1


def main() -> None:
    """One line in, one line out."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "hello" in asked:
            told = {"name": "json-bot"}
        else:
            bets = [
                row[seat] for row, seat in zip(asked["seat_bets"], asked["actors"], strict=True)
            ]
            columns = [asked[name] for name in ("hole_cards", "boards", "pots", "to_calls")]
            amounts = [amount(*each) for each in zip(*columns, bets, strict=True)]
            told = {"ask": asked["ask"], "amounts": amounts}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()

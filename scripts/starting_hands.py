# SPDX-License-Identifier: MIT
"""Writes native/cards/starting_hands.h: all-in equity of two hole cards against a random hand.

Every board is judged once per class under renamings of suits; on a board, a hand beats all weaker
hands but those that hold one of its own cards. Takes about a minute.
"""

from itertools import permutations
from pathlib import Path

import numpy as np

from regretless import _native

DECK = _native.Deck(13, 4, 0)
FIRST, SECOND = np.tril_indices(52, -1)  # hands in colex order: SECOND < FIRST
SUITINGS = np.array(list(permutations(range(4))), np.int64)  # [24, 4]


def num_images(board: np.ndarray) -> int:
    """Returns the number of boards that are isomorphic to this one."""
    images = board // 4 * 4 + SUITINGS[:, board % 4]
    return len(np.unique((np.int64(1) << images).sum(axis=1)))


def add_board(board: np.ndarray, weight: int, won: np.ndarray, met: np.ndarray) -> None:
    strengths = _native.board_strengths(_native.Showdown.HOLDEM, DECK, board.tolist(), 2)
    table = np.zeros((52, 52), np.int64)  # [card, card], 0 where the hand is not possible
    table[FIRST, SECOND] = table[SECOND, FIRST] = strengths
    possible = np.sort(strengths[strengths > 0])
    for side in ("left", "right"):  # weaker hands, then those that are not stronger
        below = np.searchsorted(possible, table, side)
        less = np.less if side == "left" else np.less_equal
        rows = np.where(table > 0, table, np.iinfo(np.int64).max)[:, None, :]
        sharing = less(rows, table[:, :, None]).sum(axis=2)  # [card, card]: with the first card
        counts = below - sharing - sharing.T + (side == "right")  # itself is in twice
        won += weight * np.where(table > 0, counts, 0) / 2
    met += weight * (table > 0) * (45 * 44 // 2)


def equities() -> np.ndarray:
    """[13, 13]: pairs on the diagonal, suited above it (lower rank first), offsuit below."""
    boards = _native.CanonicalIndex([5])
    won, met = np.zeros((52, 52)), np.zeros((52, 52))
    for index in range(boards.size(0)):
        board = np.asarray(boards.cards(0, np.array([index], np.uint64))[0], np.int64)
        add_board(board, num_images(board), won, met)
    result = np.zeros((13, 13))
    for low in range(13):
        for high in range(low, 13):
            cards = [(4 * low + i, 4 * high + j) for i in range(4) for j in range(4)]
            suited = [c for c in cards if c[0] % 4 == c[1] % 4 and c[0] != c[1]]
            offsuit = [c for c in cards if c[0] % 4 != c[1] % 4]
            for place, hands in (((low, high), suited), ((high, low), offsuit)):
                if hands:
                    total = sum(won[c] + won[c[::-1]] for c in hands)
                    result[place] = total / sum(met[c] + met[c[::-1]] for c in hands)
    return result


def main() -> None:
    lines = [
        "// SPDX-License-Identifier: MIT",
        "// What two hole cards of hold'em win all-in against a random hand, exact, in 1/100,000.",
        "// Written by scripts/starting_hands.py.",
        "#pragma once",
        "#include <array>",
        "#include <cstdint>",
        "",
        "namespace regretless {",
        "",
        "// [rank, rank]: suited with the lower rank first, offsuit with the higher one, 2 to A.",
        "inline constexpr std::array<std::array<std::int32_t, 13>, 13> kStartingHandEquities{{",
    ]
    for row in equities():
        lines.append("    {{" + ", ".join(f"{round(100_000 * each)}" for each in row) + "}},")
    lines += ["}};", "", "}  // namespace regretless", ""]
    path = Path(__file__).parents[1] / "native" / "cards" / "starting_hands.h"
    path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Sets of flops that stand for all, and the textures of flops.

`scripts/flop_sets.py` has chosen the sets; docs/reports.md says how, and how well they fit.
"""

import json
from functools import cache
from pathlib import Path

from regretless.notation.cards import RANKS

SETS_FILE = Path(__file__).parent / "flop_sets.json"
SIZES = (25, 95, 184)
NUM_DEALS = 22_100
"""Flops of 52 cards, with suits as they are; the weights of a set sum to it."""
_SUITS = {1: "monotone", 2: "two-tone", 3: "rainbow"}
_PAIRS = {1: "trips", 2: "paired", 3: "unpaired"}
_LOW = RANKS.index("T")  # ranks below are one group
_SPAN = 4  # ranks from the lowest to the highest of a straight


@cache
def flop_set(size: int) -> dict[str, int]:
    """The flops of one of `SIZES`, each with the number of deals that it stands for."""
    sets = json.loads(SETS_FILE.read_text(encoding="utf-8"))
    return dict(sets[str(size)])


def textures(flop: str) -> dict[str, str]:
    """The groups that a flop belongs to: by suits, pairs, highest card and straights."""
    ranks = sorted({RANKS.index(rank) for rank in flop[::2]})
    highest = ranks[-1]
    low = [-1 if rank == len(RANKS) - 1 else rank for rank in ranks]  # the ace below the deuce
    spans = (max(each) - min(each) for each in (ranks, low))
    is_connected = len(ranks) == 3 and min(spans) <= _SPAN
    return {
        "suits": _SUITS[len(set(flop[1::2]))],
        "pairs": _PAIRS[len(ranks)],
        "high card": RANKS[highest] if highest >= _LOW else "9 and lower",
        "straights": "straight possible" if is_connected else "no straight",
    }

# SPDX-License-Identifier: MIT
"""Each game still plays as it did: one episode, step by step, as a golden file.

After an intended change run `python tests/games/test_playthroughs.py --update` and read
the difference.
"""

import sys
from pathlib import Path
from typing import Any

import pytest

from regretless.games import load_game
from regretless.histories.seat_view import playthrough

FOLDER = Path(__file__).parent / "playthroughs"

# Seeds were picked for episodes with much in them.
PLAYTHROUGHS: dict[str, tuple[str, dict[str, Any], int]] = {
    "kuhn": ("kuhn", {}, 2),
    "kuhn_3_players": ("kuhn", {"players": 3}, 6),
    "leduc": ("leduc", {}, 49),
    "leduc3": ("leduc3", {}, 8),
    "limit-holdem": ("limit-holdem", {}, 19),
    "nlhe": ("nlhe", {}, 22),
    "nlhe_6_players": ("nlhe", {"players": 6}, 24),
    "hunl-100bb": ("hunl-100bb", {}, 50),
    "hunl-25bb": ("hunl-25bb", {}, 24),
    "turn-endgame": ("turn-endgame", {}, 29),
    "plo4": ("plo4", {}, 15),
    "plo5": ("plo5", {}, 51),
    "plo5-100bb": ("plo5-100bb", {}, 52),
    "short-deck": ("short-deck", {}, 33),
    "liars-dice-1x6f": ("liars-dice-1x6f", {}, 14),
    "liars-dice-2x3f": ("liars-dice-2x3f", {}, 16),
}


def generate(name: str) -> str:
    game, options, seed = PLAYTHROUGHS[name]
    return playthrough(load_game(game, **options), seed)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name):
    assert generate(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_file_is_left_over():
    assert {path.stem for path in FOLDER.iterdir()} == set(PLAYTHROUGHS)


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: python tests/games/test_playthroughs.py --update")
    for name in PLAYTHROUGHS:
        (FOLDER / f"{name}.txt").write_text(generate(name), encoding="utf-8")

# SPDX-License-Identifier: MIT
"""Strength in words: a level and one sentence, never more than what was measured."""

import pytest

from regretless import load_game
from regretless.bundles.bundle_manifest import Strength
from regretless.bundles.model_card import strength_words
from regretless.games import Game
from regretless.solving.spot_options import SpotOptions


def _spot() -> Game:
    spot = SpotOptions("QsJh2h8d3c", 200, 900).spot()
    assert spot is not None
    return spot.game


def _exact(value: float, unit: str) -> Strength:
    return Strength(
        measure="exact exploitability", value=value, unit=f"{unit} an episode", how="counted"
    )


@pytest.mark.parametrize(
    ("chips", "level", "words"),
    [
        (0.6, "near-optimal", "Near-optimal: a perfect opponent wins 0.3 % of the pot from it."),
        (1.0, "near-optimal", "Near-optimal: a perfect opponent wins 0.5 % of the pot from it."),
        (1.2, "strong", "Close to optimal: a perfect opponent wins 0.6 % of the pot from it."),
        (5.0, "practice", "Far from optimal: a perfect opponent wins 2.5 % of the pot from it."),
    ],
)
def test_a_spot(chips: float, level: str, words: str) -> None:
    assert strength_words([_exact(chips, "chips")], _spot()) == (level, words)


def test_whole_games() -> None:
    leduc, hold_em = load_game("leduc"), load_game("nlhe")
    assert strength_words([_exact(0.0004, "antes")], leduc)[1] == (
        "Near-optimal: a perfect opponent wins less than 0.001 antes per hand from it."
    )
    assert strength_words([_exact(0.04, "antes")], leduc)[0] == "strong"
    assert strength_words([_exact(0.3, "antes")], leduc)[0] == "practice"
    assert strength_words([_exact(0.009, "big blinds")], hold_em) == (
        "near-optimal",
        "Near-optimal: a perfect opponent wins 9 mbb per hand from it.",
    )


def test_estimates_are_told_with_their_interval() -> None:
    def measured(measure: str, value: float, half: float) -> Strength:
        ends = {"low": value - half, "high": value + half}
        return Strength(measure=measure, value=value, unit="mbb a hand", how="played", **ends)

    game = load_game("nlhe")
    lower = [measured("local best response", each, 390.0) for each in (246.0, 1205.0, 1010.0)]
    assert strength_words(lower, game) == (
        "practice",
        "A practice bot: a local best response wins at least 1,205 ± 390 mbb a hand from it.",
    )
    assert strength_words([measured("local best response", 20.0, 30.0)], game)[0] == "strong"
    assert strength_words([measured("local best response", 20.0, 90.0)], game)[0] == "practice"
    played = [
        measured("match against random", 6844.0, 579.0),
        measured("match against tight-aggressive", 954.0, 348.0),
    ]
    level, words = strength_words(played, game)
    assert level == "practice"
    assert "954 ± 348 mbb a hand from the bot tight-aggressive" in words
    assert "nobody has looked for its best response" in words


def test_nothing_measured_is_said() -> None:
    assert strength_words([], None) == ("unknown", "Nobody has measured its strength.")

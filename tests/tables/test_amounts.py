# SPDX-License-Identifier: MIT
"""Amounts in one unit: shown, typed and read back."""

import pytest

from regretless.bundles.bundle_manifest import Strength
from regretless.bundles.model_card import strength_line
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.amounts import Amounts, preferred_unit, read_amount
from regretless.games.spots import make_spot
from regretless.histories.lines import read_line, spots_of


def test_the_unit_is_asked_for_or_set_or_big_blinds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (preferred_unit(), preferred_unit("chips")) == ("bb", "chips")
    monkeypatch.setenv("REGRETLESS_UNIT", "chips")
    assert (preferred_unit(), preferred_unit("bb")) == ("chips", "bb")
    for variable in ("blinds", "BB"):
        monkeypatch.setenv("REGRETLESS_UNIT", variable)
        with pytest.raises(InputError, match="must be bb or chips"):
            preferred_unit()


@pytest.mark.parametrize(
    ("name", "unit", "found"),
    [
        ("nlhe", "bb", ("bb", 100)),
        ("nlhe", "chips", ("chips", 1)),
        ("hunl-100bb", "bb", ("bb", 2)),
        ("leduc", "bb", ("antes", 1)),  # a game without blinds has one unit
        ("liars-dice-1x6f", "chips", ("points", 1)),
    ],
)
def test_every_game_has_its_unit(name: str, unit: str, found: tuple[str, float]) -> None:
    amounts = Amounts.of(load_game(name), unit)
    assert (amounts.name, amounts.chips) == found


def test_texts_and_words_are_in_the_unit() -> None:
    blinds, chips = (Amounts.of(load_game("nlhe"), unit) for unit in ("bb", "chips"))
    texts = {
        "raise to 250": "raise to 2.5 bb",
        "call 50": "call 0.5 bb",
        "all-in 10000": "all-in 100 bb",
        "flop Jc9d7c, pot 666": "flop Jc9d7c, pot 6.66 bb",
        "pot 150, 50 to call": "pot 1.5 bb, 0.5 bb to call",
        "  you (BTN): 2hJs, bet 50, 9950 behind": "  you (BTN): 2hJs, bet 0.5 bb, 99.5 bb behind",
        "showdown, river 2h3c4d5s6h, pot 300": "showdown, river 2h3c4d5s6h, pot 3 bb",
        "check": "check",
    }
    for text, shown in texts.items():
        assert (blinds.in_text(text), chips.in_text(text)) == (shown, text)
    assert (blinds.text(123456), chips.text(123456)) == ("1,234.56 bb", "123,456")
    assert (blinds.text(-250, sign=True), blinds.text(250, sign=True)) == ("-2.5 bb", "+2.5 bb")
    assert (blinds.word("r250"), blinds.word("x"), chips.word("r250")) == ("r2.5bb", "x", "r250")


def test_amounts_are_read_in_the_unit() -> None:
    game, leduc = load_game("nlhe"), load_game("leduc")
    blinds = Amounts.of(game, "bb")
    assert read_amount("250", game) == 250 and read_amount("2.5bb", game) == 250
    assert read_amount("2.5", game, blinds) == 250 and read_amount("2.5", game) is None
    assert read_amount("3bb", leduc) is None and read_amount("3", leduc) == 3
    for text in ("", ".", "bb", "1.2.3", "-1", "1e3", "nan", "2b"):
        assert read_amount(text, game, blinds) is None
    assert read_amount("9" * 400, game, blinds) == 10**14


def test_lines_of_play_in_big_blinds_come_back() -> None:
    game = load_game("nlhe")
    amounts = Amounts.of(game, "bb")
    steps = read_line("r220 c | 7h8h9h |", game.episode_of(), amounts)
    assert steps[0].text == "r2.2bb"
    again = read_line("r2.2bb c | 7h8h9h", game.episode_of())
    assert [step.slot for step in steps] == [step.slot for step in again]
    spots = spots_of(game, steps, amounts)
    assert (spots[0].stack, spots[0].pot) == ("99.5 bb", "1.5 bb")
    assert all("bb" in each.text for each in spots[0].choices if each.word[0] in "rca")


def test_an_exploitability_for_players_is_a_share_of_the_pot_or_mbb() -> None:
    spot = make_spot("QsJh2h8d3c", 180, 100, "AA", "KK", "50%").game
    exact = {"measure": "exact exploitability", "how": "computed"}
    claims = [Strength(value=0.84, unit="chips an episode", **exact)]
    assert strength_line(claims, spot) == "exact exploitability 0.467 % of the pot"
    claims = [Strength(value=0.002, unit="big blinds an episode", **exact)]
    assert strength_line(claims, load_game("nlhe")) == "exact exploitability 2 mbb per hand"
    claims = [Strength(value=0.002, unit="antes an episode", **exact)]
    assert strength_line(claims, load_game("leduc")) == "exact exploitability 0.002 antes per hand"

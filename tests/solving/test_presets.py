# SPDX-License-Identifier: MIT
"""Presets: their ranges are what they say, their trees fit, and the command line takes them."""

import json
from pathlib import Path

import pytest

from command_line import command
from regretless.errors import InputError
from regretless.notation.ranges import Range
from regretless.solving.forecast import forecast_solve, seconds_to
from regretless.solving.presets import CHIPS, Preset, find_preset, presets
from regretless.solving.spot_options import SpotOptions

DOCS = Path(__file__).parents[2] / "docs" / "solving.md"
MOST_BYTES = 3 << 30
ANY = pytest.mark.parametrize("preset", presets().values(), ids=presets().keys())


@ANY
def test_ranges_are_as_large_as_stated(preset: Preset) -> None:
    for text, percent in zip((preset.range_oop, preset.range_ip), preset.hands, strict=True):
        found = Range.parse(text)
        assert 100 * found.total_weight / 1326 == pytest.approx(percent, abs=0.051)
        assert found.num_combos > 50


@ANY
def test_chips_are_those_of_the_hand(preset: Preset) -> None:
    """Both put in the same; what is left of the pot are blinds of others."""
    each = CHIPS * preset.stacks - preset.stack
    dead = preset.pot - 2 * each
    small, big = CHIPS // 2, CHIPS
    seats = {preset.oop, preset.ip}
    expected = small * ("SB" not in seats) + big * ("BB" not in seats)
    assert dead == expected
    assert f"to {each / CHIPS:g} bb" in preset.play  # the last raise


@ANY
def test_a_flop_fits_into_a_laptop(preset: Preset) -> None:
    for board in ("Ks7d2c", "9s8h7d"):  # no suits to merge
        spot = SpotOptions(board=board, preset=preset.name).spot()
        assert spot is not None and (spot.pot, spot.stack) == (preset.pot, preset.stack)
        forecast = forecast_solve("dcfr", spot.game, {"max_bytes": MOST_BYTES})
        assert forecast.memory_bytes < MOST_BYTES


def test_later_positions_open_more() -> None:
    shares = [find_preset(f"{seat}-bb-srp").hands[1] for seat in ("utg", "co", "btn")]
    assert shares == sorted(shares)


def test_the_docs_have_every_preset() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for each in presets().values():
        assert f"| `{each.name}` |" in text
        assert f"{each.hands[0]} %, {each.hands[1]} %" in text


def test_options_change_a_preset() -> None:
    given = {"board": "AsKd4h2c3c", "preset": "btn-bb-4bet"}
    changed = SpotOptions(**given, pot=100, range_ip="AA", rake=5.0).spot()
    assert changed is not None
    preset = find_preset("btn-bb-4bet")
    assert (changed.pot, changed.stack) == (100, preset.stack)
    assert changed.ranges == (Range.parse(preset.range_oop), Range.parse("AA"))
    with pytest.raises(InputError, match="did you mean 'btn-bb-srp'"):
        SpotOptions(board="AsKd4h", preset="btn-bb-sr").spot()
    with pytest.raises(InputError, match="give --board too"):
        SpotOptions(preset="btn-bb-srp").spot()


def test_the_command_line_takes_a_preset() -> None:
    asked = ["solve", "nlhe", "--preset", "co-btn-4bet", "--board", "AsKd4h2c3c"]
    result = json.loads(command(*asked, "--iterations", "50", "--json"))
    assert result["ev_oop"] + result["ev_ip"] == pytest.approx(415, abs=1e-2)
    assert result["exploitability"] < 2


def test_raises_by_street_and_seat() -> None:
    plain = {"board": "Td9d6hQc", "pot": 100, "stack": 1000, "range_oop": "AA", "range_ip": "KK"}
    plain |= {"bets": "50%", "raises": "2x"}

    def raised(*slots: int, **given: str) -> int:
        spot = SpotOptions(**plain, add_all_in=0, force_all_in=0, **given).spot()  # type: ignore[arg-type]
        assert spot is not None
        episode = spot.game.episode_of()
        for slot in slots:
            episode.choose(slot)
        return [each for each in episode.offer if each][-1]

    check, bet = 1, 2
    assert raised(bet) == 100
    assert raised(bet, raises_turn="3x") == 150
    assert raised(bet, raises_river="3x") == 100  # another street
    assert raised(bet, raises_oop="4x") == 100  # the raise is that of IP
    assert raised(check, bet, raises_oop="4x") == 200


def test_the_time_to_a_target() -> None:
    assert seconds_to(1, 0.1) == pytest.approx(11)  # 100 iterations and ten measures
    assert seconds_to(0.25, 0.1) > 2 * seconds_to(1, 0.1)
    spot = SpotOptions(board="Ks7d2c", preset="btn-co-3bet").spot()
    assert spot is not None
    each = forecast_solve("dcfr", spot.game, {}).iteration_seconds
    forecast = forecast_solve("dcfr", spot.game, {}, percent=1, seconds=1e9)
    assert forecast.seconds == pytest.approx(seconds_to(1, each))

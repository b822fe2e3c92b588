# SPDX-License-Identifier: MIT
"""The table in a browser: coming back, replays, controls, networks and bots at one table."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from regretless import export_onnx, solve
from regretless.solving.spot_options import SpotOptions
from web_browser import check_access

KEPT = "localStorage.getItem('regretless-seat')"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    export_onnx("nlhe6-nfsp", path / "nlhe6-nfsp.onnx")
    spot = SpotOptions("QsJh2h8d3c", 100, 200, "AA,KQs,76s", "99,AQs,KJs").spot()
    assert spot is not None
    solve(spot, iterations=100).write_bundle(path / "river")
    return path


def _choose(page: Any, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    page.get_by_role("option").first.wait_for(state="detached")


def _count_in_chips(page: Any) -> None:
    page.goto("/table")
    page.get_by_label("amounts in bb").click()
    page.get_by_label("amounts in chips").wait_for()


def _sit_down(page: Any, game: str | None = None) -> None:
    page.goto("/table")
    if game is not None:
        _choose(page, "game", game)
        _choose(page, "player 2", "bot caller")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#hand").wait_for()


def _after(page: Any, act: Any) -> None:
    before = page.locator("#hand").get_attribute("data-version")
    act()
    page.wait_for_function(
        "before => document.querySelector('#hand')?.dataset.version != before", arg=before
    )


def _is_over(page: Any) -> bool:
    return bool(page.get_by_role("button", name="Next hand").count())


def _play_out(page: Any) -> None:
    while not _is_over(page):
        _after(page, lambda: page.keyboard.press("c"))


def test_whoever_reloads_finds_hand_and_session(page: Any, data: Path) -> None:
    _sit_down(page)
    _play_out(page)
    hands = 0
    while _is_over(page):  # also where everybody folds before us
        _after(page, lambda: page.keyboard.press("n"))
        hands += 1
    seats, log = page.locator(".seats").inner_text(), page.locator(".log").first.inner_text()
    page.reload()
    page.locator("#hand").wait_for()
    assert f"hand {hands + 1} " in page.locator("#hand").inner_text()
    assert page.locator(".seats").inner_text() == seats
    assert page.locator(".log").first.inner_text() == log
    page.get_by_text(re.compile(rf"^{hands} hands?, .*bb/100")).wait_for()
    # Another window of the same browser is at the same table, and both hear of what happens.
    other = page.context.new_page()
    other.goto("/table")
    other.locator("#hand").wait_for()
    while not _is_over(other):
        _after(other, lambda: other.keyboard.press("c"))
    page.get_by_role("button", name="Next hand").wait_for()
    page.get_by_text(re.compile(rf"^{hands + 1} hands, .*bb/100")).wait_for()
    # The token is in no address and in no log.
    kept = page.evaluate(KEPT)
    token = json.loads(kept)["token"]
    assert token not in page.url + (data / "server.log").read_text()
    assert token not in (data / "hands.jsonl").read_text()
    # With somebody in mind one is asked; whoever has left is asked to sit down.
    other.goto("/table?against=nlhe6-nfsp.onnx")
    other.get_by_role("button", name="Go back to your table").wait_for()
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Sit down").wait_for()
    page.goto("/")
    assert page.evaluate(KEPT) is None
    # A table that is closed, here or with a server that died: its hands are not lost.
    page.evaluate(f"kept => {KEPT.replace('get', 'set').replace(')', ', kept)')}", kept)
    page.goto("/table")
    page.get_by_text(re.compile(rf"^{hands + 1} hands, .*bb/100")).wait_for()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download PHH").click()
    assert Path(started.value.path()).read_text().count("variant = 'NT'") == hands + 1
    assert page.evaluate(KEPT) is None
    # What others have put there does no harm.
    for bad in ("{", "7", '{"table": 1}', '{"table": "x", "token": "y"}'):
        page.goto("/")
        page.evaluate(f"kept => {KEPT.replace('get', 'set').replace(')', ', kept)')}", bad)
        page.goto("/table")
        page.get_by_role("button", name="Sit down").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_replay_step_by_step_on_a_phone(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    _sit_down(page)
    check_access(page)
    _play_out(page)
    end = page.locator(".seats").first.inner_text()
    page.get_by_role("button", name=re.compile("^hand 1: you")).click()
    replay = page.locator("#replay")
    replay.wait_for()
    steps = int(re.findall(r"0 of ([0-9]+)", page.get_by_text("the deal").inner_text())[0])
    check_access(page)
    for step in range(1, steps + 1):
        page.keyboard.press("ArrowRight")
        page.locator(f'#replay[data-step="{step}"]').wait_for()
    assert page.locator(".seats").nth(1).inner_text() == end
    page.get_by_role("button", name="Back", exact=True).click()
    page.locator(f'#replay[data-step="{steps - 1}"]').wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    replay.wait_for(state="detached")


def test_a_network_and_bots_at_one_table(page: Any) -> None:
    """The network brings its game; bets off its menu are reviewed as it sees them."""
    _count_in_chips(page)
    _choose(page, "game", "leduc")
    _choose(page, "player 2", "nlhe6-nfsp.onnx")
    page.get_by_label("player 6").wait_for()
    _choose(page, "player 4", "bot caller")
    _choose(page, "player 5", "bot random")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#hand").wait_for()
    assert page.locator(".seat").count() == 6
    is_reviewed = False
    for number in range(1, 20):
        has_bet = False
        while not _is_over(page):
            bet = page.get_by_role("button", name=re.compile("^(bet|raise to) [0-9,]+$"))
            if not has_bet and bet.count():
                least = int(page.get_by_label("amount in chips").input_value())
                page.get_by_label("amount in chips").fill(str(least + 7))
                page.get_by_label("amount in chips").blur()
                _after(page, page.get_by_role("button", name=f"{least + 7:,}").click)
                has_bet = True
            else:
                _after(page, lambda: page.keyboard.press("c"))
        page.get_by_text(re.compile(rf"^{number} hands?, .*bb/100")).wait_for()
        if has_bet and not is_reviewed:  # all others may have folded before
            page.get_by_role("button", name="Review").click()
            page.get_by_role("cell", name=re.compile("seen as ")).first.wait_for()
            check_access(page)
            is_reviewed = True
        if is_reviewed and number >= 3:
            break
        _after(page, lambda: page.keyboard.press("n"))
    assert is_reviewed
    names = page.locator(".seat b").all_inner_texts()
    assert {"you", "nlhe6-nfsp.onnx", "caller", "random"} <= set(names)


@pytest.mark.parametrize(
    ("game", "has_slider", "has_all_in"),
    [
        ("plo4", True, False),
        ("limit-holdem", False, False),
        pytest.param("nlhe", True, True, marks=pytest.mark.slow),
    ],
)
def test_controls_of_the_game(page: Any, game: str, has_slider: bool, has_all_in: bool) -> None:
    _count_in_chips(page)
    _sit_down(page, game)
    page.get_by_role("button", name=re.compile("^(check|call)")).first.wait_for()
    assert bool(page.get_by_role("slider").count()) == has_slider
    assert bool(page.get_by_role("button", name="all-in").count()) == has_all_in
    if has_slider:
        page.get_by_role("button", name="pot", exact=True).click()
        page.get_by_role("button", name=re.compile("^(bet|raise to) 300$")).wait_for()
        slider = page.get_by_role("slider")
        assert slider.get_attribute("aria-valuenow") == "300"
        assert slider.get_attribute("aria-valuemin") == "200"
        assert (slider.get_attribute("aria-valuemax") == "300") == (game == "plo4")
    else:
        assert page.get_by_role("button", name=re.compile("^(bet|raise to) [0-9]+$")).count() == 1
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Sit down").wait_for()


@pytest.mark.slow
def test_dice_are_played_with_keys(page: Any) -> None:
    _sit_down(page, "liars-dice-1x6f")
    while not _is_over(page):
        _after(page, lambda: page.keyboard.press("1"))
    page.get_by_text(re.compile("^1 hand, .*points per 100 hands")).wait_for()
    assert page.get_by_role("button", name="Download PHH").count() == 0
    page.get_by_role("button", name=re.compile("^hand 1: you")).click()
    page.locator("#replay").wait_for()

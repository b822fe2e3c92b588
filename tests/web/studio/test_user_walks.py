# SPDX-License-Identifier: MIT
"""Each user's task from the home page by clicks alone: study, play, practise, train."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from regretless import solve
from regretless.explorer.nodes import SolvedTree
from regretless.runs.run_record import read_run
from regretless.solving.presets import find_preset
from regretless.solving.spot_options import SpotOptions
from regretless.web.play.finished_hands import read_hands

SETTLED = ".play:not([data-moving]) .controls:not(.waiting)"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    spot = SpotOptions("QsJh2h8d3c", 100, 200, "AA,KQs,76s,T9s", "99,AQs,KJs,22").spot()
    assert spot is not None
    solve(spot, target=0.5).write_bundle(path / "river")
    return path


def _number(text: str) -> float:
    found = re.search(r"[−+]?[\d,]*\.?\d+", text)
    assert found is not None, text
    return float(found[0].replace("−", "-").replace(",", ""))


def _shown(page: Any, path: str) -> None:
    """Waits for a page; until then a click would still be one on the page before."""
    page.locator(f'main[data-page="{path}"]').wait_for()


def test_a_spot_is_studied_locked_and_compared(page: Any, data: Path) -> None:
    """A preset, a changed range, a solution; a lock, what it costs, and both side by side."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/")
    page.get_by_role("link", name="Choose a spot").click()
    row = page.locator(".preset-row", has=page.get_by_text("3-bet", exact=True))
    row.get_by_role("button", name="BB v BTN").click()
    preset = find_preset("bb-btn-3bet")
    page.get_by_text(preset.play).wait_for()
    for card in ("eight of diamonds", "three of clubs"):
        page.get_by_role("button", name=card).click()
    oop = page.get_by_role("region", name="range of OOP")
    oop.get_by_role("button", name="AA: weight 1").click()  # takes it away
    oop.get_by_role("button", name="AA: weight 0").wait_for()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_role("link", name="Explore", exact=True).click()
    page.locator(".study:not([data-line])").wait_for()
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_label("Name in the library").fill("mine")
    page.get_by_role("button", name="Save the solution").click()
    _shown(page, "/study/mine")
    free = SolvedTree.open(data / "bundles" / "mine")
    start = free.node()
    assert (start.board, start.pot) == ("QsJh2h8d3c", preset.pot)
    hands = start.seats[0].hands
    assert "KsKd" in hands and not any(each[0] + each[2] == "AA" for each in hands)
    page.locator('.choice[data-word="x"]').click()
    page.locator('.study[data-line="x"]').wait_for()
    page.get_by_role("button", name="Lock", exact=True).click()
    page.get_by_label("IP plays").select_option("x")
    page.get_by_role("button", name="Lock this decision").click()
    page.get_by_role("button", name="Solve again").click()
    told = page.get_by_text(re.compile(r"^The locks cost IP [−0-9.]+ chips")).inner_text()
    page.get_by_role("link", name="Open the solution").click()
    page.locator('main[data-page^="/study/solve/"]').wait_for()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Second solution").select_option("mine")
    for each in free.node("x").choices:
        shown = page.locator(f'.choice[data-word="{each.word}"]')
        other = shown.locator(".choice-other").inner_text()
        assert _number(other) == pytest.approx(100 * each.share, abs=0.06)
        assert ("100.0 %" if each.word == "x" else "0.0 %") in shown.inner_text()
    page.keyboard.press("Home")
    page.locator(".study:not([data-line])").wait_for()
    value = _number(page.locator('tr[data-seat="IP"] td').last.inner_text())
    assert start.seats[1].value - value == pytest.approx(_number(told), abs=0.02)


def _play_ten_hands(page: Any, data: Path) -> None:
    """Checks, and calls or folds, to the end of ten hands; the session is what the file says."""
    page.locator(SETTLED).wait_for()
    for hand in range(10):
        if hand:
            _after(page, page.get_by_role("button", name="Next hand"))
        while not page.locator(".controls.over").count():
            acts = (
                '[data-act="check"], [data-act="fold"]'
                if hand % 2
                else '[data-act="check"], [data-act="call"]'
            )
            _after(page, page.locator(acts).first)
    table = json.loads(page.evaluate("localStorage.getItem('regretless.seat')"))["table"]
    rows = [each for each in read_hands(data, table) if each["kind"] == "hand"]
    assert len(rows) == 10
    page.locator('[data-session="10"]').wait_for()
    page.locator(".hand-row").nth(9).wait_for()
    assert page.locator(".hand-row").count() == 10


def _after(page: Any, button: Any) -> None:
    before = page.locator(".play").get_attribute("data-version")
    button.click()
    page.locator(f'.play:not([data-version="{before}"])').wait_for()
    page.locator(SETTLED).wait_for()


def test_ten_hands_heads_up(page: Any, data: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("button", name="Play heads-up").click()
    _play_ten_hands(page, data)
    assert page.locator(".seat").count() == 2


def test_ten_hands_at_six(page: Any, data: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("button", name=re.compile("Six-handed")).click()
    _play_ten_hands(page, data)
    assert page.locator(".seat").count() == 6


def test_twenty_decisions(page: Any) -> None:
    page.goto("/")
    page.get_by_role("link", name="Practise", exact=True).first.click()
    _shown(page, "/practice")
    page.get_by_role("link", name=re.compile("^river")).click()
    _shown(page, "/practice/river")
    for number in range(20):
        answers = page.locator(".practice-answer:enabled")
        answers.nth(number % 2).click()
        page.locator("[data-grade]").wait_for()
        page.get_by_role("button", name="Next").click()
        page.get_by_text("Your action?").wait_for()
    score = page.locator(".score").inner_text().split("\n")
    assert score[score.index("answered") + 1] == "20"
    page.get_by_role("link", name=re.compile("regretless")).first.click()
    page.get_by_role("link", name=re.compile("Practice: river")).wait_for()


def test_a_run_is_started_watched_and_stopped(page: Any, data: Path) -> None:
    page.goto("/")
    page.get_by_role("link", name="Recipes and runs").click()
    page.get_by_role("button", name="New run").click()
    form = page.get_by_role("dialog", name="New run")
    form.get_by_label("Recipe").select_option("kuhn_cfr")
    long = "budget={seconds: 600}\nlog.every_steps=5000\nevaluate.every_steps=5000"
    form.get_by_label("Changes, one per line").fill(long)
    form.get_by_role("button", name="Start", exact=True).click()
    stop = page.get_by_role("button", name=re.compile("^Stop: kuhn_cfr-"))
    stop.wait_for()
    id = str(stop.get_attribute("aria-label")).removeprefix("Stop: ")
    curve = page.locator('[data-measure="eval/exploitability"] .curve')
    curve.wait_for()
    first = curve.get_attribute("d")
    page.locator(f'[data-measure="eval/exploitability"] .curve:not([d="{first}"])').wait_for()
    stop.click()
    page.locator(f'.run-row[data-run="{id}"] .badge', has_text="stopped").wait_for()
    record = read_run(data / "runs" / id)
    assert (record.game, record.algorithm) == ("kuhn", "cfr+")

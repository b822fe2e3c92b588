# SPDX-License-Identifier: MIT
"""The pages in a browser: what they show is what the package says, and they can be used."""

import re
from pathlib import Path
from typing import Any

import pytest

from regretless import solve
from regretless.solving.spot_options import SpotOptions
from web_browser import check_access


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve("leduc", iterations=50).write_bundle(path / "leduc")
    spot = SpotOptions("QsJh2h8d", 100, 200, "AA,KQs,76s", "99,AQs,KJs").spot()
    assert spot is not None
    solve(spot, iterations=50).write_bundle(path / "turn")
    return path


def test_one_unit_on_every_page(page: Any) -> None:
    page.goto("/table")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_text(re.compile(r"9[0-9.]* bb behind, bet [0-9.]+ bb")).first.wait_for()
    assert re.search(r"pot [0-9.]+ bb", page.locator("#hand").inner_text())
    page.get_by_label("amounts in bb").click()
    page.get_by_label("amounts in chips").wait_for()
    page.get_by_text(re.compile(r"9,\d+ behind, bet [0-9,]+$")).first.wait_for()
    assert " bb" not in page.locator(".log").first.inner_text()


@pytest.mark.parametrize("seats", [2, 6])
def test_ten_hands_are_played_to_the_end(page: Any, seats: int) -> None:
    page.goto("/table")
    if seats != 2:
        page.get_by_role("combobox", name="seats").click()
        page.get_by_role("option", name=str(seats), exact=True).click()
        page.get_by_label(f"player {seats}").wait_for()
    page.get_by_role("button", name="Sit down").click()
    hand = page.locator("#hand")
    hand.wait_for()
    for number in range(1, 11):
        while not (dealer := page.get_by_role("button", name="Next hand")).count():
            _go_on(page, page.get_by_role("button", name=re.compile("^(check|call)")).first)
        assert f"hand {number} " in hand.inner_text()
        assert page.get_by_text(re.compile(rf"^{number} hands?, .*bb/100")).count() == 1
        if number < 10:
            _go_on(page, dealer)
    assert page.locator(".seat").count() == seats
    with page.expect_download() as started:
        page.get_by_role("button", name="Download PHH").click()
    assert Path(started.value.path()).read_text().count("variant = 'NT'") == 10
    page.get_by_role("button", name="Review").click()
    page.get_by_text("EV lost").or_(page.get_by_text("You made no decision")).first.wait_for()
    check_access(page)


def _go_on(page: Any, button: Any) -> None:
    hand = page.locator("#hand")
    before = hand.get_attribute("data-version")
    button.click()
    page.wait_for_function(
        "before => document.querySelector('#hand')?.dataset.version != before", arg=before
    )


@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 400)])
def test_everybody_can_use_the_pages(page: Any, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/explore/leduc", "/explore/turn?line=x", "/table", "/solve", "/runs"):
        page.goto(path)
        page.locator("h1").wait_for()
        check_access(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path


def test_an_unknown_page_leads_home(page: Any, server: str) -> None:
    answer = page.request.get("/nothing")
    assert answer.status == 404 and "Go to the library" in answer.text()
    assert page.request.get("/api/nothing").json()["error"].startswith("the API has no path")

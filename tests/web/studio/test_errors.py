# SPDX-License-Identifier: MIT
"""Errors are one line on the page, and the page stays usable."""

from pathlib import Path
from typing import Any

import pytest

from regretless import solve
from web_browser import check_access, served

LINE = "the server does not answer; is it still running?"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve("leduc", iterations=10).write_bundle(path / "leduc")
    return path


def _message(page: Any, text: str) -> None:
    shown = page.locator(".message", has_text=text)
    shown.wait_for()
    assert (shown.inner_text(), shown.get_attribute("class")) == (text, "message error")


def test_a_page_that_is_not_there_leads_home(loose: Any) -> None:
    page = loose
    answer = page.goto("/no/such?page=1")
    assert answer.status == 404
    page.get_by_text("There is no page /no/such.").wait_for()
    assert page.title() == "Page not found · regretless"
    check_access(page)
    page.get_by_role("link", name="Go home").click()
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate("location.pathname") == "/"


def test_what_is_not_in_the_library_is_one_line(loose: Any) -> None:
    loose.goto("/study/nothing")
    text = loose.locator("main").get_by_text("nothing")
    text.wait_for()
    assert "\n" not in text.inner_text()
    loose.get_by_role("link", name="Go home").wait_for()


def test_a_line_that_cannot_be_played_is_one_line(loose: Any) -> None:
    loose.goto("/study/leduc?line=x%20zz")
    loose.locator("main").get_by_text("zz").wait_for()


def test_a_server_that_is_gone_is_one_line(loose: Any, directory: Path, data: Path) -> None:
    with served(directory, data / "second") as address:
        loose.goto(f"{address}/study/leduc")
        loose.get_by_text("to act").first.wait_for()
    loose.keyboard.press("1")
    _message(loose, LINE)
    loose.get_by_text("to act").first.wait_for()  # what was there stays


@pytest.mark.parametrize("status", [429, 500])
def test_a_refusal_is_one_line(loose: Any, status: int) -> None:
    loose.goto("/study/leduc")
    loose.get_by_text("to act").first.wait_for()
    line = "the server is busy: 8 requests are on the way"
    loose.route("**/api/study", lambda route: route.fulfill(status=status, json={"error": line}))
    loose.keyboard.press("1")
    _message(loose, line)


def test_an_answer_that_is_no_json_is_its_status(loose: Any) -> None:
    loose.route("**/api/study", lambda route: route.fulfill(status=502, body="<h1>proxy</h1>"))
    loose.goto("/study/leduc")
    loose.locator("main").get_by_text("502").wait_for()

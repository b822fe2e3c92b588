# SPDX-License-Identifier: MIT
"""A server, a browser and a page for every test of the web pages.

A module offers a `directory` fixture: the library that its server shows.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web_browser import BROWSERS, browser_path, served

PATIENCE = 90_000  # milliseconds; a busy machine takes long to open a network


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's own files."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(directory: Path, data: Path) -> Iterator[str]:
    with served(directory, data) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if browser_path() is None:
        pytest.skip(f"no browser is installed: {', '.join(BROWSERS)}")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Any]:
    """A page without errors in the console that loads nothing from elsewhere."""
    context = browser.new_context(base_url=server, viewport={"width": 1100, "height": 900})
    context.set_default_timeout(PATIENCE)
    page, wrong = context.new_page(), list[str]()
    page.on("console", lambda each: each.type == "error" and wrong.append(each.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda each: _is_ours(each.url, server) or wrong.append(each.url))
    yield page
    context.close()
    assert not wrong


@pytest.fixture
def loose(browser: Any, server: str) -> Iterator[Any]:
    """A page whose console may have errors: a refused request is one."""
    context = browser.new_context(base_url=server)
    context.set_default_timeout(PATIENCE)
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert not wrong


def _is_ours(address: str, server: str) -> bool:
    return address.startswith((server, server.replace("http", "ws"), "data:", "blob:"))

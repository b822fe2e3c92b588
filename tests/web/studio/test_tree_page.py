# SPDX-License-Identifier: MIT
"""The tree page in a browser: the game tree with ranges and EVs, and the infosets of a game."""

import re
from pathlib import Path
from typing import Any

import pytest

from regretless import solve
from regretless.explorer.game_tree import infosets
from regretless.explorer.nodes import SolvedTree
from regretless.solving.spot_options import SpotOptions
from web_browser import check_access


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve("leduc", iterations=50).write_bundle(path / "leduc")
    spot = SpotOptions("QsJh2h", 60, 60, "AA,KQs", "99,KJs", bets="100%", raises="a").spot()
    assert spot is not None
    solve(spot, iterations=20).write_bundle(path / "flop")
    return path


def _branch(page: Any, line: str) -> Any:
    return page.locator(f'[data-branch="{line}"] > .branch-row')


def _number(value: float) -> str:
    """The number as a page writes it."""
    text = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and text != "0" else text


def test_the_tree_of_leduc(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "leduc")
    page.goto("/tree/leduc")
    page.get_by_role("button", name="Open all").click()
    page.get_by_role("button", name="Close all").wait_for()
    assert page.locator(".branch").count() == 465
    node, start = tree.node("x"), tree.node()
    shown = _branch(page, "x").inner_text()
    assert f"{100 * start.choices[0].share:.1f} %" in shown and "seat 1 to act" in shown
    for seat in node.seats:
        assert f"{seat.name} {_number(seat.value)}" in shown
    bar = _branch(page, "x").get_by_role("img").get_attribute("aria-label")
    assert bar == ", ".join(f"{each.text} {100 * each.share:.0f} %" for each in node.choices)
    said = page.locator('[data-branch="x"] > .branch-body > .branch-said')
    assert f"{100 * node.seats[0].shares.max():.0f} %" in said.inner_text()
    said.get_by_role("link", name="Tree from here").click()
    page.wait_for_url("**/tree/leduc?line=x")
    page.get_by_text("below x", exact=True).wait_for()
    page.get_by_role("link", name="Show the whole tree").click()
    page.get_by_text("below x", exact=True).wait_for(state="detached")
    page.locator(".branch-said").get_by_role("link", name="Study").first.click()
    page.wait_for_url("**/study/leduc")
    page.locator(".choice").first.wait_for()


def test_the_infosets_of_leduc(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "leduc")
    page.goto("/tree/leduc")
    page.get_by_text("1 to 100 of 936 infosets").wait_for()
    expected = infosets(tree.game, tree.node, begin=0, count=100).rows
    words = page.locator("thead th.num").all_inner_texts()[3:]
    for row in expected:
        cells = page.locator(f'tr[data-infoset="{row["line"]} {row["hand"]}"] td').all_inner_texts()
        mix = dict(zip(words, cells[6:], strict=True))
        assert {word: text for word, text in mix.items() if text} == {
            word: f"{100 * share:.1f} %" for word, share in row["mix"].items()
        }
        assert cells[4] == f"{100 * row['share']:.1f} %"
    field = page.get_by_label("Hand", exact=True)
    field.fill("K")
    field.press("Enter")
    page.get_by_text("1 to 100 of 312 infosets").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_text("101 to 200 of 312 infosets").wait_for()
    page.reload()  # the address has it
    page.get_by_text("101 to 200 of 312 infosets").wait_for()
    field = page.get_by_label("At and below the line")
    field.fill("x x")
    field.press("Enter")
    total = infosets(tree.game, tree.node, line="x x", hand="K").total
    page.get_by_text(re.compile(rf"^1 to \d+ of {total} infosets")).wait_for()
    page.locator("tr[data-infoset] a").first.click()
    page.wait_for_url("**/study/leduc?line=x%20x*")


def test_a_large_game_lists_its_infosets_when_asked(page: Any) -> None:
    page.goto("/tree/flop")
    page.get_by_role("button", name="List the infosets").wait_for()
    page.get_by_role("button", name="Open all").click()
    page.get_by_role("link", name="More of the tree").first.click()
    page.get_by_role("link", name="Show the whole tree").wait_for()


@pytest.mark.parametrize(("look", "width"), [("light", 1440), ("dark", 390)])
def test_everybody_can_use_the_page(page: Any, look: str, width: int) -> None:
    page.emulate_media(color_scheme=look)
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("leduc", "leduc?line=x x&hand=K", "flop"):
        page.goto(f"/tree/{path}")
        page.locator(".branch").first.wait_for()
        check_access(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.keyboard.press("Tab")
    page.locator(".branch-name").first.focus()
    page.keyboard.press("Enter")
    page.locator('.branch-name[aria-expanded="false"]').first.wait_for()

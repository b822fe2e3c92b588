# SPDX-License-Identifier: MIT
"""The pages about runs in a browser: a recipe from its start to its end, ranks and a matrix."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from regretless import cross_play, leaderboard, train
from web_browser import check_access

CHART = "document.querySelector('canvas')?.closest('[id^=c]')"
SERIES = f"getElement(Number({CHART}?.id.slice(1)))?.chart?.getOption().series ?? []"
NAMES = f"({SERIES}).map(each => each.name)"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    often = ("budget={steps: 200}", "log.every_steps=20", "evaluate.every_steps=20")
    for name, seed in (("cfr", 1), ("cfr", 2), ("cfr+", 1)):
        output = f"output={path / f'kuhn-{name}-{seed}'}"
        train("kuhn_cfr", f"algorithm.name={name}", f"seed={seed}", output, *often)
    return path


def _check_both(page: Any) -> None:
    """Light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"body.body--{scheme}").wait_for()
        page.wait_for_timeout(400)  # colours fade
        check_access(page)


def _points(page: Any) -> int:
    """Returns the points of the first curve on the page."""
    return int(page.evaluate(f"({SERIES})[0]?.data.length ?? 0"))


def _until(page: Any, row: Any, *words: str) -> str:
    """The text of a row once it has one of these words."""
    for _ in range(600):
        text = str(row.inner_text())
        if any(word in text.split() for word in words):
            return text
        page.wait_for_timeout(100)
    raise AssertionError(text)


@pytest.mark.slow
def test_a_recipe_from_its_start_to_its_end(page: Any) -> None:
    page.goto("/runs")
    page.get_by_text("Start a recipe").click()
    recipe = page.get_by_role("combobox", name="recipe")
    recipe.fill("kuhn_cfr")
    page.get_by_role("option", name="kuhn_cfr", exact=True).click()
    changes = page.get_by_label("changes, one per line")
    changes.fill("output=/tmp/elsewhere")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("output: is refused here").wait_for()
    # So long that it is stopped before it ends.
    changes.fill("budget={seconds: 600}\nlog.every_steps=10000\nevaluate.every_steps=10000")
    page.get_by_role("button", name="Estimate").click()
    page.get_by_text(re.compile(r"memory .* free; disk")).wait_for()
    page.get_by_role("button", name="Start", exact=True).click()
    stop = page.get_by_role("button", name=re.compile("Stop: kuhn_cfr-"))
    stop.wait_for()
    id = stop.get_attribute("data-run")
    row = page.locator(f'tr[data-run="{id}"]')
    _until(page, row, "running")
    page.get_by_text(re.compile("time about 10 min")).wait_for()  # as it has told
    page.locator("canvas").first.wait_for()
    while not (before := _points(page)):
        page.wait_for_timeout(100)
    until = time.monotonic() + 30
    while _points(page) <= before:  # it grows without a reload
        assert time.monotonic() < until
        page.wait_for_timeout(200)
    stop.focus()
    page.wait_for_timeout(1500)  # the table is drawn anew, and the key still means this button
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Stop: {id}"
    page.keyboard.press("Enter")
    text = _until(page, row, "stopped")
    _check_both(page)
    step = int(re.search(r"stopped\s+([0-9,]+)", text)[1].replace(",", ""))
    page.get_by_role("button", name=f"Resume: {id}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("changes, one per line").fill("seed=7")
    dialog.get_by_role("button", name="Resume").click()
    page.get_by_text("seed: cannot change").wait_for()
    page.get_by_role("button", name=f"Resume: {id}").click()
    dialog.get_by_label("changes, one per line").fill(f"budget={{steps: {step + 50_000}}}")
    dialog.get_by_role("button", name="Resume").click()
    assert f"{step + 50_000:,}" in _until(page, row, "done")


def test_what_is_started_elsewhere_appears(page: Any) -> None:
    """Its curve, too; and the line of one that cannot be."""
    page.goto("/runs")
    page.locator("canvas").first.wait_for()
    quick = ["budget={steps: 300}", "log.every_steps=30", "evaluate.every_steps=30"]
    for overrides in (quick, ["algorithm.sped=2"]):
        asked = {"recipe": "leduc_cfr", "overrides": overrides}
        assert page.request.post("/api/runs", data=asked).status == 202
    row = page.get_by_role("row").filter(has_text="leduc_cfr-001")
    row.wait_for()
    _until(page, row, "done")
    assert "leduc_cfr-001" in page.evaluate(NAMES)
    assert "sped" in page.get_by_role("alert").inner_text()


def test_leaderboard(page: Any, directory: Path) -> None:
    page.goto("/leaderboard")
    runs = page.get_by_role("region", name="runs of kuhn")
    names = [each.split()[0] for each in runs.get_by_role("link").all_inner_texts()]
    expected = leaderboard([*sorted(directory.glob("kuhn-*"))])["kuhn"]
    ours = [name for name in names if name.startswith("kuhn-")]
    assert ours == ["kuhn-cfr--1", "kuhn-cfr-1"]
    assert f"{expected[0].best:.4g}" in runs.inner_text()
    assert "kuhn-cfr-1 and 1 equal run" in runs.inner_text()
    page.get_by_role("button", name="sort kuhn by best").click()
    page.get_by_role("button", name="sort kuhn by best").click()
    page.locator('th[aria-sort="descending"]').first.wait_for()
    again = [each.split()[0] for each in runs.get_by_role("link").all_inner_texts()]
    assert [name for name in again if name.startswith("kuhn-")] == ours[::-1]
    _check_both(page)


def test_a_matrix_of_two_bots(page: Any) -> None:
    page.goto("/cross")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("players: choose 2 to 10").wait_for()
    page.get_by_role("combobox", name="players").click()
    for name in ("bot: caller", "bot: pot-odds"):
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_label("hands per pair").fill("2000")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("done after").wait_for()
    cells = page.locator("table.cross td").all_inner_texts()
    won = cross_play("caller", "pot-odds", game="leduc", hands=2000).won[0][1]
    assert won is not None
    assert cells[1].split() == [f"{100 * won.mean:+,.1f}", "±", f"{100 * won.half_width:,.1f}"]
    _check_both(page)


def test_narrow_pages_do_not_scroll_sideways(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    for path in ("/runs", "/leaderboard", "/cross"):
        page.goto(path)
        page.locator("h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, path

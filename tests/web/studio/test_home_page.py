# SPDX-License-Identifier: MIT
"""The home page in a browser: doors that open on one click, the library, and what was done last."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from regretless import solve
from regretless.bundles.bundle import open_bundle
from regretless.bundles.shipped import shipped_names, strategy_directory
from regretless.runs.run_record import read_run
from regretless.solving.presets import find_preset
from regretless.solving.spot_options import SpotOptions
from web_browser import check_access

DAMAGED = "damaged-bundle"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    for name in ("kuhn", "leduc"):
        solve(name, iterations=50).write_bundle(path / name)
    spot = SpotOptions("QsJh2h8d", 100, 200, "AA,KQs,76s", "99,AQs,KJs").spot()
    assert spot is not None
    solve(spot, iterations=50).write_bundle(path / "turn")
    shutil.copytree(path / "kuhn", path / DAMAGED)
    (path / DAMAGED / "manifest.json").write_text("{}")
    return path


def _card(page: Any, name: str) -> Any:
    return page.locator(".entry").filter(has=page.get_by_role("heading", name=name, exact=True))


def _entry(page: Any, name: str) -> str:
    return str(_card(page, name).inner_text())


def test_cards_say_what_is_there(page: Any, directory: Path) -> None:
    page.goto("/")
    turn = _entry(page, "turn")
    assert "Turn Q♠J♥2♥8♦, pot 100, 200 behind" in turn
    manifest = open_bundle(directory / "turn").manifest
    assert f"{manifest.strength[0].value:.3g} % of the pot" in turn  # of a pot of 100
    size = sum(each.size for each in manifest.files.values())
    assert "dcfr" in turn and f"{size / 1024:.0f} KiB" in turn and "just now" in turn
    shipped = _entry(page, "hunl-deep-cfr")
    claims = open_bundle(str(strategy_directory("hunl-deep-cfr"))).manifest.strength
    most = max((each for each in claims if "response" in each.measure), key=lambda each: each.value)
    assert most.low is not None and most.high is not None
    figure = f"{most.value:,.0f} ± {(most.high - most.low) / 2:,.0f} mbb a hand"
    assert "For practice." in shipped and figure in shipped
    assert "2 players, 100 bb deep" in shipped
    assert "not the manifest of a strategy bundle" in _entry(page, DAMAGED)
    assert _card(page, DAMAGED).get_by_role("link").count() == 0
    for name, href in {
        "Study turn": "/study/turn",
        "Play turn": "/play?with=turn",
        "Practise turn": "/practice/turn",
        "turn": "/study/turn",
    }.items():
        assert page.get_by_role("link", name=name, exact=True).get_attribute("href") == href


def test_the_library_is_searched_and_filtered(page: Any) -> None:
    page.goto("/")
    _card(page, "turn").wait_for()
    total = page.locator(".entry").count()
    page.get_by_role("status").filter(has_text=f"{total} entries").wait_for()
    page.get_by_label("Search the library").fill("qsjh2h")
    page.get_by_role("status").filter(has_text=f"1 of {total} entries").wait_for()
    _card(page, "turn").wait_for()
    assert "q=qsjh2h" in page.url
    page.reload()
    _card(page, "turn").wait_for()
    assert page.locator(".entry").count() == 1
    page.get_by_label("Search the library").fill("no such thing")
    page.get_by_text("Nothing in the library matches.").wait_for()
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Game").select_option("leduc")
    page.get_by_role("status").filter(has_text=f"1 of {total} entries").wait_for()
    page.get_by_label("Game").select_option("All games")
    page.get_by_label("Kind").select_option("Networks")
    page.get_by_role("status").filter(has_text=f"3 of {total} entries").wait_for()
    assert "kind=networks" in page.url


def test_a_turn_is_solved_and_studied_by_one_click(page: Any) -> None:
    preset = find_preset("bb-btn-3bet")
    page.goto("/")
    page.get_by_role("button", name="Open a turn").click()
    page.wait_for_url("**/study/solve/*")
    page.get_by_text("to act").first.wait_for()
    job = page.request.get(f"/api/jobs/{page.url.rpartition('/')[2]}").json()
    assert job["title"].startswith("nlhe Td9d6hQc")
    node = page.request.post(f"/api/solves/{job['id']}/node", data={}).json()
    assert (node["board"], node["pot"]) == ("Td9d6hQc", preset.pot)
    page.goto("/")
    page.get_by_label("what was done last").get_by_role("link", name=re.compile("Td9d6hQc")).click()
    page.wait_for_url("**/study/solve/*")


def test_a_table_against_the_strongest_by_one_click(page: Any) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play heads-up").click()
    page.wait_for_url("**/play")
    page.locator(".room").wait_for()
    seat = page.evaluate("JSON.parse(localStorage.getItem('regretless.seat'))")
    answer = page.request.get(
        f"/api/tables/{seat['table']}", headers={"X-Seat-Token": seat["token"]}
    )
    names = {each["name"] for each in answer.json()["players"]} - {"you"}
    assert names == {_strongest()}
    page.goto("/")
    page.get_by_role("link", name="Your table").wait_for()
    page.get_by_role("button", name="Back to your table").click()
    page.wait_for_url("**/play")


def _strongest() -> str:
    """Returns the heads-up strategy that ships from which a best response wins the least."""
    lost = {}
    for name in shipped_names():
        path = strategy_directory(name)
        assert path is not None
        manifest = open_bundle(path).manifest
        found = [e.value for e in manifest.strength if e.measure == "local best response"]
        if found:
            lost[name] = max(found)
    assert len(lost) > 1
    return min(lost, key=lambda name: lost[name])


def test_a_run_is_started_by_one_click(page: Any, data: Path) -> None:
    page.goto("/")
    page.get_by_role("button", name="Start a run").click()
    page.wait_for_url("**/runs?run=*")
    id = page.url.rpartition("=")[2]
    for _ in range(600):
        state = page.request.get(f"/api/runs/{id}").json()
        if state["status"] == "done":
            break
        page.wait_for_timeout(100)
    assert state["status"] == "done", state
    record = read_run(data / "runs" / id)
    assert (record.game, record.algorithm) == ("leduc", "dcfr")
    page.goto("/")
    page.get_by_label("what was done last").get_by_role("link", name=id).wait_for()
    assert "Near-optimal." in _entry(page, id)
    assert page.get_by_role("link", name=f"Curves {id}").get_attribute("href") == f"/runs?run={id}"


def test_what_was_studied_is_offered_again(page: Any) -> None:
    page.goto("/study/leduc")
    page.get_by_text("to act").first.wait_for()
    page.evaluate(
        """() => {
        const recent = JSON.parse(localStorage.getItem('regretless.recent'));
        const gone = ['deleted', 'solve/0123'].map((id) => ({ id, name: id, game: '', at: 1 }));
        localStorage.setItem('regretless.recent', JSON.stringify([...gone, ...recent]));
    }"""
    )
    page.goto("/")
    page.get_by_role("link", name="solve/0123").wait_for(state="detached")
    assert page.get_by_role("link", name="deleted").count() == 0  # what is gone is not offered
    page.get_by_label("what was done last").get_by_role("link", name="leduc studied").click()
    page.wait_for_url("**/study/leduc")


@pytest.mark.parametrize(("look", "size"), [("light", (1440, 900)), ("dark", (390, 844))])
def test_everybody_can_use_it(page: Any, look: str, size: tuple[int, int]) -> None:
    page.emulate_media(color_scheme=look)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/")
    page.get_by_role("heading", name="Library").wait_for()
    for name in ("Study", "Play", "Train"):
        page.get_by_role("heading", name=name, exact=True).wait_for()
    check_access(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]

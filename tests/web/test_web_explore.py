# SPDX-License-Identifier: MIT
"""The explorer in a browser: trees, checkpoints, locks, running solves, Omaha, colours."""

import itertools
import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretless import solve, train
from regretless.explorer.node_text import equity_curves
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import find_runouts
from regretless.policies.asking import mixes
from regretless.seats.strategies import find_strategy
from regretless.solving.spot_options import SpotOptions
from regretless.web.parts.palette import PALETTES
from web_browser import check_access

TINY = "steps: 5, batch: 64, capacity: 5000, strategy_capacity: 5000, strategy_steps: 5"
NETWORK = f"traversals: 20, widths: [16], {TINY}, strategy_batch: 64"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    solve("leduc", iterations=50).write_bundle(path / "leduc")
    spot = SpotOptions("QsJh2h8d3c", 100, 200, "AA,KQs,76s,T9s", "99,AQs,KJs,22").spot()
    assert spot is not None
    solve(spot, target=0.2).write_bundle(path / "river")
    configs = {
        "run": "game: leduc\nalgorithm: {name: dcfr}\nbudget: {steps: 60}\n"
        "evaluate: {every_steps: 20}\ncheckpoint: {every_steps: 20, keep: 9}\n",
        "one": "game: kuhn\nalgorithm: {name: cfr}\nbudget: {steps: 20}\n"
        "checkpoint: {every_steps: 5, keep: 1}\n",
        "network": f"game: kuhn\nalgorithm: {{name: deep-cfr, {NETWORK}}}\nbudget: {{steps: 2}}\n"
        "evaluate: {measures: []}\ncheckpoint: {every_steps: 1, keep: 9}\n",
        "omaha": f"game: plo4\nalgorithm: {{name: deep-cfr, encoder: composition, in_flight: 64, "
        f"kept_answers: 0, runouts: 1, {NETWORK}}}\nbudget: {{steps: 1}}\n"
        "evaluate: {measures: []}\n",
    }
    for name, text in configs.items():
        (path / f"{name}.yaml").write_text(text)
        train(path / f"{name}.yaml", f"output={path / name}")
    return path


def _post(server: str, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(
        f"{server}/api{path}", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_an_equity_graph_tells_both_ranges(page: Any, directory: Path) -> None:
    page.goto("/explore/river?line=x")
    picture = page.get_by_role("img", name=re.compile("^Equity graph"))
    curves = equity_curves(SolvedTree.open(directory / "river").node("x"))
    told = picture.get_attribute("aria-label")
    for name, curve in curves.items():
        ends = f"{name}: weakest {curve[0]:.0%}, middle {curve[50]:.0%}, best {curve[-1]:.0%}"
        assert ends in told
    assert picture.locator("polyline").count() == 2


def test_the_tree_and_the_infosets_of_leduc(page: Any, directory: Path) -> None:
    tree = SolvedTree.open(directory / "leduc")
    page.goto("/tree/leduc")
    page.get_by_text("1 to 100 of 936 infosets").wait_for()
    assert page.locator(".tree .said").count() == 465
    node = tree.node()
    row = page.locator('tr[data-infoset=" Kc"]').inner_text()
    assert f"{node.choices[1].mix[node.acting.hands.index('Kc')]:.1%}" in row
    page.locator("summary").filter(has_text="check").first.click()
    belief = page.locator(".tree details details").first.locator(".said").first.inner_text()
    assert f"{tree.node('x').seats[0].shares[0]:.0%}" in belief
    page.get_by_label("hand", exact=True).fill("K")
    page.get_by_label("hand", exact=True).press("Enter")
    page.get_by_text("1 to 100 of 312 infosets").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_text("101 to 200 of 312 infosets").wait_for()
    page.reload()  # the address tells it
    page.get_by_text("101 to 200 of 312 infosets").wait_for()
    page.locator(".tree a").first.click()
    page.wait_for_url("**/explore/leduc")


@pytest.mark.parametrize(
    ("run", "steps"), [("run", [20, 40]), pytest.param("network", [1], marks=pytest.mark.slow)]
)
def test_a_spot_as_training_went_on(page: Any, directory: Path, run: str, steps: list[int]) -> None:
    page.goto(f"/explore/{run}?line=x")
    page.get_by_text("the newest", exact=True).wait_for()
    slider = page.get_by_role("slider", name="checkpoint")
    for step in reversed(steps):
        slider.locator('[tabindex="0"]').focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_url(f"**step={step}")
        page.get_by_text(f"checkpoint of step {step}").wait_for()
        found = find_strategy(directory / run, step=step)
        episode = found.game.episode_of()
        episode.choose(1)
        (mix,) = mixes(found.policy, [episode])
        best = found.game.num_hands - 1
        told = page.locator('tr[data-hand^="K"]').last.inner_text()
        assert f"{mix[best][1]:.1%}" in told
    page.reload()
    page.get_by_text(f"checkpoint of step {steps[0]}").wait_for()


def test_a_run_that_kept_one_strategy_says_so(page: Any) -> None:
    page.goto("/explore/one")
    page.get_by_text("The run kept only its newest strategy").wait_for()
    assert page.get_by_role("slider").count() == 0


def test_a_node_is_locked_and_what_it_costs(page: Any, directory: Path) -> None:
    page.goto("/explore/river?line=x")
    page.get_by_text("Lock this decision").click()
    page.get_by_label("strategy of IP").click()
    page.get_by_role("option", name="always check").click()
    page.get_by_role("button", name="Lock", exact=True).click()
    page.get_by_text("x: IP, always check").wait_for()
    page.get_by_role("button", name="Solve again", exact=True).click()
    told = page.get_by_text(re.compile(r"^The locks cost IP [0-9.]+ chips"))
    told.wait_for()
    cost = float(told.inner_text().split()[4])
    check_access(page)
    free = SolvedTree.open(directory / "river").node().seats[1].value
    page.get_by_role("link", name="Open the solution").click()
    page.wait_for_url("**/explore/solve/*line=x")
    page.locator(".choice").filter(has_text="check").filter(has_text="100.0%").wait_for()
    page.keyboard.press("Backspace")
    page.locator(".choice").first.wait_for()
    page.wait_for_function("!document.querySelector('.crumb:nth-child(2)')")
    row = page.get_by_role("row").filter(has_text=re.compile("^IP")).first.inner_text()
    assert float(row.split()[-1]) == pytest.approx(free - cost, abs=0.01)


def test_a_solve_that_runs_is_looked_at(page: Any, server: str) -> None:
    spot = {"board": "QsJh2h8d", "pot": 100, "stack": 200, "range_ip": "22+,A2s+"}
    wish = {"spot": {**spot, "range_oop": "AA,KQs,76s"}, "target": 1e-9, "seconds": 60}
    job = _post(server, "/solves", wish)["id"]
    page.goto(f"/explore/solve/{job}?line=x")
    still = page.get_by_text(re.compile("after .* iterations, still being solved"))
    still.wait_for()
    before = still.inner_text()
    page.wait_for_function(
        "before => ![...document.querySelectorAll('.dim')].some(e => e.innerText == before)",
        arg=before,
    )
    assert page.locator(".cell").count() == 169
    first = _post(server, f"/solves/{job}/node", {"line": "x"})
    assert first["iterations"] > 0 and first["actor"] == "IP"
    _post(server, f"/jobs/{job}/cancel", {})
    page.get_by_text("there is no solution yet").wait_for()


def test_omaha_has_a_table_of_classes(page: Any) -> None:
    page.goto("/explore/omaha")
    page.get_by_text("A sample of 4,000 of 270,725 hands.").wait_for()
    page.get_by_role("button", name="AA, double-suited").click()
    row = page.locator("tr[data-hand]").first
    row.wait_for()
    assert row.get_attribute("data-hand").count("A") == 2
    page.keyboard.press("2")
    page.wait_for_url("**line=c")
    page.locator('[data-class="AA, rainbow"]').wait_for()
    check_access(page)


def test_a_click_keeps_the_combos_and_the_table_is_seen_whole(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/explore/river")
    page.locator("[data-cell=AA]").click()
    page.get_by_text("AA (kept").wait_for()
    page.locator("[data-cell=KQs]").hover()
    page.locator("[data-cell='76s']").hover()
    combos = page.get_by_label("hands", exact=True)
    assert {each[0] for each in combos.locator("tr td:first-child").all_inner_texts()} == {"A"}
    seen, needed = combos.evaluate("each => [each.clientWidth, each.scrollWidth]")
    assert needed <= seen
    assert "EV" in combos.locator("tr").nth(1).locator("td").last.inner_text()
    page.locator("[data-cell=AA]").click()  # and lets it go
    page.locator("[data-cell=KQs]").hover()
    combos.get_by_label("K of").first.wait_for()


def test_a_phone_shows_the_current_node_and_all_links(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/explore/leduc?line=x x | Kd | x b4 r8")
    page.locator(".crumb.here").wait_for()
    page.wait_for_function("document.querySelector('.crumbs').scrollLeft > 0")
    box = page.locator(".crumb.here").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.goto("/")
    links = [each.bounding_box() for each in page.locator(".library a").all()]
    assert links and all(each["x"] + each["width"] <= 390 for each in links)
    page.get_by_role("link", name="river", exact=True).click()
    page.locator(".cell").first.wait_for()
    size = page.locator(".cell").first.evaluate("each => getComputedStyle(each).fontSize")
    assert float(size.removesuffix("px")) >= 9


def test_views_filters_classes_and_next_cards(page: Any, directory: Path) -> None:
    page.goto("/explore/river?line=x")
    node = SolvedTree.open(directory / "river").node("x")
    made = {row["class"]: row for row in node.class_rows(1, "made")}
    page.locator('tr[data-class="set"]').wait_for()
    shown = page.locator('tr[data-class="set"]').inner_text()
    assert f"{made['set']['share']:.1%}" in shown
    page.get_by_role("button", name="equity", exact=True).click()
    nines = next(cell for row in node.grid(1) for cell in row if cell.name == "99")
    page.get_by_label(re.compile(f"^99: .*equity {nines.equity:.0%}")).wait_for()
    page.get_by_role("combobox", name="made hand").click()
    page.get_by_role("option", name="set", exact=True).click()
    page.get_by_label("99: does not arrive").wait_for()
    assert page.locator('tr[data-class="nothing"]').count() == 0
    check_access(page)
    page.goto("/explore/leduc?line=x x")
    page.get_by_role("button", name="Report of all cards").click()
    page.locator('tr[data-card="all"]').wait_for()
    rows = [each.row() for each in find_runouts(SolvedTree.open(directory / "leduc"), "x x")]
    assert page.locator("tr[data-card]").count() == len(rows) + 1


def test_colours_are_chosen_and_kept(page: Any) -> None:
    page.goto("/explore/river")

    def colour() -> str:
        found: str = page.locator(".swatch").first.evaluate(
            "e => getComputedStyle(e).backgroundColor"
        )
        return found

    before = colour()
    page.get_by_role("button", name="colours").click()
    page.get_by_role("menuitem", name="Light (Tol)").wait_for()
    check_access(page)
    page.get_by_role("menuitem", name="Light (Tol)").click()
    page.wait_for_function("document.documentElement.dataset.palette == '1'")
    assert colour() != before
    page.goto("/solve")
    assert page.evaluate("document.documentElement.dataset.palette") == "1"


@pytest.mark.parametrize(
    ("scheme", "width"), [pytest.param("light", 1100, marks=pytest.mark.slow), ("dark", 400)]
)
def test_everybody_can_use_the_explorer(page: Any, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/explore/run", "/explore/river?line=x", "/tree/one", "/explore/omaha"):
        page.goto(path)
        page.locator("h1").wait_for()
        if "river" in path:
            page.get_by_text("Lock this decision").click()
            page.get_by_label("strategy of IP").wait_for()
        check_access(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


# What dichromats see, by Machado, Oliveira and Fernandes 2009, for severity 1, in linear RGB.
VISION = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def _linear(colour: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _lab(linear: Any) -> Any:
    """CIELAB of D65."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = (to_xyz @ np.clip(linear, 0, 1)) / np.array([0.9505, 1.0, 1.089])
    fx, fy, fz = (np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_is_told_apart_by_everybody(name: str) -> None:
    colours = PALETTES[name]
    common = [colours["fold"], colours["call"], *colours["raises"].split()[:3]]
    for matrix in ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], *VISION.values()):
        seen = [_lab(np.array(matrix) @ _linear(each)) for each in common]
        for one, other in itertools.combinations(range(len(common)), 2):
            distance = np.linalg.norm(seen[one] - seen[other])
            assert distance > 10, (common[one], common[other], distance)
    for each in (colours["fold"], colours["call"], colours["range"], *colours["raises"].split()):
        luminance = float(np.array([0.2126, 0.7152, 0.0722]) @ _linear(each))
        assert (luminance + 0.05) / 0.05 >= 4.5, each  # black text on it

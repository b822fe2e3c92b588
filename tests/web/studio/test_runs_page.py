# SPDX-License-Identifier: MIT
"""Runs, leaderboard and cross-play in a browser: what they show is what files and package say."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from regretless import cross_play, find_strategy, leaderboard, train
from regretless.histories.lines import read_line
from regretless.policies.asking import mixes
from regretless.runs.run_groups import group_curve
from regretless.runs.run_record import read_run
from web_browser import check_access

PATIENCE = 90_000  # milliseconds
FIRST, SECOND = "leduc-mccfr-1", "leduc-mccfr-2"
LONG = "budget={seconds: 600}\nlog.every_steps=5000\nevaluate.every_steps=5000"
POINTS = """(measure) => (document.querySelector(
    `[data-measure="${measure}"] .curve`)?.getAttribute('d').match(/[ML]/g) ?? []).length"""


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    often = ("budget={steps: 200}", "log.every_steps=20", "evaluate.every_steps=20")
    for name, seed in (("cfr", 1), ("cfr", 2), ("cfr+", 1)):
        output = f"output={path / f'kuhn-{name}-{seed}'}"
        train("kuhn_cfr", f"algorithm.name={name}", f"seed={seed}", output, *often)
    bots = "{name: baselines, hands: 400, bots: [caller]}"
    measured = f"evaluate={{every_steps: 5, measures: [exact, {bots}]}}"
    few = ("budget.steps=30", "algorithm.iterations_per_step=200", "log.every_steps=5")
    for seed in (1, 2):
        output = f"output={path / f'leduc-mccfr-{seed}'}"
        kept = "checkpoint={every_steps: 10, keep: 9}"
        train("leduc_mccfr", f"seed={seed}", output, *few, measured, kept)
    return path


def _points(page: Any, more_than: int) -> int:
    """Waits until the curve of the exploitability has more points than that; returns how many."""
    until = time.monotonic() + PATIENCE / 1000
    while (count := page.evaluate(POINTS, "eval/exploitability")) <= more_than:
        assert time.monotonic() < until, count
        page.wait_for_timeout(100)
    return int(count)


def _figure(value: float) -> str:
    """A figure as the pages write it, with four digits that count."""
    size = abs(value)
    if size < 1e-4:
        text = f"{size:.3e}".replace("e-0", "e-")
    else:
        text = f"{size:,.4g}" if size < 1000 else f"{size:,.0f}"
    return f"−{text}" if value < 0 else text


def _rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def _query(page: Any) -> dict[str, str]:
    return {key: value[0] for key, value in parse_qs(urlsplit(page.url).query).items()}


def _row(page: Any, id: str) -> Any:
    return page.locator(f'.run-row[data-run="{id}"]')


def _until(page: Any, id: str, *statuses: str) -> None:
    words = re.compile("|".join(statuses))
    _row(page, id).locator(".badge").filter(has_text=words).wait_for()


def _chart(page: Any, measure: str) -> Any:
    return page.locator(f'.chart-box[data-measure="{measure}"]')


def test_a_recipe_from_its_start_to_its_end(loose: Any, data: Path) -> None:
    page = loose  # what is refused is an error of its console
    page.goto("/")
    page.get_by_role("link", name="Train").click()
    page.get_by_role("button", name="New run").click()
    form = page.get_by_role("dialog", name="New run")
    form.get_by_label("Recipe").select_option("kuhn_cfr")
    form.get_by_text("kuhn · cfr+ · shipped").wait_for()
    changes = form.get_by_label("Changes, one per line")
    changes.fill("output=/tmp/elsewhere")
    form.get_by_role("button", name="Start", exact=True).click()
    form.get_by_role("alert").filter(has_text="output: is refused here").wait_for()
    changes.fill(LONG)
    form.get_by_label("Seeds").fill("one")
    form.get_by_text("no seed: one").wait_for()
    assert form.get_by_role("button", name="Start", exact=True).is_disabled()
    form.get_by_label("Seeds").fill("4")
    form.get_by_role("button", name="Estimate").click()
    told = form.locator(".forecast")
    told.wait_for()
    assert re.search(r"memory\s+[0-9.]+ MiB\s+of [0-9.]+ GiB free", told.inner_text())
    assert "10 min" in told.inner_text()
    check_access(page)
    form.get_by_role("button", name="Start", exact=True).click()
    stop = page.get_by_role("button", name=re.compile("^Stop: kuhn_cfr-"))
    stop.wait_for()
    id = _query(page)["run"]
    run = data / "runs" / id
    _until(page, id, "running")
    detail = page.get_by_role("region", name=f"run {id}")
    detail.get_by_text(re.compile("time about 10 min")).wait_for()  # as the run noted
    _row(page, id).locator(".activity").filter(
        has_text=re.compile("training|measuring|saving")
    ).wait_for()
    detail.get_by_text(re.compile(r"of 10 min · \S+ \S+ left")).wait_for()
    before = _points(page, _points(page, 1))  # it grows without a reload
    stop.focus()
    _points(page, before)  # all is drawn anew, and the key still means this button
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Stop: {id}"
    page.keyboard.press("Enter")
    _until(page, id, "stopped")
    last = [row for row in _rows(run) if "eval/exploitability" in row][-1]
    figure = detail.locator('[data-figure="eval/exploitability"] b')
    newest = re.compile(f"^{re.escape(_figure(last['eval/exploitability']))}$")
    figure.filter(has_text=newest).wait_for()
    step = _rows(run)[-1]["step"]
    detail.get_by_role("button", name="Resume").click()
    again = page.get_by_role("form", name=f"resume {id}")
    again.get_by_label("Changes, one per line").fill("seed=7")
    again.get_by_role("button", name="Go on").click()
    again.get_by_role("alert").filter(has_text="seed: cannot change").wait_for()
    goal = step + 20_000
    again.get_by_label("Changes, one per line").fill(f"budget={{steps: {goal}}}")
    again.get_by_role("button", name="Go on").click()
    _until(page, id, "done")
    detail.locator("dd").filter(has_text=re.compile(f"^{goal:,}$")).wait_for()
    detail.get_by_text("Config").click()
    assert "seed: 4" in detail.locator("pre").inner_text()
    assert str(data) not in page.content()  # no path of the server


def test_seeds_start_one_after_the_other(loose: Any) -> None:
    """Three where two run at a time: the third is refused and waits for room."""
    page = loose
    page.goto("/runs?new=1&recipe=kuhn_cfr")
    form = page.get_by_role("dialog", name="New run")
    form.get_by_label("Seeds").fill("1-3")
    changes = "budget={steps: 400}\nlog.every_steps=40\nevaluate.every_steps=40"
    form.get_by_label("Changes, one per line").fill(changes)
    form.get_by_role("button", name="Start 3 runs").click()
    page.wait_for_url(lambda url: url.count("kuhn_cfr-") == 4)  # `run` and three of `runs`
    ids = _query(page)["runs"].split(",")
    for id in ids:
        _until(page, id, "done")
    legend = page.get_by_role("list", name="curves by colour")
    legend.get_by_text(f"{ids[0]} and 2 equal runs").wait_for()
    assert legend.get_by_role("listitem").count() == 1


def test_what_is_started_elsewhere_appears(page: Any, directory: Path) -> None:
    """A run of another process, and the line of one that cannot be."""
    page.goto("/runs")
    measured = _figure(_rows(directory / FIRST)[-1]["eval/exploitability"])
    _row(page, FIRST).get_by_text(f"Exploitability {measured}").wait_for()
    config = directory / "mine.yaml"
    config.write_text(
        "game: kuhn\nalgorithm: {name: mccfr}\nbudget: {seconds: 60}\n"
        "log: {every_steps: 200}\nevaluate: {every_steps: 200}\n"
    )
    command = ["train", str(config), f"output={directory / 'elsewhere'}"]
    training = subprocess.Popen(
        [sys.executable, "-m", "regretless.cli", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        asked = {"recipe": "leduc_cfr", "overrides": ["algorithm.sped=2"]}
        assert page.request.post("/api/runs", data=asked).status == 202
        _until(page, "elsewhere", "running")
        _row(page, "elsewhere").get_by_role("button", name=re.compile("^elsewhere")).click()
        page.locator(".doing").get_by_text(re.compile("training|measuring|saving")).wait_for()
        _row(page, "elsewhere").get_by_role("checkbox").check()
        _points(page, 1)
        assert page.get_by_role("button", name="Stop: elsewhere").count() == 0
    finally:
        training.terminate()
        training.wait(60)
    _until(page, "elsewhere", "stopped")
    failed = page.locator(".run-row").filter(has_text="failed")
    assert "unknown option 'sped'" in failed.inner_text()


def test_seeds_are_one_curve_with_a_band(page: Any, directory: Path) -> None:
    page.goto("/runs")
    _row(page, FIRST).wait_for()
    for row in page.locator(".run-row").all():
        box = row.get_by_role("checkbox")
        box.set_checked(row.get_attribute("data-run") in (FIRST, SECOND))
    assert set(_query(page)["runs"].split(",")) == {FIRST, SECOND}
    page.get_by_label("Against", exact=True).select_option("iterations")
    page.get_by_role("button", name="Strength").click()
    assert _query(page)["show"] == "strength" and _query(page)["x"] == "iterations"
    page.locator(".curves-legend li").nth(1).wait_for(state="detached")
    records = [read_run(directory / name) for name in (FIRST, SECOND)]
    for measure, scale in (("eval/exploitability", 1.0), ("eval/match_caller", 0.1)):
        for how, band in (("range", "range"), ("95", "95%")):
            page.get_by_label("Seeds", exact=True).select_option(how)
            curve = group_curve("", records, measure, "iterations", band)
            assert curve.band is not None
            last = [scale * each[-1] for each in (curve.values, *curve.band)]
            shown = f"{_figure(last[0])}{_figure(last[1])} to {_figure(last[2])}"
            value = _chart(page, measure).locator(".chart-value")
            value.filter(has_text=re.compile(f"^{re.escape(shown)}$")).wait_for()
            assert value.get_attribute("data-curve") == f"{FIRST} and 1 more seed"
            assert page.evaluate(POINTS, measure) == len(curve.places)
    page.get_by_label("Seeds", exact=True).select_option("apart")
    values = _chart(page, "eval/exploitability").locator(".chart-value")
    page.locator(".curves-legend li").nth(1).wait_for()
    expected = [
        _figure(_rows(directory / each)[-1]["eval/exploitability"]) for each in (FIRST, SECOND)
    ]
    assert values.all_inner_texts() == expected
    caller = _rows(directory / FIRST)[-1]
    interval = _chart(page, "eval/match_caller").locator(".chart-value").first.inner_text()
    ends = [_figure(0.1 * caller[f"eval/match_caller{end}"]) for end in ("", "/low", "/high")]
    assert interval.split() == [ends[0], ends[1], "to", ends[2]]
    page.reload()  # everything is in the address
    page.locator(".curves-legend li").nth(1).wait_for()
    page.get_by_role("button", name="show Exploitability alone").click()
    page.locator(".chart-grid.large").wait_for()
    assert page.locator(".chart-box").count() == 1
    assert _query(page)["measure"] == "eval/exploitability"
    ticks = _chart(page, "eval/exploitability").locator("text.tick").all_text_contents()
    assert {"0.5", "1"} <= {*ticks} and "0" not in ticks  # the axis is logarithmic


def test_measures_have_names_and_units(page: Any) -> None:
    page.goto(f"/runs?run={FIRST}&show=speed")
    titles = page.locator(".chart-title h2")
    titles.filter(has_text="Throughput").wait_for()
    assert "steps per second" in _chart(page, "time/steps_per_second").inner_text()
    page.get_by_role("button", name="Memory", exact=True).click()
    titles.filter(has_text="Memory at its peak").wait_for()
    memory = _chart(page, "sys/peak_memory_bytes")
    assert "MiB" in memory.inner_text() and "sys/" not in page.locator("main").inner_text()


def test_the_strategy_over_training_time(page: Any, directory: Path) -> None:
    page.goto(f"/runs?run={FIRST}")
    page.get_by_role("link", name="Over time").click()
    page.get_by_role("navigation", name="line of play").get_by_text("bet 2").click()
    page.get_by_label(re.compile("^Hand of")).select_option("Kc")
    rows = page.locator(".checkpoint-row")
    page.get_by_text("3 checkpoints kept").wait_for()
    assert [row.get_attribute("data-step") for row in rows.all()] == ["30", "20", "10"]
    assert (_query(page)["line"], _query(page)["hand"]) == ("b2", "Kc")
    for row, step in ((rows.nth(1), 20), (rows.nth(2), 10)):
        shown = [float(each) for each in re.findall(r"([0-9.]+) %", row.inner_text())]
        assert shown == pytest.approx(_mix(directory / FIRST, step), abs=0.06)
    rows.nth(2).get_by_role("link", name="Study").click()
    page.wait_for_url("**/study/leduc-mccfr-1?*")
    assert _query(page) == {"line": "b2", "step": "10", "pin": "Kc"}


def _mix(run: Path, step: int) -> list[float]:
    """The answer of the king of clubs to a bet at the start of Leduc, in percent."""
    found = find_strategy(run, step=step)
    episode = found.game.episode_of()
    read_line("b2", episode)
    (mix,) = mixes(found.policy, [episode])
    return [100 * float(each) for each in mix[4]]  # of six cards, the jacks first


def test_leaderboard(page: Any, directory: Path) -> None:
    page.goto("/leaderboard")
    board = page.get_by_role("region", name="runs of kuhn")
    board.wait_for()
    ours = board.locator('tr[data-run^="kuhn-"]')
    expected = leaderboard([*sorted(directory.glob("kuhn-*"))])["kuhn"]
    assert [row.get_attribute("data-run") for row in ours.all()] == ["kuhn-cfr--1", "kuhn-cfr-1"]
    for row, each in zip(ours.all(), expected, strict=True):
        cells = row.get_by_role("cell").all_inner_texts()
        assert each.best is not None and each.last is not None and each.nodes is not None
        assert cells[2:4] == [_figure(each.best), _figure(each.last)]
        assert cells[4:6] == [f"{each.iterations:,}", f"{each.nodes:,}"]
    board.get_by_text("kuhn-cfr-1 and 1 equal run").wait_for()
    for _ in range(2):
        page.get_by_role("button", name="sort kuhn by best").click()
    page.locator('th[aria-sort="descending"]').first.wait_for()
    assert [row.get_attribute("data-run") for row in ours.all()] == ["kuhn-cfr-1", "kuhn-cfr--1"]
    page.get_by_label("Measure").select_option("eval/match_caller")
    leduc = page.get_by_role("region", name="runs of leduc")
    page.get_by_text("Won from caller, antes per 100 hands").wait_for()
    (seeds,) = leaderboard([directory / FIRST, directory / SECOND], "eval/match_caller")["leduc"]
    assert seeds.last is not None and seeds.low is not None and seeds.high is not None
    last, low, high = (_figure(0.1 * each) for each in (seeds.last, seeds.low, seeds.high))
    assert f"{last} ({low} to {high})" in leduc.inner_text()
    assert _query(page) == {"sort": "-best", "measure": "eval/match_caller"}
    leduc.get_by_role("link", name=f"{FIRST} and 1 more seed").click()
    page.wait_for_url("**/runs?*")
    assert _query(page)["runs"] == f"{FIRST},{SECOND}"


def test_a_matrix_of_bots(page: Any) -> None:
    page.goto("/cross")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("players: choose 2 to 10").wait_for()
    for name in ("caller", "pot-odds"):
        page.get_by_role("button", name=name, exact=True).click()
    hands = page.get_by_label("Hands per pair")
    hands.fill("0")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("hands: a whole number above 0").wait_for()
    hands.fill("9000000")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("cancelled after").wait_for()
    hands.fill("2000")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("done after").wait_for()
    won = cross_play("caller", "pot-odds", game="leduc", hands=2000).won[0][1]
    assert won is not None
    cell = page.locator("table.cross td").nth(1)
    mean, half = 100 * won.mean, 100 * won.half_width
    shown = cell.inner_text().replace("−", "-").split()
    assert [float(shown[0].replace(",", "")), shown[1]] == [round(mean, 1), "±"]
    assert float(shown[2].replace(",", "")) == round(half, 1)
    sure = "wins" if mean > half else "loses" if mean < -half else "even"
    assert sure in (cell.get_attribute("class") or "").split()
    page.reload()  # players and the result are found again by the address
    page.locator("table.cross td").nth(1).wait_for()
    assert page.get_by_role("button", name="caller", exact=True).get_attribute("aria-pressed")
    assert _query(page)["players"] == "bot:caller,bot:pot-odds"


@pytest.mark.slow  # test_layout.py has axe on other states of the pages
@pytest.mark.parametrize(
    "path",
    [
        "/runs",
        f"/runs?run={FIRST}&view=strategy&line=r",
        "/leaderboard",
        "/cross?players=bot:caller",
    ],
)
def test_both_looks_and_a_phone(page: Any, path: str) -> None:
    page.goto(path)
    page.locator(".chart-box, .checkpoint-row, .standings, .cross-form").first.wait_for()
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look)
        check_access(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(page)

# SPDX-License-Identifier: MIT
"""Measures the time until the explorer shows a spot of the shipped heads-up no-limit bundle.

python benchmarks/scripts/web_explorer.py [--json]          # needs playwright and a Chromium

In a real browser on this machine, medians of some visits: from the start of a navigation until the
grid of 13 x 13 is painted (aim: under 300 ms), from a click on an action until the grid of the next
spot is painted (aim: under 100 ms), and a request to the API. Spots are asked for the first time
before they are measured, except where the line says "new".
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks.machine import describe_machine

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from web_browser import browser_path, served

BUNDLE = "hunl-deep-cfr"
SPOTS = {"preflop": "r4", "flop": "r4 c | 7h8h2c", "turn": "r4 c | 7h8h2c | x x | 2d"}
NEW = ("c x | 7h8h2c | x", "c x | 9h8h2c | x", "c x | Th8h2c | x", "c x | Jh8h2c | x")
VISITS = 7

_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_CLICK = """(line) => new Promise((done) => {
  const grid = () => document.querySelector('.grid13').dataset.line;
  const button = [...document.querySelectorAll('.choice')].find(b => b.dataset.line == line);
  const before = grid(), begun = performance.now();
  const look = () => grid() == before ? setTimeout(look, 1) : requestAnimationFrame(
    () => requestAnimationFrame(() => done(performance.now() - begun)));
  button.click(); look();
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="One JSON object instead of lines.")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name) / "library"
        empty.mkdir()
        with served(empty, Path(name) / "data") as address, sync_playwright() as started:
            browser = started.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
            page = browser.new_page(base_url=address, viewport={"width": 1100, "height": 900})
            page.set_default_timeout(120_000)
            figures = {**_visits(page), **_clicks(page), **_requests(address)}
            browser.close()
    machine = describe_machine()
    if as_json:
        print(json.dumps({"milliseconds": figures, "machine": machine}))
        return
    for key, value in figures.items():
        print(f"{key:32} {value:7.0f} ms")
    print(f"{machine['cpu']}, {machine['level']}, {machine['cores']} cores")


def _visit(page: Any, line: str) -> float:
    begun = time.perf_counter()
    page.goto(f"/explore/{BUNDLE}?line={line}", wait_until="commit")
    page.locator(".grid13").wait_for()
    page.evaluate(_PAINTED)
    return 1000 * (time.perf_counter() - begun)


def _visits(page: Any) -> dict[str, float]:
    _visit(page, "")  # opens the bundle
    found = {}
    for name, line in SPOTS.items():
        _visit(page, line)
        found[f"page, {name}"] = statistics.median(_visit(page, line) for _ in range(VISITS))
    found["page, new flops"] = statistics.median(_visit(page, line) for line in NEW)
    return found


def _clicks(page: Any) -> dict[str, float]:
    found = {}
    for name, line in SPOTS.items():
        times = []
        for _ in range(VISITS + 1):
            _visit(page, line)
            page.wait_for_timeout(300)  # until the page listens
            target = (
                page.locator(".choice")
                .filter(has_text="bet")
                .or_(page.locator(".choice").filter(has_text="raise"))
            )
            times.append(page.evaluate(_CLICK, target.first.get_attribute("data-line")))
        found[f"click, {name}, new"] = times[0]
        found[f"click, {name}"] = statistics.median(times[1:])
    return found


def _requests(address: str) -> dict[str, float]:
    found = {}
    for name, line in SPOTS.items():
        body = json.dumps({"id": BUNDLE, "line": line}).encode()
        times = []
        for _ in range(VISITS):
            begun = time.perf_counter()
            request = urllib.request.Request(
                f"{address}/api/node", body, {"content-type": "application/json"}
            )
            urllib.request.urlopen(request).read()
            times.append(1000 * (time.perf_counter() - begun))
        found[f"/api/node, {name}"] = statistics.median(times)
    return found


if __name__ == "__main__":
    main()

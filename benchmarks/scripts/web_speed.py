# SPDX-License-Identifier: MIT
"""Measures how fast the studio answers: on the server, on the screen, and after its start.

    python -m benchmarks.scripts.web_speed [--quick] [--json]     # needs playwright and a Chromium

A library of four solutions is made first: a flop, a turn, a river and Leduc. Then random walks from
the start of each: the time of a request for a node (aim: under 60 ms at the 95th percentile), and
the time from a click to the painted node in Chromium (aim: under 150 ms). Last, the time from the
first answer of a new server to the first painted page (aim: under 500 ms). At a table of six, the
time between two frames while chips move (aim: 17 ms, 60 frames a second), over ten hands.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks.machine import describe_machine
from regretless import solve
from regretless.solving.spot_options import SpotOptions

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "drivers"))
from web_browser import browser_path, served

Figures = dict[str, float]

OOP = "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,75s+,65s,54s,ATo+,KJo+,QJo"
IP = "66+,A8s+,KTs+,QTs+,JTs,T9s,98s,AJo+,KQo"
SPOTS = {
    "flop": SpotOptions("Td9d6h", 60, 150, OOP, IP, bets="100%", raises="a"),
    "turn": SpotOptions("QsJh2h8d", 100, 400, "random", "random"),
    "river": SpotOptions("QsJh2h8d3c", 100, 400, "random", "random"),
}
WINDOW = {"width": 1440, "height": 900}
PATIENCE = 120_000  # milliseconds

_PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_CLICK = """([selector, line]) => new Promise((done) => {
  const shown = () => document.querySelector('.study')?.dataset.line;
  const begun = performance.now();
  const look = () => shown() === line
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)))
    : setTimeout(look, 1);
  document.querySelector(selector).click();
  look();
})"""


_COUNT_FRAMES = """() => {
  window.frameTimes = [];
  let last = null;
  const look = (now) => {
    const moves = document.querySelector('.play')?.dataset.moving;
    if (moves && last !== null) window.frameTimes.push(now - last);
    last = moves ? now : null;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer nodes and starts")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as started:
        library, data = Path(name) / "library", Path(name) / "data"
        make_library(library)
        browser = started.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        figures = measure(browser, library, data, quick=arguments.quick)
        browser.close()
    machine = describe_machine()
    if arguments.json:
        print(json.dumps({"milliseconds": figures, "machine": machine}))
        return
    for key, value in figures.items():
        print(f"{key:44} {value:7.0f} ms")
    print(f"{machine['cpu']}, {machine['level']}, {machine['cores']} cores")


def measure(browser: Any, library: Path, data: Path, *, quick: bool) -> Figures:
    """All figures by name, in milliseconds."""
    figures: Figures = {}
    nodes, clicks, starts = (30, 15, 2) if quick else (200, 60, 5)
    with served(library, data) as address:
        for name in (*SPOTS, "leduc"):
            figures |= node_requests(address, name, nodes)
            figures |= node_clicks(browser, address, name, clicks)
        figures |= chip_frames(browser, address, hands=2 if quick else 10)
    return figures | first_page(browser, library, data, starts)


def make_library(path: Path) -> None:
    for name, options in SPOTS.items():
        spot = options.spot()
        assert spot is not None
        solve(spot, target=2.0, seconds=60).write_bundle(path / name)
    solve("leduc", iterations=100).write_bundle(path / "leduc")


def node_requests(address: str, name: str, count: int) -> Figures:
    """The time of a request for a node, its equities, and its next actions."""
    lines = [line for line, _ in _walk(address, name, count)]
    figures = {}
    for path in ("study", "study/equities", "study/tree"):
        times = [_timed(address, path, name, line)[1] for line in lines]
        figures |= _summary(f"request, {name}, /api/{path}", times)
    return figures


def node_clicks(browser: Any, address: str, name: str, count: int) -> Figures:
    """The time from a click on an action or a card to the painted node."""
    page = browser.new_page(base_url=address, viewport=WINDOW)
    page.set_default_timeout(PATIENCE)
    times = []
    for line, click in _walk(address, name, count):
        if click:
            times.append(page.evaluate(_CLICK, [click, line]))
        else:
            page.goto(f"/study/{name}")
            page.locator(".study").wait_for()
        page.wait_for_load_state("networkidle")
    page.close()
    return _summary(f"click, {name}", times)


def chip_frames(browser: Any, address: str, hands: int) -> Figures:
    """The time between two frames while something moves at a table of six."""
    page = browser.new_page(base_url=address, viewport=WINDOW)
    page.set_default_timeout(PATIENCE)
    page.goto("/play")
    page.locator(".quick-table", has=page.get_by_text("Six-handed", exact=True)).click()
    still = page.locator(".play:not([data-moving]) .controls:not(.waiting)")
    still.wait_for()
    page.evaluate(_COUNT_FRAMES)
    while hands:
        is_over = page.locator(".controls.over").count() > 0
        hands -= is_over
        version = page.locator(".play").get_attribute("data-version")
        page.keyboard.press("n" if is_over else "c")
        page.locator(f'.play:not([data-version="{version}"])').wait_for()
        still.wait_for()
    times = page.evaluate("window.frameTimes")
    page.close()
    return {
        **_summary("frame while chips move", times),
        "frame while chips move, mean": statistics.mean(times),
    }


def first_page(browser: Any, library: Path, data: Path, count: int) -> Figures:
    """The time from the first answer of a server to its first page, in a browser without a cache.

    `served` waits for the first answer.
    """
    times = []
    for _ in range(count):
        with served(library, data) as address:
            context = browser.new_context(viewport=WINDOW)
            page = context.new_page()
            begun = time.perf_counter()
            page.goto(address, wait_until="commit")
            page.locator("main :is(h1, h2, p)").first.wait_for()
            page.evaluate(_PAINTED)
            times.append(1000 * (time.perf_counter() - begun))
            context.close()
    return {"first page after the start of the server": statistics.median(times)}


def _walk(address: str, name: str, count: int) -> Iterator[tuple[str, str]]:
    """Lines of random walks, each with the selector of the click that leads to it from the last."""
    chance = random.Random(7)
    line, click = "", ""
    for _ in range(count):
        yield line, click
        node, _ = _timed(address, "study", name, line)
        choices = node["spots"][-1]["choices"]
        if choices:
            line = chance.choice(choices)[2]
            click = f'.choice[data-line="{line}"]'
        elif node["cards"]:
            card = chance.choice(node["cards"])[0]
            line = f"{line} | {card}"
            click = f'[data-card="{card}"]'
        else:
            line, click = "", ""


def _timed(address: str, path: str, name: str, line: str) -> tuple[Any, float]:
    body = json.dumps({"id": name, "line": line}).encode()
    headers = {"content-type": "application/json"}
    begun = time.perf_counter()
    request = urllib.request.Request(f"{address}/api/{path}", body, headers)
    content = urllib.request.urlopen(request).read()
    return json.loads(content), 1000 * (time.perf_counter() - begun)


def _summary(name: str, times: list[float]) -> Figures:
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {f"{name}, median": statistics.median(times), f"{name}, 95 %": last}


if __name__ == "__main__":
    main()

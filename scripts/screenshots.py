# SPDX-License-Identifier: MIT
"""Writes the pictures of the pages of `regretless web` into docs/images.

python scripts/screenshots.py             # needs playwright and a Chromium
python scripts/screenshots.py runs cross  # these pages alone
"""

import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from regretless import solve, train
from regretless.solving.spot_options import SpotOptions

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
ADDRESS = "http://127.0.0.1:8697"
_RANGES = (
    "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,87s,76s,ATo+,KJo+",
    "TT-22,A9s-A2s,KTs+,QTs+,JTs,T9s,AJo",
)


def main() -> None:
    wanted = [TAKES[name] for name in sys.argv[1:] or TAKES]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        _fill(directory)
        command = [sys.executable, "-m", "regretless.cli", "web", str(directory), "--no-browser"]
        command += ["--port", ADDRESS.rsplit(":", 1)[1], "--data", str(directory / "data")]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait()
            with sync_playwright() as started:
                path = shutil.which("chromium")
                browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
                page = browser.new_page(base_url=ADDRESS, viewport={"width": 1100, "height": 800})
                page.set_default_timeout(120_000)
                for take in wanted:
                    take(page)
        finally:
            server.terminate()
            server.wait()


def _fill(directory: Path) -> None:
    spot = SpotOptions("QsJh2h8d", 100, 200, *_RANGES).spot()
    assert spot is not None
    solve(spot, target=0.5).write_bundle(directory / "turn")
    often = ("log.every_steps=20", "evaluate.every_steps=20", "budget={steps: 400}")
    for algorithm, seed in (("cfr", 0), ("dcfr", 0), ("mccfr", 1), ("mccfr", 2)):
        number = f"-{seed}" if seed else ""
        more = ("algorithm.iterations_per_step=100",) if seed else ()
        output = f"output={directory / f'leduc-{algorithm}{number}'}"
        train("leduc_cfr", f"algorithm.name={algorithm}", f"seed={seed}", output, *often, *more)


def _explore(page: Any) -> None:
    page.goto("/explore/turn?line=x")
    page.locator('[data-cell="A9s"]').hover()
    page.locator('tr[data-hand^="A"]').first.wait_for()
    _keep(page, "explore")


def _tree(page: Any) -> None:
    page.goto("/tree/leduc-dcfr")
    page.locator(".tree > details > details > summary").last.click()
    _keep(page, "tree")


def _table(page: Any) -> None:
    page.goto("/table")
    page.get_by_role("combobox", name="seats").click()
    page.get_by_role("option", name="6", exact=True).click()
    page.get_by_label("player 6").wait_for()
    page.get_by_role("button", name="Sit down").click()
    page.locator("#hand").wait_for()
    _keep(page, "table")


def _solve(page: Any) -> None:
    page.goto("/solve")
    page.get_by_label("locks").fill("x b50 = f 0.8, c 0.2")
    page.get_by_label("locks").blur()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_text("done after").wait_for()
    _keep(page, "solve")


def _runs(page: Any) -> None:
    page.goto("/runs")
    page.locator("canvas").first.wait_for()
    page.get_by_text("Start a recipe").click()
    page.get_by_role("button", name="Estimate").click()
    page.get_by_text("free; disk").wait_for()
    _keep(page, "runs")


def _cross(page: Any) -> None:
    page.goto("/cross")
    page.get_by_role("combobox", name="players").click()
    for name in ("leduc-dcfr", "bot: random", "bot: caller", "bot: pot-odds"):
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("table.cross").wait_for()
    _keep(page, "cross")


def _keep(page: Any, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(800)
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=IMAGES / f"web_{name}.png", full_page=True)


TAKES = {
    "explore": _explore,
    "tree": _tree,
    "table": _table,
    "solve": _solve,
    "runs": _runs,
    "cross": _cross,
}


def _wait() -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{ADDRESS}/api/games", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


if __name__ == "__main__":
    main()

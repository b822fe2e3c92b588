# SPDX-License-Identifier: MIT
"""A server of `regretless web` in a process of its own, and a browser to look at it."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """Returns the path of the installed browser; None if there is none."""
    return next((found for each in BROWSERS if (found := shutil.which(each))), None)


@contextlib.contextmanager
def served(directory: Path, data: Path) -> Iterator[str]:
    """The address of a server that runs as long as the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "regretless.cli", "web", str(directory), "--no-browser"]
    command += ["--port", str(port), "--data", str(data)]
    log = data / "server.log"
    data.mkdir(parents=True, exist_ok=True)
    with log.open("w") as output:
        server = subprocess.Popen(
            command, stdout=output, stderr=output, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        try:
            _wait(f"http://127.0.0.1:{port}/api/games", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)
    told = log.read_text()
    assert "Traceback" not in told, told


_STILL = """async () => {
    const moves = () => document.querySelector('.progress.on')
        || document.getAnimations().some((each) => each.playState === 'running')
        || [...document.images].some((each) => !each.complete);
    const frame = () => new Promise(requestAnimationFrame);
    await frame().then(frame); // what has just changed begins to move
    while (moves()) await frame();
}"""


def settle(page: Any) -> None:
    """Waits until nothing is on the way and nothing moves."""
    page.wait_for_load_state("networkidle")
    page.evaluate(_STILL)


def check_access(page: Any) -> None:
    """No violation of WCAG 2.1 AA that axe finds."""
    reason = "no axe is installed"
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=reason).Axe()
    page.evaluate(_STILL)  # colours of what fades in are not its own
    found = axe.run(page, options=WCAG).response["violations"]
    told = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]
    assert not told, (page.url, told)


def _wait(address: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert server.poll() is None, "the server has ended"
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")

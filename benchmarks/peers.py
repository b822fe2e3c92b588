# SPDX-License-Identifier: MIT
"""Other projects' speed, measured by scripts that run in an environment of their own.

A script is called as `measure_<peer>.py <measure> --seconds S` and prints one JSON object with
`peer`, `measure`, `rate`, `unit` and `version` as its last line. Whatever goes wrong becomes a
note: a benchmark of ours never fails because of a peer.
"""

import json
import math
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measures import Peer

PYTHON_VARIABLE = "REGRETLESS_PEERS_PYTHON"
ADVICE = "not installed: run make bench in a source checkout"

# A script starts, compiles and warms up before it measures: far less than this.
STARTUP_SECONDS = 120.0

# The scripts repeat this often and report the best, so ours does too.
REPEATS = 3


@dataclass(frozen=True)
class Reading:
    """A peer's rate and version, or a note that says why there is none."""

    rate: float | None = None
    version: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class PeersEnvironment:
    """The Python that has the peers installed and the folder of their scripts."""

    python: Path
    scripts: Path

    def measure(self, peer: Peer, seconds: float) -> Reading:
        script = self.scripts / f"measure_{peer.name}.py"
        if not (self.python.exists() and script.exists()):
            return Reading(note=ADVICE)
        # Neither our environment variables nor packages of the user's may reach the peers.
        command = [str(self.python), "-E", "-s", str(script), peer.measure]
        command += ["--seconds", str(seconds)]
        limit = STARTUP_SECONDS + 4 * REPEATS * seconds
        try:
            process = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=limit
            )
        except subprocess.TimeoutExpired:
            return Reading(note=f"{script.name} was stopped after {limit:.0f} seconds")
        except OSError as error:
            return Reading(note=f"{script.name} could not be started: {error.strerror}")
        if process.returncode != 0:
            return Reading(note=f"{script.name} failed: {_last_line(process.stderr)}")
        return _parse(script.name, _last_line(process.stdout))


def find_peers() -> PeersEnvironment:
    """The source checkout's peers; `REGRETLESS_PEERS_PYTHON` names another Python for them."""
    checkouts = (Path(__file__).parents[1], Path.cwd())
    root = next((path for path in checkouts if (path / "benchmarks/peers").is_dir()), Path.cwd())
    python = os.environ.get(PYTHON_VARIABLE) or root / ".venv-peers/bin/python"
    return PeersEnvironment(Path(python), root / "benchmarks/peers")


def _parse(script: str, line: str) -> Reading:
    try:
        result = json.loads(line)
        reading = Reading(rate=float(result["rate"]), version=str(result["version"]))
    except (ValueError, KeyError, TypeError):
        return Reading(note=f"{script} printed no result: {line[:60]!r}")
    if reading.rate is None or not math.isfinite(reading.rate) or reading.rate <= 0:
        return Reading(note=f"{script} printed a rate of {reading.rate}")
    return reading


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else "no output"

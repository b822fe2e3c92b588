# SPDX-License-Identifier: MIT
"""The wheel as it travels: installed where no compiler is, it works alike at every level."""

import json
import os
import shutil
import subprocess
import venv
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from regretless.levels import VARIABLE, processor_levels

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LEVELS = [level for level in processor_levels() if level != "x86-64"]  # too old for the wheel
EMULATED = {"Nehalem": "x86-64-v2", "Haswell-noTSX": "x86-64-v3"}
SPOT = ["--pot", "200", "--stack", "900", "--bets", "60%,a", "--raises", "2.5x"]
RANGES = ["--range-oop", "66+,A8s+,KTs+", "--range-ip", "QQ-22,A2s+,ATo+"]

# Commands, and what they print that must be the same at every level, up to what. A spot is solved
# in single precision: 1e-5 of its pot (exploitability is in % of it); the rest in double precision.
IN_DOUBLE = {"value": 1e-12, "exploitability": 1e-12}
IN_SINGLE = {"ev_oop": 2e-3, "ev_ip": 2e-3, "exploitability": 1e-3, "equity_oop": 1e-5}
FIGURES: list[tuple[list[str], dict[str, float]]] = [
    (["equity", "JsTs", "2h2d"], {"equities": 0.0}),
    (["equity", "AA,AKs", "TT+", "72o", "--board", "2h7d9s"], {"equities": 1e-12}),
    (["match", "pot-odds", "tight-aggressive", "--hands", "2000"], {"players": 0.0}),
    *(
        (["solve", game, "--algorithm", name, "--iterations", "200"], IN_DOUBLE)
        for game in ("leduc", "liars-dice-1x4f")
        for name in ("cfr+", "dcfr")
    ),
    *(
        (["solve", "nlhe", "--board", board, *SPOT, *RANGES, "--iterations", "50"], IN_SINGLE)
        for board in ("Td9d6hQc2s", "Td9d6hQc")
    ),
]


class Installation:
    """The wheel in an environment of its own, out of reach of compilers and of this checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "venv" / "bin"
        venv.create(folder / "venv", with_pip=True)
        self.wheel = _build_wheel()
        assert not any(shutil.which(name, path=str(self.bin)) for name in ("g++", "cc", "clang++"))
        binary_only = ["--only-binary", ":all:", "-c", str(ROOT / "constraints.txt")]
        self.run("python", "-m", "pip", "install", "-q", *binary_only, str(self.wheel))

    def run(self, program: str, *arguments: str, level: str | None = None) -> str:
        environment = _without("MAKEFLAGS", "PYTHONPATH", VARIABLE) | {"PATH": str(self.bin)}
        if level:
            environment[VARIABLE] = level
        result = subprocess.run(
            [str(self.bin / program), *arguments],  # a path from the root stays as it is
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    def figures(self, arguments: list[str], level: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            self.run("regretless", *arguments, "--json", level=level)
        )
        return found


def _without(*names: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in names}


def _build_wheel() -> Path:
    subprocess.run(["make", "wheel"], cwd=ROOT, env=_without("MAKEFLAGS"), check=True)
    return max((ROOT / "dist").glob("regretless-*.whl"), key=lambda path: path.stat().st_mtime)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("wheel"))


def _numbers(value: Any) -> list[float]:
    """The numbers in lists and mappings, one after the other."""
    if isinstance(value, dict):
        return [number for key in sorted(value) for number in _numbers(value[key])]
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    return [value] if isinstance(value, float) else []


def test_the_wheel_has_every_level(installation: Installation) -> None:
    names = [Path(name).name.split(".")[0] for name in ZipFile(installation.wheel).namelist()]
    modules = {name for name in names if name.startswith(("_native_", "_processor"))}
    if LEVELS and LEVELS[0].startswith("x86-64"):
        versions = {f"_native_x86_64_v{number}" for number in (2, 3, 4)}
        assert modules == {"_processor", *versions}
    else:
        assert len(modules) == 2


def test_shipped_bundles_travel(installation: Installation) -> None:
    (row,) = json.loads(installation.run("regretless", "bundle", "list", "--json"))["bundles"]
    assert "sound" in installation.run("regretless", "bundle", "verify", row["name"])


def test_the_studio_travels(installation: Installation) -> None:
    files = [each for each in (ROOT / "src/regretless/web/studio").rglob("*") if each.is_file()]
    expected = {each.relative_to(ROOT / "src").as_posix() for each in files}
    assert len(expected) > 40 and not expected - set(ZipFile(installation.wheel).namelist())


def test_the_best_level_is_used(installation: Installation) -> None:
    printed = installation.run("regretless", "--version")
    assert f", {LEVELS[0]} (of " in printed
    assert printed.endswith(f"; the processor has {LEVELS[0]})\n")


@pytest.mark.parametrize(("processor", "level"), EMULATED.items())
def test_older_processors_get_their_level(
    installation: Installation, processor: str, level: str
) -> None:
    qemu = shutil.which("qemu-x86_64")
    if qemu is None or not LEVELS[0].startswith("x86-64"):
        pytest.skip("needs qemu-x86_64 (make cross-tools) and an x86 processor")
    script = (
        "from regretless import _native, levels; print(_native.level(), *levels.processor_levels())"
    )
    python = [str(installation.bin / "python"), "-c", script]
    found = installation.run(qemu, "-cpu", processor, *python)
    assert found.split()[:2] == [level, level]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_trains(installation: Installation, level: str) -> None:
    assert f", {level} (of " in installation.run("regretless", "--version", level=level)
    trained = installation.figures(["train", "leduc_mccfr", "budget.seconds=2"], level)
    measured = installation.figures(["evaluate", trained["run"]], level)
    assert 0 < measured["measures"][0]["value"] == trained["exploitability"] < 0.2


@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize(("arguments", "keys"), FIGURES)
def test_levels_agree(
    installation: Installation, level: str, arguments: list[str], keys: dict[str, float]
) -> None:
    best, other = (installation.figures(arguments, which) for which in (LEVELS[0], level))
    for key, tolerance in keys.items():
        expected = _numbers(best[key])
        assert expected and _numbers(other[key]) == pytest.approx(expected, rel=0, abs=tolerance)

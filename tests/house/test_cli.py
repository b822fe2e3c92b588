# SPDX-License-Identifier: MIT
"""The command line as a user meets it: in a process of its own, but for most of what is refused."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_lines import run_here

SPOT = ["nlhe", "--board", "Ts9d6h4c2s", "--pot", "100", "--stack", "200"]
_COMMANDS = (
    "games",
    "equity",
    "preflop",
    "solve",
    "train",
    "resume",
    "evaluate",
    "compare",
    "play",
    "bundle",
    "export",
    "bench",
)


def regretless(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "regretless", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["games"], {"games"}),
        (["games", "leduc", "--count", "--episode", "3"], {"name", "tree", "episode"}),
        (["equity", "JsTs", "2h2d", "--board", "2c3c4c"], {"equities", "method", "combos"}),
        (["solve", "kuhn", "--iterations", "50"], {"exploitability", "value", "infosets"}),
        (["solve", "kuhn", "--iterations", "50", "--device", "cpu"], {"exploitability", "value"}),
    ],
)
def test_json_is_one_object_and_nothing_else(arguments: list[str], keys: set[str]) -> None:
    result = regretless(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    assert keys <= json.loads(result.stdout).keys()
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["games", "ledduc"], ["ledduc", "leduc"]),
        (["games", "nlhe", "--players", "12"], ["nlhe", "players", "12"]),
        (["games", "liars-dice-9x9f"], ["liars-dice-9x9f"]),
        (["games", "missing.yaml"], ["missing.yaml"]),
        (["equity", "JsTs", "2x2d"], ["2x", "column"]),
        (["equity", "AsKs", "AsQd"], []),
        (["solve", "kuhn", "--algorithm", "cfrr"], ["cfrr"]),
        (["solve", "plo5"], ["plo5"]),
        (["solve", "kuhn", "--device", "cuda:99"], ["cuda:99"]),
        (["solve", "nlhe", "--board", "Td9d", "--pot", "200", "--stack", "9"], ["board"]),
        (["solve", "kuhn", "--iterations", "-5"], ["iterations"]),
        (["solve", "nlhe", "--board", "Ts9x6h", "--pot", "8", "--stack", "9"], ["9x", "column 3"]),
        (["solve", "nlhe", "--board", "Ts9sTs", "--pot", "8", "--stack", "9"], ["twice"]),
        (["solve", "nlhe", "--board", "Ts9s2c", "--pot", "-1", "--stack", "9"], ["pot", "-1"]),
        (["solve", "nlhe", "--board", "Ts9s2c", "--pot", "100"], ["give --stack"]),
        (["solve", "nlhe", "--board", "Ts9s2c"], ["give --pot"]),
        (["games", "leduc", "--episode", "-1"], ["--episode", "0"]),
        (["games", "leduc", "--nosuch"], ["--nosuch"]),
        (["play", "leduc", "--seed", "9" * 30], ["--seed"]),
        (["nosuch"], ["nosuch"]),
        (["equity"], ["HANDS"]),
        (["solve", "leduc", "--board", "Ts9s2c"], ["--board", "leduc"]),
        (["solve", "kuhn", "--range-oop", "AA"], ["--range-oop", "--board"]),
        (["solve", *SPOT, "--range-ip", "Ts8s"], ["range_ip", "board"]),
        (["solve", *SPOT, "--range-oop", "AsAh", "--range-ip", "AsKs"], ["shares a card"]),
        (["solve", *SPOT, "--range-oop", "AA,KX"], ["KX", "column 4"]),
        (["solve", *SPOT, "--bets", "33"], ["menu.river.open[0]", "33"]),
        (["solve", *SPOT, "--merge", "-1"], ["menu.merge"]),
        (["solve", *SPOT, "--players", "3"], ["--players", "3"]),
        (["solve", *SPOT, "--algorithm", "rebel"], ["'rebel' solves no spots", "dcfr"]),
        (["solve", *SPOT, "--precision", "8"], ["precision", "16 or 32"]),
        (["solve", *SPOT, "--precision", "16", "--device", "cpu"], ["--precision", "CUDA"]),
        (["solve", "kuhn", "--precision", "16"], ["--precision", "spot"]),
        (["solve", *SPOT, "--iterations", "0"], ["iterations"]),
        (["solve", *SPOT, "--menu", "missing.yaml"], ["missing.yaml"]),
        (["solve", *SPOT, "--menu", "missing.yaml", "--merge", "1"], ["--merge", "missing.yaml"]),
        (["bench", "nosuch"], ["nosuch"]),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: list[str]) -> None:
    line = refused(*arguments)
    for word in words:
        assert word in line


def refused(*arguments: str) -> str:
    """The error of a command, run in this process; a slow machine may show progress before it."""
    outcome = run_here(arguments)
    assert outcome.status == 2 and outcome.output == "", outcome
    *progress, line = outcome.errors.splitlines()
    assert all(re.search(r"  \d+ s$", each) for each in progress), outcome
    assert line.startswith("error: ")
    return line


def test_bad_input_in_a_process_of_its_own() -> None:
    result = regretless("games", "ledduc")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [refused("games", "ledduc")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("river: 50%\nturns: 50%\n", ["unknown street 'turns'", "river"]),
        ("river: [50%, 5y]\n", ["menu.river[1]", "5y"]),
        ("seats: [a, a, a]\n", ["seat"]),
        ("seats: [{turn: a}, {river: a}]\n", ["menu.seats[0]", "river"]),
        ("all: 50%\nadd_all_in: much\n", ["menu.add_all_in", "much"]),
        ("", ["menu", "None"]),
        ("river: [50%\n", ["line"]),
    ],
)
def test_a_bad_menu_is_one_line(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "menu.yaml"
    path.write_text(text, encoding="utf-8")
    line = refused("solve", *SPOT, "--menu", str(path))
    assert all(word in line for word in words), line


def test_what_is_told_of_a_spot() -> None:
    ranges = ["--range-oop", "AA,87s", "--range-ip", "KK,TT:0.5"]
    result = regretless("solve", *SPOT, *ranges, "--target", "0.05", "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["exploitability"] <= 0.05
    assert found["exploitability_unit"] == "% of the pot"
    assert found["ev_oop"] + found["ev_ip"] == pytest.approx(100, abs=1e-3)
    assert found["ev_unit"].startswith("chips")
    # AA beats the kings and loses to the three TT (one card is on the board) at half weight;
    # 87s, a straight, beats all: of 10 x 7.5 the kings lose 60 and the tens 4 x 1.5.
    assert found["equity_oop"] == pytest.approx((60 + 6) / 75)
    assert found["equity_oop"] + found["equity_ip"] == pytest.approx(1)
    assert list(found["root_mix"]) == ["check", "bet 50", "bet 100", "all-in 200"]
    assert sum(found["root_mix"].values()) == pytest.approx(1)
    assert 0 < found["memory_bytes"] < 1e6
    assert (found["algorithm"], found["precision"]) == ("dcfr", 32)
    assert "exploitability_mbb" not in found and "value" not in found


@pytest.mark.parametrize(
    ("game", "unit"),
    [("kuhn", "antes"), ("leduc", "antes"), ("liars-dice-1x3f", "points")],
)
def test_the_unit_of_exploitability_is_told(game: str, unit: str) -> None:
    found = json.loads(regretless("solve", game, "--iterations", "20", "--json").stdout)
    assert found["exploitability_unit"] == f"{unit} per game"
    assert found["exploitability_mbb"] == 1000 * found["exploitability"]


def test_a_spot_in_16_bits() -> None:
    result = regretless("solve", *SPOT, "--precision", "16", "--json")
    found = json.loads(result.stdout)
    assert found["precision"] == 16 and found["exploitability"] <= 0.5


def test_sizes_of_a_spot_by_ratios() -> None:
    ratios = ["--bets", "50%,60%", "--merge", "0.2", "--add-all-in", "3", "--force-all-in", "0.1"]
    result = regretless("solve", *SPOT, *ratios, "--iterations", "5", "--json")
    assert list(json.loads(result.stdout)["root_mix"]) == ["check", "bet 60", "all-in 200"]


def test_help_names_every_command() -> None:
    text = regretless("--help").stdout
    assert all(command in text for command in _COMMANDS)
    run_here(["games"])  # which brings no other command
    assert run_here(["--help"]).output == text


def test_a_command_imports_no_other() -> None:
    script = (
        "import atexit, sys; from regretless.cli import main\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main(['games'])"
    )
    command = [sys.executable, "-c", script]
    modules = subprocess.run(command, capture_output=True, text=True, check=True).stderr.split()
    assert "regretless.cli.study.games" in modules
    assert not {"regretless.cli.study.solve", "scipy", "torch"} & set(modules)


def test_what_cannot_be_written_is_one_line() -> None:
    command = [sys.executable, "-m", "regretless", "games", "leduc"]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert result.stderr == "error: output: No space left on device\n"


def test_a_terminal_without_the_sign() -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "regretless", "match", "random", "caller", "--hands", "20"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    assert " ? " in result.stdout


def test_counts_are_for_people() -> None:
    text = regretless("games", "leduc", "--count").stdout
    assert "actions  fold, call, raise\n" in text and "infosets 936" in text
    assert "{" not in text and "[" not in text


@pytest.mark.parametrize("command", ["games", "--version", "solve kuhn --iterations 10"])
def test_a_closed_output_is_one_line(command: str) -> None:
    words = f"{sys.executable} -m regretless {command} >&-"
    result = subprocess.run(words, shell=True, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (2, "error: standard output is closed\n")


def test_no_further_thread_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", fail)
    outcome = run_here(["solve", "kuhn", "--iterations", "5"])
    assert outcome.status == 2 and outcome.problem is None
    assert "not enough memory for another thread" in outcome.errors


def test_what_loads_long_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch, matplotlib and slow opponents take seconds; here the line comes at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("regretless.cli.progress._PATIENCE", 0.0)
    (tmp_path / "slow.py").write_text(
        "import time\n\n\nclass Slow:\n    def act(self, view):\n        time.sleep(0.3)\n"
        '        return "call"\n'
    )
    run = str(tmp_path / "run")
    for words, said in (
        (["train", "kuhn_cfr", "--forecast"], ["estimating memory and disk"]),
        (["train", "kuhn_cfr", "budget.steps=20", f"output={run}"], ["loading"]),
        (["compare", run], ["drawing"]),
        (["play", "kuhn", "--against", "slow.py:Slow"], ["loading", "the opponent thinks"]),
    ):
        shown = run_here(words).errors
        assert all(each in shown for each in said), (words, shown)

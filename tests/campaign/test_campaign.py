# SPDX-License-Identifier: MIT
"""The campaign itself: who is next, what is kept, and that every part works and finds nothing."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import campaign
import report
from parts import PARTS, Part

PATHS = (Path(campaign.__file__).parent, *sys.path)


def test_each_part_gets_its_share() -> None:
    parts = {"a": Part("a", "", 3, 60), "b": Part("b", "", 1, 30)}
    spent = {"a": 0.0, "b": 0.0}
    for name in itertools.islice(campaign.order(parts, {"a": 60.0}), 200):
        spent[name] += parts[name].seconds
    assert (spent["a"] + 60) / spent["b"] == pytest.approx(3, rel=0.02)


def test_a_stopped_campaign_continues_after_its_last_whole_row(tmp_path: Path) -> None:
    row = '{"part": "rules", "number": 4, "seconds": 1.0, "clock": 2.0}'
    (tmp_path / "turns.jsonl").write_text(f'{row}\n{{"part": "ru', encoding="utf-8")
    assert [each["number"] for each in campaign.read_rows(tmp_path)] == [4]


def test_a_crash_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(campaign.PARTS, "readers", Part("no_such_module", "", 1, 1))
    monkeypatch.setattr(campaign, "HERE", tmp_path)
    (tmp_path / "turn.py").write_text("import os\nos.abort()\n", encoding="utf-8")
    row = campaign.run_turn("readers", 0, 0, tmp_path)
    assert [each["kind"] for each in row["findings"]] == ["crash or hang of readers"]
    assert "status -6" in row["findings"][0]["problem"]


def test_the_page_keeps_what_is_around_the_figures(tmp_path: Path) -> None:
    facts = {"seed": 0, "machine": "x86_64", "python": "3.11", "clock": 1800.0}
    finding = {"kind": "crash", "problem": "", "data": ""}
    rows = [
        {"part": "kills", "number": n, "seconds": 900.0, "findings": [finding] * n, **facts}
        | {"counts": {"kills": 5, "kills: solve": 5}}
        for n in range(2)
    ]
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    for _ in range(2):
        report.write_report(rows, PARTS, page)
        text = page.read_text(encoding="utf-8")
        assert text.startswith("before\n") and text.endswith("after\n") and "old" not in text
        assert "0.50 hours, 2 turns of 0.50 hours together, seed 0" in text
        assert "| 10 kills | 1 |" in text and "- kills: solve 10." in text and "- crash: 1" in text


CLOCKED = """
import sys
from faulty_files import let_clock_jump, require_loaded
require_loaded()
let_clock_jump()
from regretless import cli
cli.main(sys.argv[1:])
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a compiler")
@pytest.mark.parametrize(
    "words",
    [
        ["solve", "kuhn", "--seconds", "0.5"],
        ["train", "kuhn_cfr", "budget.steps=null", "budget.seconds=1", "output=run"],
    ],
)
def test_budgets_keep_time_while_the_clock_jumps(words: list[str], tmp_path: Path) -> None:
    """The time of day is an hour, a day or 68 years off in turn, with every look at it."""
    program = tmp_path / "program.py"
    program.write_text(CLOCKED, encoding="utf-8")
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, str(program), *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begun < 60
    if words[0] == "train":
        lines = (tmp_path / "run" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        assert rows and all(0 < row["time/seconds"] < 60 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_every_part_works_and_finds_nothing(name: str, tmp_path: Path) -> None:
    if lacks := campaign.missing(PARTS[name]):
        pytest.skip(f"needs {', '.join(lacks)}")
    for number in range(4):
        words = [name, "7", str(number), "5", str(tmp_path / str(number)), str(tmp_path / "kept")]
        (tmp_path / str(number)).mkdir()
        result = tmp_path / f"{number}.json"
        subprocess.run(
            [sys.executable, str(campaign.HERE / "turn.py"), *words, str(result)],
            cwd=tmp_path / str(number),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
            check=True,
            capture_output=True,
        )
        assert '"findings": []' in result.read_text(encoding="utf-8"), result.read_text()

# SPDX-License-Identifier: MIT
"""`sweep`: settings and seeds as runs of their own, what is done is skipped, one table."""

import json
import math
import subprocess
from pathlib import Path
from statistics import mean, stdev

import pytest

from in_process import InProcess
from regretless import InputError, leaderboard, read_run
from regretless.cli import main
from regretless.runs.run import claim_path
from regretless.training.sweep import plan_sweep, sweep
from regretless.watch import Stopped, Watch


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[InProcess]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(subprocess, "Popen", InProcess)
    InProcess.commands, InProcess.fails = [], ""
    return InProcess


SETTINGS = ("algorithm.name=cfr,mccfr", "budget.steps=20,40")


def test_a_grid_with_seeds(processes: type[InProcess]) -> None:
    notes: list[str] = []
    found = sweep("kuhn_cfr", *SETTINGS, seeds=3, note=notes.append)
    assert notes == ["cfr has no randomness, so all seeds are equal: one is trained"]
    assert [each.path.name for each in found.runs][:3] == [
        "name=cfr_steps=20_seed=0",
        "name=cfr_steps=40_seed=0",
        "name=mccfr_steps=20_seed=0",
    ]
    assert len(found.runs) == 2 + 6 and found.skipped == 0 and not found.failed
    frame = found.to_pandas()
    assert list(frame["seeds"]) == [1, 1, 3, 3] and list(frame["budget.steps"]) == ["20", "40"] * 2
    ends = [read_run(each.path).metrics[-1]["eval/exploitability"] for each in found.runs[-3:]]
    last = frame.iloc[-1]
    half = 4.302652729911275 * stdev(ends) / math.sqrt(3)  # Student's t with 2 degrees, 97.5 %
    assert last["last"] == pytest.approx(mean(ends))
    assert last["high"] == pytest.approx(mean(ends) + half)
    assert last["low"] == pytest.approx(mean(ends) - half)
    board = leaderboard([each.path for each in found.runs])["kuhn"]
    assert sorted(each.seeds for each in board) == [1, 1, 3, 3]


def test_what_is_done_is_skipped_and_a_larger_budget_goes_on(processes: type[InProcess]) -> None:
    first = sweep("kuhn_cfr", "algorithm.name=cfr,dcfr", "budget.steps=20")
    assert len(processes.commands) == 2
    again = sweep("kuhn_cfr", "algorithm.name=cfr,dcfr,cfr+", "budget.steps=20")
    assert again.skipped == 2 and [words[0] for words in processes.commands] == ["train"] * 3
    more = sweep("kuhn_cfr", "algorithm.name=cfr,dcfr", "budget.steps=30")
    assert [words[0] for words in processes.commands[3:]] == ["resume"] * 2
    assert more.skipped == 0 and list(more.to_pandas()["iterations"]) == [30, 30]
    assert [each.path for each in more.runs] == [each.path for each in first.runs]
    with pytest.raises(InputError, match="is a run with another game; sweep into another --output"):
        sweep("kuhn_cfr", "algorithm.name=cfr,dcfr", "game=leduc")


def test_a_run_that_ended_without_its_last_bundle_is_not_done(
    processes: type[InProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a kill, between the last checkpoint and the bundle."""

    def fail(*_: object) -> None:
        raise InputError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("regretless.training.run_saver.write_solution", fail)
        with pytest.raises(InputError):
            sweep("kuhn_cfr", "budget.steps=20")
    (each,) = plan_sweep("kuhn_cfr", ["budget.steps=20"])
    assert each.left() == ["resume", str(each.path), "budget.steps=20"]
    assert sweep("kuhn_cfr", "budget.steps=20").skipped == 0
    assert (each.path / "bundle").is_dir() and each.left() is None


def test_a_list_of_settings(processes: type[InProcess], tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("- {algorithm.name: dcfr, algorithm.alpha: 1.0}\n- algorithm.name: cfr+\n")
    planned = plan_sweep("kuhn_cfr", ["budget.steps=5,6"], settings_file=file, output="here")
    assert [each.settings for each in planned] == [
        {"algorithm.name": "dcfr", "algorithm.alpha": "1.0", "budget.steps": "5"},
        {"algorithm.name": "dcfr", "algorithm.alpha": "1.0", "budget.steps": "6"},
        {"algorithm.name": "cfr+", "budget.steps": "5"},
        {"algorithm.name": "cfr+", "budget.steps": "6"},
    ]
    assert planned[0].config.algorithm.options["alpha"] == 1.0
    assert {each.path.parent for each in planned} == {Path("here")}
    file.write_text("just: one\n")
    with pytest.raises(InputError, match="must be a list of mappings"):
        plan_sweep("kuhn_cfr", settings_file=file)


def test_names_of_directories() -> None:
    planned = plan_sweep("kuhn_cfr", ["evaluate.measures=[exact],[exact, lbr]"])
    names = [each.path.name for each in planned]
    assert len({*names}) == 2 and all("/" not in each and len(each) < 120 for each in names)
    assert [len(each.config.evaluate.measures) for each in planned] == [1, 2]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (["budget.steps"], "a setting is key=value or key=a,b,c"),
        (["budget.steps=1,,2"], "has an empty value"),
        (["budget.stepps=1,2"], "stepps"),
    ],
)
def test_bad_settings_begin_nothing(
    settings: list[str], problem: str, processes: type[InProcess]
) -> None:
    with pytest.raises(InputError, match=problem):
        sweep("kuhn_cfr", *settings)
    assert not processes.commands


def test_a_stop_leaves_the_rest_for_later(processes: type[InProcess]) -> None:
    watch = Watch(should_stop=lambda: len(processes.commands) >= 2)
    with pytest.raises(Stopped):
        sweep("kuhn_cfr", "algorithm.name=cfr,dcfr,cfr+", "budget.steps=9", watch=watch)
    assert len(processes.commands) == 2
    found = sweep("kuhn_cfr", "algorithm.name=cfr,dcfr,cfr+", "budget.steps=9")
    assert found.skipped == 2 and len(processes.commands) == 3


def test_an_interrupt_stops_the_runs_that_train(processes: type[InProcess]) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    processes.fails = "cfr"  # the note about the first one is where Ctrl-C comes
    with pytest.raises(KeyboardInterrupt):
        sweep("kuhn_cfr", "budget.steps=1,2,3,4,5,6,7,8,9", note=interrupt)


def test_the_command(
    processes: type[InProcess], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sweep", "kuhn_cfr", "algorithm.name=cfr,dcfr", "budget.steps=9"]

    def run(*more: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([*words, *more])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    processes.fails = "dcfr"
    status, out, err = run("--csv", "t.csv")
    assert status == 2 and "cfr" in out and "1 of 2 runs failed" in err and "it is broken" in err
    processes.fails = ""
    status, out, _ = run("--json", "--csv", "t.csv", "--latex", "t.tex")
    found = json.loads(out)
    assert status == 0 and found["skipped"] == 1 and len(found["rows"]) == 2
    assert Path("t.csv").read_text().startswith("algorithm.name,seeds,last,low,high,best")
    assert "\\toprule" in Path("t.tex").read_text()


def test_a_measure_that_no_run_has(processes: type[InProcess]) -> None:
    with pytest.raises(InputError, match="is no metric, such as eval/exploitability"):
        sweep("kuhn_cfr", measure="exploitability")
    found = sweep("kuhn_cfr", "budget.steps=9", measure="eval/nothing")
    with pytest.raises(InputError, match="none of the runs has a metric 'eval/nothing'"):
        found.require_measured()


def test_a_real_process(tmp_path: Path) -> None:
    found = sweep("kuhn_cfr", "budget.steps=5", output=tmp_path, jobs=2)
    assert not found.failed and found.to_pandas().iterations[0] == 5
    assert sweep("kuhn_cfr", "budget.steps=5", output=tmp_path).skipped == 1


def test_a_served_name_is_not_taken_again(tmp_path: Path) -> None:
    assert claim_path(tmp_path, "kuhn", without={"kuhn-001", "kuhn-003"}).name == "kuhn-002"
    assert claim_path(tmp_path, "kuhn", without={"kuhn-001", "kuhn-003"}).name == "kuhn-004"

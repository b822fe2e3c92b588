# SPDX-License-Identifier: MIT
"""`regretless compare` draws what the metrics of runs say."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from regretless.cli import main
from regretless.errors import InputError
from regretless.evaluation.measures import measure_words
from regretless.pictures.curves import Curve, Panel, draw, mean_curve, to_png, to_svg
from regretless.runs.run_record import read_run


def write_run(path: Path, rows: list[dict[str, Any]], end: str = "") -> Path:
    path.mkdir(parents=True)
    (path / "config.yaml").write_text("game: {name: leduc}\nalgorithm: {name: cfr+}\n")
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (path / "metrics.jsonl").write_text(text + end)
    return path


def with_seed(path: Path, seed: int) -> Path:
    with (path / "config.yaml").open("a") as config:
        config.write(f"seed: {seed}\noutput: {path}\n")
    return path


def rows(scale: float, **more: float) -> list[dict[str, Any]]:
    return [
        {"step": n, "time/seconds": n / 100, "eval/exploitability": scale / n, **more}
        for n in (1, 10, 100, 1000)
    ]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fast = write_run(tmp_path / "_fast$x^", rows(1))
    slow = write_run(tmp_path / "<b>slow", rows(5, **{"train/nodes": 7}))
    output = tmp_path / "pictures" / "both.v1"
    assert run("compare", str(fast), str(slow), "--output", str(output), "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert [each["run"] for each in result["runs"]] == ["_fast$x^", "<b>slow"]
    assert result["runs"][1]["best"] == result["runs"][1]["last"] == 5 / 1000
    assert result["runs"][0]["iterations"] == 1000 and result["runs"][0]["seconds"] == 10
    assert [each["nodes"] for each in result["runs"]] == [None, 7]
    assert (tmp_path / "pictures" / "both.v1.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "pictures" / "both.v1.svg").read_text()
    assert "exploitability (antes)" in page
    assert "<svg" in page and "<b>slow" not in page and "&lt;b&gt;slow" in page
    for axis in ("iterations", "seconds", "nodes touched"):
        assert axis in page
    assert "<script" not in page and 'src="' not in page and 'href="http' not in page
    assert run("compare", str(fast), "--output", str(output)) == 0
    assert "leduc" in capsys.readouterr().out


def test_other_keys_and_gaps(tmp_path: Path) -> None:
    lines = [
        {"step": 1, "time/seconds": 0.5},
        {"step": 2, "time/seconds": 0.6, "eval/exploitability": None},
        {"step": 3, "time/seconds": 0.7, "eval/exploitability": 0.25, "train/iterations": 30},
    ]
    record = read_run(write_run(tmp_path / "run", lines, end='{"step": 4, "eval/expl'))
    assert record.curve("eval/exploitability", "iterations") == [(30, 0.25, 0.25, 0.25)]
    assert record.curve("eval/exploitability", "seconds") == [(0.7, 0.25, 0.25, 0.25)]
    assert record.curve("eval/exploitability", "nodes touched") == []


def test_intervals_are_bands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = {"eval/lbr_bets": 50.0, "eval/lbr_bets/low": -20.0, "eval/lbr_bets/high": 120.0}
    path = write_run(tmp_path / "run", rows(1, **more))
    output = ("--output", str(tmp_path / "lbr"))
    assert run("compare", str(path), "--measure", "eval/lbr_bets", *output, "--json") == 0
    (end,) = json.loads(capsys.readouterr().out)["runs"]
    assert (end["last"], end["low"], end["high"]) == (50, -20, 120)
    page = (tmp_path / "lbr.svg").read_text()
    assert (
        "local best response, bets (mbb per hand)" in page and "FillBetweenPolyCollection" in page
    )
    assert run("compare", str(path), "--measure", "eval/lbr_bet", *output) == 2
    assert "did you mean 'eval/lbr_bets'" in capsys.readouterr().err
    exact = Panel("seconds", [Curve("a", [1, 2], [3, 4])])
    assert "FillBetween" not in to_svg(draw([exact], "exploitability"))
    single = Panel("seconds", [Curve("a", [1], [3], ([2], [4]))])
    assert "LineCollection" in to_svg(draw([single], "lbr_bets"))


def test_runs_with_nothing_to_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = write_run(tmp_path / "empty", [])
    assert run("compare", str(empty)) == 2
    assert "eval/exploitability" in capsys.readouterr().err
    assert run("compare", str(tmp_path)) == 2
    assert "config.yaml" in capsys.readouterr().err
    for text in ("nonsense\n{}\n", "[]\n{}\n"):
        (empty / "metrics.jsonl").write_text(text)
        told: list[str] = []
        assert read_run(empty, told.append).metrics == []
        assert [f"line {number} is damaged" in each for number, each in enumerate(told, 1)] == [
            True
        ] * 2
    (empty / "config.yaml").write_text("game: 3\n")
    with pytest.raises(InputError, match=r"game\.name"):
        read_run(empty)


def test_a_damaged_row_costs_itself_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(tmp_path / "run", rows(1), end='{"step": 1001, "eval/exploita')
    lines = (path / "metrics.jsonl").read_bytes().splitlines(keepends=True)
    (path / "metrics.jsonl").write_bytes(b"".join([lines[0], b"[" + lines[1][1:], *lines[2:]]))
    assert run("compare", str(path), "--output", str(tmp_path / "it"), "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["runs"][0]["iterations"] == 1000
    assert shown.err == f"note: {path / 'metrics.jsonl'}: line 2 is damaged and left out\n"


def test_a_picture_of_zeros_and_of_one_point() -> None:
    panels = [Panel("iterations", [Curve("a", [0, 1], [0, 0]), Curve("b", [], [])])]
    figure = draw(panels, "exploitability")
    assert to_png(figure).startswith(b"\x89PNG")
    one = draw([Panel("seconds", [Curve("a", [2], [3])])], "exploitability")
    svg = to_svg(one)
    assert svg == to_svg(draw([Panel("seconds", [Curve("a", [2], [3])])], "exploitability"))
    ElementTree.fromstring(svg)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r"regretless\[plot\]"):
        draw([Panel("seconds", [])], "exploitability")


def test_runs_that_differ_in_their_seed_are_one_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [
        str(with_seed(write_run(tmp_path / f"run-{seed}", rows(scale)), seed))
        for seed, scale in ((1, 2), (2, 4), (3, 9))
    ]
    again = str(with_seed(write_run(tmp_path / "again", rows(7)), 3))
    output = ("--output", str(tmp_path / "seeds.png"), "--json")
    assert run("compare", *paths, again, *output) == 0
    result = json.loads(capsys.readouterr().out)
    assert [each["run"] for each in result["runs"]] == ["run-1 and 2 more seeds", "again"]
    first = result["runs"][0]
    assert first["runs"] == paths and first["last"] == pytest.approx(0.005)
    assert (first["low"], first["high"]) == (0.002, 0.009)
    assert sorted(path.name for path in tmp_path.glob("seeds*")) == ["seeds.png", "seeds.svg"]
    assert "FillBetweenPolyCollection" in (tmp_path / "seeds.svg").read_text()
    assert run("compare", *paths, "--band", "95%", *output) == 0
    (first,) = json.loads(capsys.readouterr().out)["runs"]
    # Student's t with two degrees of freedom, 4.30265, times the standard error of 2, 4 and 9.
    half_width = 4.30265 * (13 / 3) ** 0.5 * 1e-3
    assert first["high"] - first["last"] == pytest.approx(half_width, rel=1e-5)
    assert first["last"] - first["low"] == pytest.approx(half_width, rel=1e-5)
    assert run("compare", *paths, "--separate", *output) == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3
    assert run("compare", *paths, "--band", "most", *output) == 2


def test_a_group_goes_as_far_as_its_shortest_run() -> None:
    curves = [Curve("a", [1, 2, 3], [3, 2, 1]), Curve("a", [1, 4], [5, 6])]
    found = mean_curve("a", curves)
    assert (found.places, found.values) == ([1, 3], [4, 4])
    assert found.band == ([3, 2], [5, 6])


def test_reference_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write_run(tmp_path / "run", rows(1)))
    output = ("--output", str(tmp_path / "lines"))
    named = ("--reference", "uniform play=4.747", "--reference", "a=b=0.5")
    assert run("compare", path, *named, *output, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["references"] == {"uniform play": 4.747, "a=b": 0.5}
    page = (tmp_path / "lines.svg").read_text()
    assert "uniform play" in page and "a=b" in page
    for bad in ("uniform", "=3", "x=y", "x=nan"):
        assert run("compare", path, "--reference", bad, *output) == 2
        assert f"--reference: must be NAME=VALUE, not '{bad}'" in capsys.readouterr().err


def test_nothing_is_cut_in_a_narrow_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    name = "a_run_of_leduc_with_a_long_name_that_says_all_of_it-001"
    path = write_run(tmp_path / name, rows(1.23456, **{"train/nodes": 1234567}))
    assert run("compare", str(path), "--output", str(tmp_path / "x")) == 0
    out = capsys.readouterr().out
    for word in (name, "1,234,567", "0.001235", "algorithm"):
        assert word in out
    assert "…" not in out
    policies = ["tight-aggressive", "pot-odds", "caller", "random", "raiser"]
    assert run("match", *policies, "--game", "kuhn", "--hands", "40", "--round-robin") == 0
    out = capsys.readouterr().out
    header = next(line for line in out.splitlines() if "pot-odds" in line)
    assert all(name in header for name in policies) and "…" not in out


def test_tables_as_files_and_equal_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [with_seed(write_run(tmp_path / f"s{seed}", rows(1)), seed) for seed in (0, 1)]
    files = [tmp_path / name for name in ("t.csv", "t.tex")]
    words = ["compare", *map(str, paths), "--output", str(tmp_path / "picture"), "--json"]
    assert run(*words, "--csv", str(files[0]), "--latex", str(files[1])) == 0
    (found,) = json.loads(capsys.readouterr().out)["runs"]
    assert found["run"] == "s0 and 1 equal run" and found["seeds"] == 1
    lines = files[0].read_text().splitlines()
    assert lines[0].startswith("run,game,algorithm,iterations") and len(lines) == 2
    assert "s0 and 1 equal run & leduc & cfr+" in files[1].read_text()
    other = with_seed(write_run(tmp_path / "s2", rows(2)), 2)
    assert (
        run("compare", *map(str, [*paths, other]), "--output", str(tmp_path / "p"), "--json") == 0
    )
    (found,) = json.loads(capsys.readouterr().out)["runs"]
    assert found["run"] == "s0 and 2 more seeds" and found["seeds"] == 3


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("eval/lbr_fold_call", "local best response, fold-call"),
        ("eval/match_pot_odds", "won from pot-odds"),
        ("eval/exploitability", "exploitability"),
        ("train/advantage_loss", "train: advantage loss"),
    ],
)
def test_metrics_have_words(metric: str, words: str) -> None:
    assert measure_words(metric) == words

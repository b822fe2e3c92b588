# SPDX-License-Identifier: MIT
"""Results as Python and notebooks show them: short lines, HTML, CSV, LaTeX, pandas, Arrow."""

import csv
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import regretless
from regretless import InputError, load_game, solve
from regretless.pictures import progress_bar
from regretless.pictures.progress_bar import ProgressBar
from regretless.pictures.result_table import ResultTable, cell_text, grid_html, share_colours
from regretless.watch import UNWATCHED

SPOT = regretless.make_spot("Td9d6hQc2c", 200, 900, "66+,A8s+", "QQ-22,A2s+", "60%,a")


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """One of each kind of result."""
    leduc, spot = solve("leduc", iterations=50), solve(SPOT, iterations=20)
    players = (leduc.policy, "caller")
    return {
        "game": load_game("leduc"),
        "dice": load_game("liars-dice-1x4f"),
        "spot": SPOT,
        "spot game": SPOT.game,
        "range": regretless.Range.parse("66+,A8s+:0.5"),
        "equity": regretless.equity(["AA", "KK"]),
        "solution": leduc,
        "solved spot": spot,
        "node": leduc.node("x"),
        "spot node": spot.node("x"),
        "policy": leduc.policy,
        "mixture": regretless.MixedPolicy([leduc.policy, regretless.UniformPolicy()], [1, 2]),
        "bot": regretless.match("caller", "random", game="kuhn", hands=10),
        "match": regretless.match(*players, game="leduc", hands=200),
        "cross": regretless.cross_play(*players, "random", game="leduc", hands=200),
        "evaluation": regretless.evaluate(leduc.policy, "leduc"),
        "env": regretless.Env("kuhn", "caller"),
        "vector": regretless.VectorEnv("kuhn", "caller"),
        "self-play": regretless.SelfPlayEnv("kuhn", 8),
        "aec": regretless.AecEnv("kuhn"),
    }


def test_lines_are_short_and_name_the_result(results: dict[str, Any]) -> None:
    for name, each in results.items():
        line = repr(each)
        assert re.fullmatch(r"<[^\n]{5,200}>", line), (name, line)
        assert " at 0x" not in line and "array(" not in line, line
    assert repr(results["game"]) == "<leduc: 2 players, fold, call, raise>"
    assert "at Td9d6hQc2c" in repr(results["spot game"])
    assert repr(results["solution"]).startswith("<Solution of leduc: cfr+, 50 iterations")
    assert "bb/100: cfr+ +" in repr(results["match"])
    assert repr(results["policy"]) == "<TablePolicy cfr+: 936 infosets>"


def test_html_is_well_formed_and_holds_the_figures(results: dict[str, Any]) -> None:
    shown = {name: each for name, each in results.items() if hasattr(each, "_repr_html_")}
    assert {"game", "dice", "range", "solution", "match", "node", "evaluation"} <= {*shown}
    for name, each in shown.items():
        html = each._repr_html_()
        ElementTree.fromstring(f"<div>{html}</div>")
        assert "<script" not in html and "http" not in html, name
    assert "caller" in results["match"]._repr_html_()
    assert results["range"]._repr_html_().count("<td") == 169
    assert results["spot node"]._repr_html_().count("<td") == 169 + 9  # 3 actions, 3 cells each
    assert "% of the pot" in results["solved spot"]._repr_html_()


def test_texts_of_others_are_escaped() -> None:
    html = ResultTable({"<b>": ["<script>"]}, "a & b")._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html and "a &amp; b" in html


def test_tables_agree_in_all_forms(results: dict[str, Any]) -> None:
    node = results["spot node"]
    table = node.table()
    frame, arrow = node.to_pandas(), node.to_arrow()
    read = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert len(table) == len(frame) == arrow.num_rows == len(read)
    assert list(frame.columns) == arrow.column_names == list(table.columns)
    ours = frame[frame.seat == "IP"]
    mixes = ours[[each.word for each in node.choices]].to_numpy()
    assert np.allclose(mixes.sum(axis=1), 1)
    assert np.isclose((mixes[:, 0] * ours.share).sum(), node.choices[0].share)
    won = results["match"].to_pandas().set_index("player").bb_per_100
    assert np.isclose(won["cfr+"], -won["caller"])
    assert results["cross"].to_pandas().shape == (3, 5)
    exact = results["evaluation"].to_pandas().value[0]
    assert np.isclose(exact, results["solution"].exploitability)
    assert np.isclose(results["equity"].to_pandas().equities.sum(), 1)


def test_latex_and_csv() -> None:
    table = ResultTable.of_rows([{"run": "a_1 & 50%", "last": 0.25}, {"run": "b", "best": None}])
    assert table.columns == {"run": ["a_1 & 50%", "b"], "last": [0.25, None], "best": [None, None]}
    lines = table.to_latex().splitlines()
    assert lines[0] == "\\begin{tabular}{lrr}" and "a\\_1 \\& 50\\% & 0.25 &  \\\\" in lines
    assert table.to_csv() == "run,last,best\na_1 & 50%,0.25,\nb,,\n"
    assert [cell_text(each) for each in (None, float("nan"), True, 12_345, 1 / 3, "x")] == [
        "", "", "True", "12,345", "0.333333", "x",
    ]  # fmt: skip


def test_long_tables_show_their_first_rows() -> None:
    table = ResultTable({"n": list(range(100))})
    assert "and 70 more rows" in table._repr_html_() and len(table) == 100
    assert repr(table) == "<ResultTable 100 rows: n>" and len(ResultTable({})) == 0


def test_colours_of_actions() -> None:
    fold, call, bet = share_colours(["f", "c", "b50"])
    assert len({fold, call, bet}) == 3 and len(share_colours(["x"] * 12)) == 12
    cell = grid_html([["AA"]], [[[0.25, 0.5]]], [fold, bet])
    assert f"{fold} 0% 25%" in cell and f"{bet} 25% 75%" in cell


@pytest.mark.parametrize("package", ["pandas", "pyarrow"])
def test_what_is_missing_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    table = ResultTable({"n": [1]})
    with pytest.raises(InputError, match=rf"needs {package}: pip install 'regretless\[pandas\]'"):
        table.to_pandas() if package == "pandas" else table.to_arrow()


def test_a_run_and_its_record(tmp_path: Path) -> None:
    run = regretless.train("kuhn_cfr", "budget.steps=20", f"output={tmp_path / 'r'}")
    assert repr(run) == f"<Run {tmp_path / 'r'}: cfr+ on kuhn>"
    record = regretless.read_run(run.path)
    assert "rows of metrics" in repr(record) and "exploitability" in run._repr_html_()
    frame = record.to_pandas()
    assert frame.step.iloc[-1] == 20 and "eval/exploitability" in frame
    board = regretless.leaderboard([run.path])
    assert repr(board) == "<Leaderboard kuhn: 1 runs>"
    assert board.to_pandas().best[0] == frame["eval/exploitability"].min()
    assert "Bundle" in repr(regretless.open_bundle(run.path / "bundle"))


class _Clock:
    """Time that passes half a second at each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 0.5
        return self.now


def _draw(monkeypatch: pytest.MonkeyPatch, wanted: bool | None, count: int = 8) -> ProgressBar:
    monkeypatch.setattr(progress_bar, "time", _Clock())
    with ProgressBar(wanted) as bar:
        watch = bar.watch(UNWATCHED)
        for number in range(count):
            watch.look("work", number / count)
    return bar


def test_plain_lines_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _draw(monkeypatch, True)
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) < 8 and all(re.fullmatch(r"work   \d+%   \d+ s", each) for each in lines)
    _draw(monkeypatch, None)
    assert capsys.readouterr() == ("", "")


def test_one_line_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    _draw(monkeypatch, True)
    text = capsys.readouterr().err
    assert "\n" not in text and text.startswith("\r\x1b[Kwork") and text.endswith("\r\x1b[K")


def test_a_bar_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    handle = SimpleNamespace(update=shown.append)

    def display(html: str, display_id: bool) -> SimpleNamespace:
        assert display_id
        shown.append(html)
        return handle

    shell = SimpleNamespace(kernel=object())
    module = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", module)  # type: ignore[arg-type]
    parts = SimpleNamespace(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython.display", parts)  # type: ignore[arg-type]
    _draw(monkeypatch, None)
    assert len(shown) > 2 and shown[0].startswith("<progress value=")
    assert 'value="1.000"' in shown[-1]
    monkeypatch.setattr(progress_bar, "_PATIENCE", 0.0)
    shown.clear()
    solve("leduc", iterations=50)
    assert "iteration 50 of 50" in shown[-1]
    regretless.match("caller", "random", game="kuhn", hands=100)
    assert "match against random" in shown[-1]
    shell.__dict__.clear()  # a terminal of IPython
    assert not progress_bar.in_notebook()


def test_short_work_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    solve("kuhn", iterations=5, progress=True)
    assert capsys.readouterr() == ("", "")

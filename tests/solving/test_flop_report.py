# SPDX-License-Identifier: MIT
"""One pair of ranges on many flops."""

import csv
import json
from dataclasses import fields
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.main import get_command

from regretless.cli import app, main, register
from regretless.errors import InputError
from regretless.notation.cards import parse_cards
from regretless.solving.flop_report import FlopReport, all_flops, flop_subset, mean_row, read_flops
from regretless.solving.spot_options import SpotOptions
from regretless.watch import Stopped, Watch

OPTIONS = SpotOptions("", 100, 60, "QQ,AKs", "99,KQs", "a", "a")
BUDGET = {"iterations": 20}


def least_names(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns for flops [flops, 3] the least number among isomorphic flops."""
    names = []
    for suits in permutations(range(4)):
        renamed = np.sort(cards // 4 * 4 + np.array(suits)[cards % 4], axis=1)
        names.append(renamed @ np.array([52 * 52, 52, 1]))
    least: NDArray[np.int64] = np.min(names, axis=0)
    return least


def test_all_flops_by_renaming_suits() -> None:
    names, counts = np.unique(
        least_names(np.array(list(combinations(range(52), 3)))), return_counts=True
    )
    flops = all_flops()
    found = least_names(np.array([parse_cards(flop.cards) for flop in flops]))
    assert len(flops) == 1755
    assert sorted(found.tolist()) == names.tolist()
    weights = dict(zip(found.tolist(), (flop.weight * 22_100 for flop in flops), strict=True))
    assert [weights[name] for name in names.tolist()] == pytest.approx(counts.tolist())


@pytest.mark.parametrize("count", [1, 10, 95, 1755])
def test_a_subset_stands_for_all(count: int) -> None:
    flops = flop_subset(count)
    assert flops == flop_subset(count)
    assert len(flops) <= count
    assert sum(flop.weight for flop in flops) == pytest.approx(1)
    if count < 95:
        return
    suits = [len({name[1], name[3], name[5]}) for name in (flop.cards for flop in flops)]
    rainbow = sum(f.weight for f, num in zip(flops, suits, strict=True) if num == 3)
    assert rainbow == pytest.approx(
        286 * 24 / 22_100 + 13 * 12 * 12 / 22_100 + 52 / 22_100, abs=0.02
    )


@pytest.mark.parametrize("place", ["missing/report.json", "file/report.json", "x" * 300])
@pytest.mark.parametrize("option", ["--output", "--csv"])
def test_no_place_to_write_is_said_before_solving(
    option: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(FlopReport, "_solve", lambda *_, **__: pytest.fail())
    Path("file").write_text("")
    places = {"--output": "report.json"} | {option: place}
    with pytest.raises(SystemExit) as ended:
        main(
            ["flops", "--pot", "20", "--stack", "20", *(w for each in places.items() for w in each)]
        )
    assert ended.value.code == 2


def test_rows_are_kept_and_not_solved_again(tmp_path: Path) -> None:
    path, flops = tmp_path / "report.json", read_flops("Td9d6h,As7c2d")
    solved: list[str] = []
    report = FlopReport(OPTIONS, flops, path, BUDGET)
    first = FlopReport(OPTIONS, flops[:1], path, BUDGET).rows()
    kept = path.read_text()
    assert FlopReport(OPTIONS, flops[:1], path, BUDGET).rows() == first
    assert path.read_text() == kept
    rows = report.rows(lambda flop, _: solved.append(flop))
    assert set(solved) == {"As7c2d"}
    assert report.forecast().startswith("all 2 flops are in")
    mean = mean_row(rows)
    for row in [*rows, mean]:
        assert row["ev_oop"] + row["ev_ip"] == pytest.approx(100, abs=1e-3)
        assert row["check"] + row["all-in 60"] == pytest.approx(1)
    assert mean["ev_oop"] == pytest.approx((rows[0]["ev_oop"] + rows[1]["ev_oop"]) / 2)
    with pytest.raises(InputError, match="a report with another iterations"):
        FlopReport(OPTIONS, flops, path, {"iterations": 21}).rows()
    path.write_text("{}")
    with pytest.raises(InputError, match="not a report over flops"):
        report.rows()


def test_a_stop_keeps_the_flops_that_are_done(tmp_path: Path) -> None:
    path, flops = tmp_path / "report.json", read_flops("Td9d6h,As7c2d")
    report = FlopReport(OPTIONS, flops, path, BUDGET)
    seen: list[str] = []
    with pytest.raises(Stopped):
        report.rows(lambda flop, _: seen.append(flop), Watch(lambda: "As7c2d" in seen))
    assert [row["flop"] for row in json.loads(path.read_text())["rows"]] == ["Td9d6h"]
    assert "1 flops to solve" in report.forecast() and len(report.rows()) == 2


def test_flops_that_do_not_fit_are_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regretless.solving.forecast.free_memory", lambda: 1 << 20)
    report = FlopReport(OPTIONS, read_flops("3"), tmp_path / "report.json", BUDGET)
    with pytest.raises(InputError, match=r"of memory in \d+ bits, of which 1 MiB are free"):
        report.forecast()


@pytest.mark.parametrize("text", ["0", "1756", "Td9d", "Td9d6h,Td9d6h", "Td9d6x"])
def test_flops_that_make_no_sense(text: str) -> None:
    with pytest.raises(InputError):
        read_flops(text)


def test_the_command_writes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.csv"
    spot = ["--pot", "100", "--stack", "60", "--range-oop", "QQ,AKs", "--range-ip", "99,KQs"]
    sizes = ["--bets", "a", "--raises", "a", "--iterations", "5", "--flops", "2"]
    with pytest.raises(SystemExit) as ended:
        main(["flops", "--output", str(tmp_path / "r.json"), *spot, *sizes, "--csv", str(table)])
    assert ended.value.code in (None, 0)
    assert "all" in capsys.readouterr().out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["flop"] for row in rows][-1] == "all"
    assert len(rows) == 3


def test_the_command_takes_every_option_of_a_spot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = ["--bets-oop", "40%", "--bets-turn", "a", "--bets-river", "a", "--donks", "none"]
    chips = ["--pot", "100", "--stack", "90", "--stack-ip", "60", "--rake", "5", "--rake-cap", "3"]
    spot = [*chips, *sizes, "--aggressor", "none", "--bets-flop", "a", "--raises", "a"]
    spot += ["--range-oop", "QQ,AKs", "--range-ip", "99,KQs", "--iterations", "5", "--json"]
    spot += ["--add-all-in", "0", "--force-all-in", "0", "--merge", "0"]
    told = []
    for command in (
        ["flops", "--flops", "Td9d6h", "--output", str(tmp_path / "r.json"), "--target", "0.1"],
        ["solve", "nlhe", "--board", "Td9d6h", "--target", "0.1"],
    ):
        with pytest.raises(SystemExit) as ended:
            main([*command, *spot])
        assert ended.value.code in (None, 0)
        told.append(json.loads(capsys.readouterr().out))
    (row,), solved = told[0]["rows"], told[1]
    assert list(solved["root_mix"]) == ["check", "bet 40"]
    assert {key: row[key] for key in solved["root_mix"]} == solved["root_mix"]
    assert [row[key] for key in ("ev_oop", "ev_ip")] == [solved["ev_oop"], solved["ev_ip"]]
    assert row["ev_oop"] + row["ev_ip"] < 98


def test_a_spot_has_an_option_for_each_field() -> None:
    register()
    for command, without in (("solve", set()), ("flops", {"board"})):
        options = {each.name for each in get_command(app).commands[command].params}  # type: ignore[attr-defined]
        assert {each.name for each in fields(SpotOptions)} - options == without

# SPDX-License-Identifier: MIT
"""One pair of ranges on many flops."""

import csv
import importlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.main import get_command

from regretless.cli import app, main, register
from regretless.cluster.tasks import Task, TaskGenerator, TaskResult
from regretless.errors import InputError
from regretless.notation.cards import FULL_DECK, card_names, parse_cards
from regretless.solvers.cuda.device import has_device
from regretless.solving import flop_report
from regretless.solving.flop_report import (
    Flop,
    FlopReport,
    all_flops,
    flop_subset,
    mean_row,
    read_flops,
    texture_rows,
)
from regretless.solving.flop_sets import NUM_DEALS, SIZES, flop_set, textures
from regretless.solving.solution import solve
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


def shares_of(flops: list[Flop]) -> dict[tuple[str, str], float]:
    shares: dict[tuple[str, str], float] = {}
    for flop in flops:
        for each in textures(flop.cards).items():
            shares[each] = shares.get(each, 0.0) + flop.weight
    return shares


@pytest.mark.parametrize(("size", "most_off"), [(25, 0.035), (95, 0.01), (184, 0.003)])
def test_sets_have_the_textures_of_all_flops(size: int, most_off: float) -> None:
    found = flop_set(size)
    assert len(found) == size and sum(found.values()) == NUM_DEALS
    names = least_names(np.array([parse_cards(flop) for flop in found]))
    assert len(set(names.tolist())) == size
    assert {flop.cards for flop in flop_subset(size)} <= {flop.cards for flop in all_flops()}
    ours, all_of = shares_of(flop_subset(size)), shares_of(all_flops())
    for (by, name), share in all_of.items():
        off = abs(ours.get((by, name), 0.0) - share)
        assert off <= (1e-9 if by in ("suits", "pairs") else most_off), (by, name)


def test_textures_by_counting_all_deals() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for deal in combinations(card_names(FULL_DECK), 3):
        counts.update(textures("".join(deal)).items())
    assert counts["suits", "monotone"] == 4 * 286 and counts["pairs", "trips"] == 13 * 4
    assert counts["suits", "two-tone"] == 12 * 13 * 78 and counts["pairs", "paired"] == 13 * 6 * 48
    assert counts["high card", "A"] == 22_100 - 48 * 47 * 46 // 6
    runs = [set(range(low, low + 5)) for low in range(-1, 9)]  # -1 is the ace below the deuce
    kinds = [
        ranks
        for ranks in combinations(range(13), 3)
        if any({-1 if rank == 12 and -1 in run else rank for rank in ranks} <= run for run in runs)
    ]
    assert counts["straights", "straight possible"] == 64 * len(kinds)


@pytest.mark.slow
def test_the_script_chooses_these_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    script = importlib.import_module("flop_sets")
    assert script.make_sets() == {str(size): flop_set(size) for size in SIZES}


def test_a_node_behind_a_line_is_that_of_the_solution(tmp_path: Path) -> None:
    flops = read_flops("Td9d6h,As7c2d")
    budget = {**BUDGET, "at": "x a"}
    report = FlopReport(OPTIONS, flops, tmp_path / "report.json", budget)
    assert "2 flops to solve" in report.forecast()
    rows = report.rows()
    for row in rows:
        spot = replace(OPTIONS, board=row["flop"]).spot()
        assert spot is not None
        tree = solve(spot, iterations=20).problem.tree()
        node = tree.node("x a")
        assert [row["ev_oop"], row["ev_ip"]] == [seat.value for seat in node.seats]
        assert [row["equity_oop"], row["equity_ip"]] == [seat.equity for seat in node.seats]
        assert {each.text: row[each.text] for each in node.choices} == {
            each.text: each.share for each in node.choices
        }
        before, after = tree.node().choices[0].share, tree.node("x").choices[1].share
        assert row["reach"] == pytest.approx(before * after)
    kinds = {(row["by"], row["texture"]): row for row in texture_rows(rows)}
    assert kinds["high card", "A"]["ev_oop"] == rows[1]["ev_oop"]
    assert kinds["pairs", "unpaired"]["ev_oop"] == pytest.approx(mean_row(rows)["ev_oop"])
    for line in ("x x | 2h", "a f", "x z"):
        wrong = FlopReport(OPTIONS, flops, tmp_path / "other.json", {**BUDGET, "at": line})
        with pytest.raises(InputError):
            wrong.forecast()
    with pytest.raises(InputError, match="a report with another at"):
        FlopReport(OPTIONS, flops, tmp_path / "report.json", BUDGET).rows()


def test_unknown_figures_do_not_count_in_a_mean() -> None:
    rows = [
        {"weight": 0.5, "flop": "a", "ev": 3.0, "x": 0.4},
        {"weight": 0.5, "flop": "b", "ev": None},
    ]
    assert mean_row(rows) == {"weight": 1.0, "flop": "all", "ev": 3.0, "x": 0.2}


@pytest.mark.parametrize("place", ["missing/report.json", "file/report.json", "x" * 300])
@pytest.mark.parametrize("option", ["--output", "--csv"])
def test_no_place_to_write_is_said_before_solving(
    option: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(flop_report, "_solved", lambda *_, **__: pytest.fail())
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
    text = path.read_text()
    for changed in ("{}", text.replace("0.5", "0.6", 1), text.replace('"iterations": 20', "1"), ""):
        assert changed != text
        path.write_text(changed)
        with pytest.raises(InputError, match="not a report over flops"):
            report.rows()


def test_workers_solve_to_the_same_file(tmp_path: Path) -> None:
    """Tasks travel as JSON and may be done in any order."""
    flops, options = read_flops("Td9d6h,As7c2d"), replace(OPTIONS, pot=101, rake=5.0, rake_cap=3)
    here, there = (FlopReport(options, flops, tmp_path / name, BUDGET) for name in ("a", "b"))

    def run_tasks(
        function: str, tasks: dict[str, Any], watch: Watch, memory: int
    ) -> Iterator[tuple[str, TaskResult]]:
        assert memory > 0
        generator = TaskGenerator.of(function)
        for name, arguments in reversed(tasks.items()):
            columns = generator.make({}, Task(name, json.dumps(arguments)))
            yield name, TaskResult.from_columns(columns)

    assert there.rows(run_tasks=run_tasks) == here.rows()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


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
    flops = ["flops", "--flops", "Td9d6h", "--device", "auto", "--target", "0.1"]
    for command in (
        [*flops, "--output", str(tmp_path / "r.json")],
        ["solve", "nlhe", "--board", "Td9d6h", "--target", "0.1"],
    ):
        with pytest.raises(SystemExit) as ended:
            main([*command, *spot])
        assert ended.value.code in (None, 0)
        told.append(json.loads(capsys.readouterr().out))
    (row,), solved = told[0]["rows"], told[1]
    assert list(solved["root_mix"]) == ["check", "bet 40"]
    most = 1e-9 if not has_device() else 1e-2  # a GPU rounds otherwise
    assert {key: row[key] for key in solved["root_mix"]} == pytest.approx(
        solved["root_mix"], abs=most
    )
    for key in ("ev_oop", "ev_ip"):
        assert row[key] == pytest.approx(solved[key], abs=100 * most)
    assert row["ev_oop"] + row["ev_ip"] < 98


def test_a_spot_has_an_option_for_each_field() -> None:
    register()
    for command, without in (("solve", set()), ("flops", {"board"})):
        options = {each.name for each in get_command(app).commands[command].params}  # type: ignore[attr-defined]
        assert {each.name for each in fields(SpotOptions)} - options == without

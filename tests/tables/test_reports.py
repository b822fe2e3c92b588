# SPDX-License-Identifier: MIT
"""Reports of solved spots: classes and filters, next cards, two solutions side by side."""

import csv
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from phevaluator import evaluate_cards

from regretless import make_spot, solve
from regretless.cli import main
from regretless.errors import InputError
from regretless.explorer.comparison import BY, Comparison
from regretless.explorer.hand_filter import HandFilter
from regretless.explorer.node_view import VIEWS, NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import find_runouts, mean_runout, runout_hands
from regretless.notation.made_hands import DRAWS, MADE

SPOT = ("Ks8s3h3d", 60, 120, "AA,QQ,88,AKs,QTs,A5s:0.5,76s", "KK,JJ,33,KQs,AJs,T9s,54s")
RANGES = SPOT[3:]


def small_menu(bets: str) -> dict[str, Any]:
    return {"all": {"open": bets, "raise": "a"}}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two solutions that differ in their menus."""
    path: Path = tmp_path_factory.mktemp("reports")
    for name, bets in (("one", "50%"), ("two", "50%,a")):
        solve(make_spot(*SPOT, small_menu(bets)), iterations=60).write_bundle(path / name)
    return path / "one", path / "two"


@pytest.fixture(scope="module")
def tree(bundles: tuple[Path, Path]) -> SolvedTree:
    return SolvedTree.open(bundles[0])


@pytest.fixture(scope="module")
def other(bundles: tuple[Path, Path]) -> SolvedTree:
    return SolvedTree.open(bundles[1])


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    code = ended.value.code
    return code if isinstance(code, int) else 0


def cards_of(hand: str) -> set[str]:
    return {hand[:2], hand[2:4]}


@pytest.mark.parametrize("by", ["made", "draw", "hand"])
@pytest.mark.parametrize(("line", "seat"), [("", 0), ("x", 1), ("x", 0), ("x b30", 0)])
def test_classes_sum_to_the_range(tree: SolvedTree, line: str, seat: int, by: str) -> None:
    node = tree.node(line)
    rows = node.class_rows(seat, by)
    of = node.seats[seat]
    shares = np.array([row["share"] for row in rows])
    assert shares.sum() == pytest.approx(1)
    assert sum(row["combos"] for row in rows) == pytest.approx(of.combos)
    assert shares @ [row["ev"] for row in rows] == pytest.approx(of.value)
    assert shares @ [row["equity"] for row in rows] == pytest.approx(of.equity)
    for choice in node.choices if seat == node.actor else []:
        assert shares @ [row[choice.word] for row in rows] == pytest.approx(choice.share)


def test_filters_keep_the_hands_that_they_name(tree: SolvedTree) -> None:
    node = tree.node("x")
    rows = list(node.rows())
    checks: dict[HandFilter, Any] = {
        HandFilter(made="top-pair"): lambda row: row["made"].startswith("top-pair"),
        HandFilter(made="full-house,overpair"): lambda r: r["made"] in ("full-house", "overpair"),
        HandFilter(draw="flush-draw"): lambda r: sum(r["hand"][i] == "s" for i in (1, 3)) == 2,
        HandFilter(suits="s"): lambda row: "s" in row["hand"][1::2],
        HandFilter(suits="hd"): lambda row: set(row["hand"][1::2]) == {"h", "d"},
        HandFilter(suits="suited"): lambda r: r["hand"][1] == r["hand"][3],
        HandFilter(suits="pair,hh"): lambda r: (
            r["hand"][0] == r["hand"][2] or r["hand"][1::2] == "hh"
        ),
        HandFilter(action="b30:60%"): lambda row: row["b30"] >= 0.6,
        HandFilter(suits="suited", action="x"): lambda row: (
            row["hand"][1] == row["hand"][3] and row["x"] >= 0.01
        ),
    }
    for each, holds in checks.items():
        kept = each.apply(node, 1)
        expected = [row for row in rows if holds(row)]
        assert expected and [row["hand"] for row in kept.rows()] == [r["hand"] for r in expected]
        total = sum(row["share"] for row in expected)
        assert kept.seats[1].shares.sum() == pytest.approx(1)
        for choice in kept.choices:
            share = sum(row["share"] * row[choice.word] for row in expected) / total
            assert choice.share == pytest.approx(share)
        assert kept.seats[1].value == pytest.approx(
            sum(r["share"] * r["ev"] for r in expected) / total
        )
    assert not any(
        cell.weight for row in HandFilter(made="set").apply(node, 1).grid(1) for cell in row
    )


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"made": "flash"}, "--made: no 'flash'; did you mean 'flush'"),
        ({"draw": "gutshoot"}, "--draw: no 'gutshoot'; did you mean 'gutshot'"),
        ({"suits": "hq"}, "--suits: 'hq' is none of"),
        ({"suits": ""}, None),
        ({"action": "b99"}, "--action: no 'b99' here"),
        ({"action": "x:nan%"}, "a share is 0% to 100%"),
        ({"action": "x:101"}, "a share is 0% to 100%"),
    ],
)
def test_wrong_filters(tree: SolvedTree, conditions: dict[str, str], message: str | None) -> None:
    node = tree.node("x")
    if message is None:
        assert HandFilter(**conditions).apply(node, 1) is node
        return
    with pytest.raises(InputError, match=message):
        HandFilter(**conditions).apply(node, 1)
    with pytest.raises(InputError, match="not to act"):
        HandFilter(action="x").apply(node, 0)


def test_regret_is_what_the_best_action_wins_more(tree: SolvedTree) -> None:
    node = tree.node("x")
    for row in node.rows():
        values = {word: row[f"ev {word}"] for word in ("x", "b30")}
        mixed = sum(row[word] * value for word, value in values.items())
        assert row["regret"] == pytest.approx(max(values.values()) - mixed, abs=1e-9)
        assert mixed == pytest.approx(row["ev"], abs=0.02)
    assert "regret" not in next(node.rows(0))
    cells = [cell for line in node.grid(1) for cell in line if cell.weight > 0]
    assert all(np.isfinite(cell.of_view(view)) for cell in cells for view in VIEWS[1:])


def _joint(node: NodeView, without: str) -> float:
    """Returns the weight of all pairs of hands that share no card, nor have a certain one."""
    total = 0.0
    one, two = node.seats
    for (a, x), (b, y) in product(
        zip(one.hands, one.weights, strict=True), zip(two.hands, two.weights, strict=True)
    ):
        if not cards_of(a) & cards_of(b) and without not in cards_of(a) | cards_of(b):
            total += x * y
    return total


@pytest.mark.parametrize("then", ["", "x"])
def test_runouts_are_the_nodes_behind_each_card(tree: SolvedTree, then: str) -> None:
    before = tree.node("x x")
    found = list(find_runouts(tree, "x x", then))
    cards = [card for each in found for card in each.cards]
    assert sorted(cards) == sorted(each.card for each in before.cards)
    assert any(len(each.cards) > 1 for each in found)
    joint = {card: _joint(before, card) for card in cards}
    for each in found:
        assert each.weight == pytest.approx(sum(joint[c] for c in each.cards) / sum(joint.values()))
        for card in each.cards:  # also those that are merged by suits
            node, row = tree.node(f"x x | {card} | {then}"), each.row()
            for choice in node.choices:
                assert row[choice.word] == pytest.approx(choice.share, abs=1e-9)
            for seat in node.seats:
                assert row[f"ev {seat.name}"] == pytest.approx(seat.value, abs=1e-6)
                assert row[f"equity {seat.name}"] == pytest.approx(seat.equity, abs=1e-9)
    if not then:
        mean = mean_runout([each.row() for each in found])
        assert mean["weight"] == pytest.approx(1)
        for seat in before.seats:
            assert mean[f"ev {seat.name}"] == pytest.approx(seat.value, abs=0.02)
            assert mean[f"equity {seat.name}"] == pytest.approx(seat.equity, abs=1e-6)


def test_equities_behind_a_card_by_phevaluator(tree: SolvedTree) -> None:
    found = next(each for each in find_runouts(tree, "x x") if each.cards[0][0] == "9")
    board = [found.node.board[i : i + 2] for i in range(0, 10, 2)]
    one, two = found.node.seats
    won = met = 0.0
    for (a, x), (b, y) in product(
        zip(one.hands, one.weights, strict=True), zip(two.hands, two.weights, strict=True)
    ):
        if x * y == 0 or cards_of(a) & cards_of(b):
            continue
        ours, theirs = (evaluate_cards(*board, hand[:2], hand[2:]) for hand in (a, b))
        won += x * y * (1.0 if ours < theirs else 0.5 if ours == theirs else 0.0)
        met += x * y
    assert found.row()["equity OOP"] == pytest.approx(won / met)


def test_no_runouts_where_no_card_is_due(tree: SolvedTree) -> None:
    for line in ("", "b30 f"):
        with pytest.raises(InputError, match="no public card is due"):
            list(find_runouts(tree, line))
    with pytest.raises(InputError, match="not a choice here"):
        list(find_runouts(tree, "x x", "z"))
    all_in = list(find_runouts(tree, "b30 a c"))  # no choices behind the cards
    assert len(all_in) > 10 and "x" not in all_in[0].row() and all_in[0].row()["ev IP"] is not None


@pytest.mark.parametrize("by", BY)
def test_a_solution_beside_itself_is_the_same(tree: SolvedTree, by: str) -> None:
    found = Comparison.at(tree, tree, "x x" if by == "runouts" else "x")
    assert not found.settings
    rows = found.table(by)
    assert rows
    for row in rows:
        assert not row.get("distance") and not row.get("only A") and not row.get("only B")
        for name, figure in row.items():
            if name.endswith(" A") and name != "only A":
                assert figure == row[f"{name[:-1]}B"]
            if name.endswith("difference"):
                assert figure == 0


def test_the_common_part_of_two_menus(tree: SolvedTree, other: SolvedTree) -> None:
    found = Comparison.at(tree, other)
    assert list(found.settings) == ["menu.rows"]
    one, two = tree.node(), other.node()
    actions = {row["action"]: row for row in found.table("actions")}
    assert set(actions) == {"x", "b30", "a"} and actions["a"]["share A"] is None
    for choice in two.choices:
        assert actions[choice.word]["share B"] == pytest.approx(choice.share)
    hands = found.table("hands")
    importance = [row["distance"] * max(row["share A"], row["share B"]) for row in hands]
    assert importance == sorted(importance, reverse=True)
    first = {row["hand"]: row for row in one.rows()}
    for row, mine in (
        (each, row) for row in two.rows() for each in hands if each["hand"] == row["hand"]
    ):
        words = ("x", "b30", "a")
        ours = [first[mine["hand"]].get(word, 0.0) for word in words]
        distance = sum(abs(a - mine[word]) for a, word in zip(ours, words, strict=True)) / 2
        assert row["distance"] == pytest.approx(distance)
        assert row["ev difference"] == pytest.approx(mine["ev"] - first[mine["hand"]]["ev"])
    nodes = {row["line"]: row for row in found.table("nodes")}
    assert nodes[""]["only B"] == "a" and set(nodes) == {
        "",
        "x",
        "b30",
        "b30 a",
        "x b30",
        "x b30 a",
    }
    mean = sum(row["distance"] * row["share A"] for row in hands)
    assert nodes[""]["distance"] == pytest.approx(mean)
    assert nodes["x"]["reach"] == pytest.approx(one.choices[0].share)
    cards = Comparison.at(tree, other, "x x").table("runouts")
    assert {row["cards"] for row in cards} == {" ".join(r.cards) for r in find_runouts(tree, "x x")}


def test_spots_that_cannot_be_compared(tree: SolvedTree, other: SolvedTree) -> None:
    def made(*spot: Any) -> SolvedTree:
        return solve(make_spot(*spot, small_menu("a")), iterations=1).problem.tree()

    with pytest.raises(InputError, match=r"differ in start.board: Ks8s3h3d and Ks8s3h3c"):
        Comparison.at(tree, made("Ks8s3h3c", 60, 120, *RANGES))
    with pytest.raises(InputError, match=r"differ in poker.antes: \[30, 30\] and \[40, 40\]"):
        Comparison.at(tree, made("Ks8s3h3d", 80, 120, *RANGES))
    with pytest.raises(InputError, match=r"A has no such line: .*'a' at column 1"):
        Comparison.at(tree, other, "a")
    found = Comparison.at(tree, made("Ks8s3h3d", 60, 90, "AA,QQ,2c2d", RANGES[1]), "x")
    assert {"poker.stacks", "start.ranges", "menu.rows"} == set(found.settings)
    hands = found.table("hands", 0)
    assert {row["hand"] for row in hands if row["weight A"] is None} == {"2d2c"}


def test_what_the_commands_print_and_write(
    bundles: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = map(str, bundles)
    table = tmp_path / "table.csv"
    assert run("runouts", one, "x x", "--csv", str(table), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["cards"], float(row["b30"])) for row in rows] == [
        (row["cards"], row["b30"]) for row in told["cards"]
    ]
    assert run("runouts", one, "x x") == 0
    assert "equity OOP" in capsys.readouterr().out
    assert run("runouts", one, "x x", "--by", "hand", "--csv", str(table)) == 0
    hands = list(csv.DictReader(table.read_text().splitlines()))
    tree = SolvedTree.open(one)
    assert len(hands) == len(list(runout_hands(find_runouts(tree, "x x"))))
    capsys.readouterr()
    assert run("compare-spots", one, two, "x", "--by", "made", "--csv", str(table)) == 0
    out = capsys.readouterr().out
    assert "% of the pot" in out and "menu.rows" in out and "ev difference" in out
    assert {row["class"] for row in csv.DictReader(table.read_text().splitlines())} <= set(MADE)
    assert run("compare-spots", one, two, "--by", "hands", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["unit"] for each in told["solutions"]] == ["% of the pot"] * 2
    assert told["rows"][0]["distance"] > 0
    assert run("compare-spots", one, two, "a") == 2
    assert capsys.readouterr().err.startswith("error: A has no such line")


def test_show_has_views_filters_and_classes(
    bundles: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, table = str(bundles[0]), tmp_path / "table.csv"
    for view in VIEWS:
        assert run("show", bundle, "x", "--view", view) == 0
        assert "KK " in capsys.readouterr().out
    assert run("show", bundle, "x", "--by", "draw", "--made", "nothing", "--csv", str(table)) == 0
    assert "draw" in capsys.readouterr().out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert {row["class"] for row in rows} <= set(DRAWS)
    assert sum(float(row["share"]) for row in rows) == pytest.approx(1)
    assert run("show", bundle, "x", "--suits", "ss", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    of_ip = [row for row in told["hands"] if row["seat"] == "IP"]
    assert of_ip and all(row["hand"][1::2] == "ss" for row in of_ip)
    assert sum(
        row["share"] for row in told["classes"]["made"] if row["seat"] == "IP"
    ) == pytest.approx(1)
    assert len(told["grids"]["IP"]) == 169
    assert run("show", bundle, "x", "--made", "trip") == 2
    assert "--made: no 'trip'; did you mean 'trips'?" in capsys.readouterr().err

# SPDX-License-Identifier: MIT
"""Looking at nodes of solved spots and small games, and what a bundle keeps of them."""

import csv
import importlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretless import _native
from regretless.bundles.bundle import open_bundle
from regretless.bundles.solution import write_solution
from regretless.cli import main
from regretless.equities import equity
from regretless.errors import InputError
from regretless.explorer.node_view import NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.games.spots import make_spot
from regretless.notation.cards import format_cards
from regretless.notation.ranges import Range
from regretless.policies.strategy_table import StrategyTable
from regretless.policies.strategy_tree import StrategyTree
from regretless.solving.solution import Solution, solve

MENU = {"all": {"open": "50%,a", "raise": "a"}}
TURN = ("Ks8s3h3d", 60, 150, "KQs,77:0.5,QTs", "A8s,99:0.5,JTs,KTs")
TURN_LINES = [
    "",
    "x",
    "b50%",
    "b30 a",
    "x x",
    "x x | 2c |",
    "x x | 2d | b30 a",
    "x x | Tc | x b30",
    "x b50% c | Td | b50%",
    "x b50% c | Ts | x",
    "x b50% c | 8c",
    "a c",
    "a c | 4d",
]


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(make_spot(*TURN, MENU), iterations=50)


@pytest.fixture(scope="module")
def turn_bundle(turn: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("show") / "turn"
    turn.write_bundle(path)
    return path


@pytest.fixture(scope="module")
def turn_tree(turn_bundle: Path) -> SolvedTree:
    return SolvedTree.open(turn_bundle)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    code = ended.value.code
    return code if isinstance(code, int) else 0


def follow(game: Any, node: NodeView, holes: list[list[int]]) -> Any:
    episode = _native.PokerEpisode(game, hole=holes)
    for word in node.line.replace("|", " ").split():
        if episode.actor == _native.CHANCE:
            episode.deal_board([card_of(word)])
        elif word in "xc":
            episode.act(0)
        elif word == "a":
            episode.raise_to(episode.bets[episode.actor] + episode.stacks[episode.actor])
        else:
            episode.raise_to(int(word[1:]))
    return episode


def table_of(solution: Solution) -> StrategyTable:
    solver: Any = solution.problem.solver
    table: StrategyTable = solver.table()
    return table


def card_of(name: str) -> int:
    return "23456789TJQKA".index(name[0]) * 4 + "cdhs".index(name[1])


@pytest.mark.parametrize("line", [each for each in TURN_LINES if not each.startswith("a c")])
def test_nodes_are_those_of_the_infosets(line: str, turn: Solution, turn_tree: SolvedTree) -> None:
    """Rows by infoset are made by another walk; merged boards go by their own names there."""
    node = turn_tree.node(line)
    if node.actor < 0:
        return
    table, game = table_of(turn), turn.game
    assert table.values is not None and table.reaches is not None
    of, root = node.acting, turn_tree.tree.weights(node.actor)
    checked = 0
    for h, name in enumerate(of.hands):
        cards = [card_of(name[:2]), card_of(name[2:])]
        if any(name[i : i + 2] in node.board for i in (0, 2)):
            assert of.weights[h] == 0
            continue
        holes: list[list[int]] = [[], []]
        holes[node.actor] = cards
        episode = follow(game, node, holes)
        found, places = table.find(np.array([episode.infoset], np.uint64))
        assert found[0]
        row, value = table.probabilities[places[0]], table.values[places[0]]
        slots = [slot for slot, legal in enumerate(episode.legal) if legal]
        mix = [choice.mix[h] for choice in node.choices]
        assert mix == pytest.approx(row[slots].tolist(), abs=4e-5)
        assert of.weights[h] == pytest.approx(root[h] * table.reaches[places[0]], abs=1e-4)
        if np.isfinite(of.values[h]):
            at_start = turn_tree.game.episode_of().paid[node.actor]
            assert of.values[h] == pytest.approx(value + at_start, abs=0.02)
            checked += 1
    assert checked


@pytest.mark.parametrize("line", TURN_LINES)
def test_values_add_up(line: str, turn_tree: SolvedTree) -> None:
    """Endings are computed when they are shown, all else was kept: both must agree."""
    node = turn_tree.node(line)
    first, second = node.seats
    pot = turn_tree.node(equities=False).pot  # values count from the start
    if first.combos and second.combos:
        assert first.value + second.value == pytest.approx(pot, abs=2e-3 * node.pot)
        assert first.equity + second.equity == pytest.approx(1)
    if node.choices:
        mixed = np.sum([choice.mix * choice.values for choice in node.choices], axis=0)
        known = np.isfinite(node.acting.values)
        assert mixed[known] == pytest.approx(node.acting.values[known], abs=0.05)
        assert sum(choice.share for choice in node.choices) == pytest.approx(1)
        if node.choices[0].word == "f":
            put_in = follow(turn_tree.game, node, [[], []]).paid[node.actor] - pot / 2
            assert node.choices[0].values[known] == pytest.approx(-put_in)
        for choice in node.choices:
            below = turn_tree.node(f"{line} {choice.word}", equities=False).seats[node.actor]
            if choice.share > 1e-3:
                assert below.value == pytest.approx(choice.value, abs=0.02)
    if node.cards:
        means = np.array([case.values for case in node.cards])
        assert np.nanmean(means.sum(axis=1)) == pytest.approx(pot, abs=2e-3 * node.pot)


def test_merged_boards_are_told_as_unmerged_ones(turn: Solution, turn_tree: SolvedTree) -> None:
    unmerged = SolvedTree.of_table(turn.game, table_of(turn))
    assert len(turn_tree.tree.actors) < len(unmerged.tree.actors)
    for line in [*TURN_LINES, *(f"x b50% c | {rank}{suit} | x" for rank in "K9" for suit in "cdh")]:
        one, two = turn_tree.node(line), unmerged.node(line)
        for a, b in zip(one.seats, two.seats, strict=True):
            assert a.hands == b.hands
            assert a.weights == pytest.approx(b.weights, abs=1e-4)
            assert a.equities == pytest.approx(b.equities, abs=2e-3, nan_ok=True)
            assert a.values == pytest.approx(b.values, abs=0.05, nan_ok=True)


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc", "Td9d6hQc2s"])
def test_shares_of_ranges_are_their_equities(board: str) -> None:
    ranges = ["AKs,TT:0.5,7c6c", "QQ,JTs:0.25,AhKd,TT"]
    weights = [Range.parse(each).weights for each in ranges]
    cards = [card_of(board[i : i + 2]) for i in range(0, len(board), 2)]
    deck = _native.Deck()
    shares = _native.range_shares(_native.Showdown.HOLDEM, deck, cards, *weights)
    totals = []
    for player in range(2):
        wins, ties, meets = shares[player]
        hands = [h for h in np.flatnonzero(weights[player]) if meets[h] > 0][::5]
        for h in hands:
            name = format_cards(_native.hand_cards(deck, 2)[h].tolist())
            found = equity([name, ranges[1 - player]], board, method="exact").equities[0]
            assert (wins[h] + ties[h] / 2) / meets[h] == pytest.approx(found, abs=1e-9)
        totals.append((weights[player] * (wins + ties / 2)).sum() / (weights[player] @ meets))
    assert totals == pytest.approx(equity(ranges, board, method="exact").equities, abs=1e-9)


def test_shares_of_a_river_by_counting() -> None:
    """All pairs of hands, one by one; also of a short deck."""
    for rule, ranks, lowest in (("HOLDEM", 13, 0), ("SHORT_DECK", 9, 4)):
        deck, showdown = _native.Deck(ranks, 4, lowest), _native.Showdown[rule]
        generator = np.random.default_rng(1)
        board = [1, 6, 15, 22, 30]
        cards = _native.hand_cards(deck, 2)
        weights = [
            generator.random(len(cards)) * (generator.random(len(cards)) < 0.1) for _ in "ab"
        ]
        shares = _native.range_shares(showdown, deck, board, *weights)
        strengths = _native.board_strengths(showdown, deck, board, 2).astype(np.int64)
        for h in np.flatnonzero(weights[0]):
            if strengths[h] == 0:
                assert not shares[0, :, h].any()
                continue
            wins = ties = meets = 0.0
            for o in np.flatnonzero(weights[1]):
                if strengths[o] == 0 or set(cards[h]) & set(cards[o]):
                    continue
                meets += weights[1][o]
                wins += weights[1][o] * (strengths[h] > strengths[o])
                ties += weights[1][o] * (strengths[h] == strengths[o])
            assert shares[0, :, h] == pytest.approx([wins, ties, meets])


def test_a_bundle_of_a_tree_plays_as_the_table(turn: Solution, turn_bundle: Path) -> None:
    bundle = open_bundle(turn_bundle)
    bundle.verify()
    kept, table = bundle.table(), table_of(turn)
    assert (kept.keys == table.keys).all()
    assert np.abs(kept.probabilities - table.probabilities).max() < 1e-4
    assert kept.values is not None
    assert bundle.policy().name == "dcfr"


def test_the_older_bundle_of_a_spot_is_shown_as_well(turn: Solution, tmp_path: Path) -> None:
    """A table with a row for every board, as spots were kept before."""
    bundle = open_bundle(turn.write_bundle(tmp_path / "new").path)
    write_solution(tmp_path / "old", turn.problem.solver, bundle.manifest.algorithm, [])
    assert open_bundle(tmp_path / "old").manifest.table is not None
    old, new = SolvedTree.open(tmp_path / "old"), SolvedTree.open(tmp_path / "new")
    for line in ("x", "x b50% c | Ts | x"):
        one, two = old.node(line), new.node(line)
        assert one.seats[0].value == pytest.approx(two.seats[0].value, abs=0.05)
        assert [c.share for c in one.choices] == pytest.approx(
            [c.share for c in two.choices], abs=1e-3
        )


def test_a_bundle_takes_at_most_twice_the_strategy_in_half_precision(tmp_path: Path) -> None:
    spot = make_spot("Td9d6hQc", 100, 300, "30%", "45%", {"all": {"open": "50%", "raise": "a"}})
    found = solve(spot, iterations=1)
    found.write_bundle(tmp_path / "spot")
    entries = found.problem.solver.problem.size.entries  # type: ignore[attr-defined]
    size = sum(each.stat().st_size for each in (tmp_path / "spot").iterdir())
    assert size <= 2 * 2 * entries


def test_kept_numbers_are_those_of_the_solver(turn: Solution) -> None:
    solver: Any = turn.problem.solver
    tree = solver.packed()
    for node in np.flatnonzero(tree.actors >= 0)[::7].tolist():
        assert tree.strategy_at(node) == pytest.approx(solver.node_strategy(node), abs=4e-5)
    nodes = np.flatnonzero(tree.actors >= 0).tolist()
    profile = np.concatenate([solver.node_strategy(node).ravel() for node in nodes])
    same = StrategyTree.of(solver.problem, solver.problem.packed(profile))  # as on a device
    assert np.abs(same.strategy.astype(int) - tree.strategy).max() <= 1
    values = solver.solver.hand_values(0)
    assert tree.values_at(0)[0] == pytest.approx(values, abs=0.01)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("actors", lambda column: column[:-1]),
        ("actors", lambda column: np.where(column == 0, 7, column).astype(np.int8)),
        ("strategy", lambda column: column[:-1]),
        ("boards", lambda column: column + 10_000),
        ("renamings", lambda column: column + 99),
        ("places_0", lambda column: column - 1),
        ("num_children", lambda column: column * 0),
        ("scales", lambda column: column[:, :1]),
        ("weights_1", lambda column: -column),
        ("values", lambda column: column.astype(np.int32)),
    ],
)
def test_columns_that_do_not_fit_are_refused(name: str, change: Any, turn: Solution) -> None:
    solver: Any = turn.problem.solver
    columns = solver.packed().columns()
    columns[name] = change(columns[name])
    with pytest.raises(InputError, match=r"place: [a-z_01]+ "):
        StrategyTree.from_columns(columns, "place")


def test_children_that_are_not_there_are_refused(turn: Solution) -> None:
    solver: Any = turn.problem.solver
    tree = solver.packed()
    wild = replace(tree, first_children=tree.first_children * 0)
    with pytest.raises(InputError, match="its children are not in the tree"):
        SolvedTree(turn.game, wild).node("x")


def test_a_damaged_file_is_found(turn_bundle: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for each in turn_bundle.iterdir():
        (copy / each.name).write_bytes(each.read_bytes())
    whole = bytearray((copy / "tree.safetensors").read_bytes())
    whole[len(whole) // 2] ^= 1
    (copy / "tree.safetensors").write_bytes(whole)
    with pytest.raises(InputError, match="damaged"):
        open_bundle(copy).table()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x z", r"not a choice here, where there are x \(check\).*'z' at column 3"),
        ("x b77%", r"no such size here, .*b30.*'b77%' at column 3"),
        ("b30 x", r"not a choice here.*'x' at column 5"),
        ("x x b30", r"a public card comes here, such as 7h: 'b30' at column 5"),
        ("x x | Ks", r"'Ks' at column 7"),
        ("b30 f c", r"the hand is over before this: 'c' at column 7"),
    ],
)
def test_lines_that_cannot_be(line: str, message: str, turn_tree: SolvedTree) -> None:
    with pytest.raises(InputError, match=message):
        turn_tree.node(line)


def test_lines_are_written_in_short(turn_tree: SolvedTree) -> None:
    assert turn_tree.node("  x   b50%  call | 7h|x ").line == "x b30 c | 7h | x"
    assert turn_tree.node("a").choices[1].word == "c"


def test_kuhn_and_leduc_show_their_infosets(tmp_path: Path) -> None:
    solve("kuhn", iterations=2_000).write_bundle(tmp_path / "kuhn")
    tree = SolvedTree.open(tmp_path / "kuhn")
    root = tree.node()
    assert root.acting.hands == ["J", "Q", "K"]
    assert root.seats[0].value == pytest.approx(-1 / 18, abs=1e-3)
    assert root.seats[0].equities == pytest.approx([0, 0.5, 1])
    facing = tree.node("x b")
    assert {row["hand"]: row["f"] for row in facing.rows()}["J"] == pytest.approx(1, abs=1e-3)
    solve("leduc", iterations=100).write_bundle(tmp_path / "leduc")
    leduc = SolvedTree.open(tmp_path / "leduc").node("x x | Kd | x")
    assert leduc.actor == 1
    assert leduc.acting.weights[leduc.acting.hands.index("Kd")] == 0
    assert leduc.seats[0].value + leduc.seats[1].value == pytest.approx(0, abs=1e-3)


def test_without_colours_the_grid_has_weights_and_mixes(
    turn_bundle: Path, turn_tree: SolvedTree, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("show", str(turn_bundle), "x") == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if re.match(r"[2-9TJQKA]{2}[so]? +(-|\d+)", line)]
    legend = next(line for line in lines if line.startswith("weight in percent"))
    node = turn_tree.node("x")
    assert len(rows) == 13 and legend.endswith("* is all, . is none")
    assert f"tenths of {' '.join(each.word for each in node.choices)}:" in legend
    for line, cells in zip(rows, node.grid(node.actor), strict=True):
        for cell in cells:
            found = re.search(rf"\b{cell.name} +(-|(\d+) (\S+))", line)
            assert found is not None
            if cell.weight <= 0:
                assert found[1] == "-"
                continue
            assert int(found[2]) == max(round(100 * cell.weight), 1)
            shares = [10 if each == "*" else 0 if each == "." else int(each) for each in found[3]]
            assert shares == [round(10 * share) for share in cell.mix]


def test_what_the_command_prints(
    turn_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("show", str(turn_bundle), "x b50%", "--hands", "QTs") == 0
    out = capsys.readouterr().out
    assert "turn  Ks8s3h3d  pot 90 chips  30 to call" in out
    assert "x b30" in out and "OOP to act" in out
    assert sum(line.startswith(("AA", "AKo", "A2o")) for line in out.splitlines()) == 3
    assert "QcTc" in out and "KcQc" not in out
    written = tmp_path / "hands.csv"
    assert run("show", str(turn_bundle), "x", "--csv", str(written), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    rows = list(csv.DictReader(written.read_text().splitlines()))
    of_ip = [row for row in told["hands"] if row["seat"] == "IP"]
    assert [row["hand"] for row in rows] == [row["hand"] for row in of_ip]
    assert float(rows[0]["ev"]) == of_ip[0]["ev"]
    assert told["ranges"][0]["ev"] + told["ranges"][1]["ev"] == pytest.approx(60, abs=0.05)


def test_parquet_needs_pyarrow(
    turn_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.parquet"
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        assert run("show", str(turn_bundle), "--parquet", str(path)) == 2
        assert "needs pyarrow" in capsys.readouterr().err
        assert not path.exists()
    else:
        assert run("show", str(turn_bundle), "--parquet", str(path)) == 0
        assert parquet.read_table(path).num_rows > 0


def test_networks_have_no_nodes_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "nlhe-nfsp") == 2
    assert "show needs a table or a solved spot" in capsys.readouterr().err

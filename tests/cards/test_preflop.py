# SPDX-License-Identifier: MIT
"""Before the flop: the table of class against class, the solver, charts."""

import csv
import json
import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linprog

from regretless import _native
from regretless.cli import main
from regretless.equities import equity
from regretless.errors import InputError
from regretless.preflop import matchups as matchups_module
from regretless.preflop.matchups import (
    CLASS_NAMES,
    CLASSES,
    COMBOS,
    NUM_BOARDS,
    WINS_FILE,
    load_matchups,
)
from regretless.preflop.solving import PLAYERS, node_values, preflop_game, solve_preflop
from regretless.preflop.tree import PreflopSpot, make_tree

NUM_DEALS = 1326 * 1225


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["preflop", *arguments])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


# The table.


def test_the_table_counts_every_deal_once():
    table = load_matchups()
    assert COMBOS.sum() == 1326
    assert table.pairs.sum() == NUM_DEALS and (table.pairs == table.pairs.T).all()
    assert (table.ties >= 0).all() and (table.ties == table.ties.T).all()
    assert (table.wins + table.wins.T + table.ties).sum() == NUM_DEALS * NUM_BOARDS
    assert np.allclose(table.equities + table.equities.T, 1, atol=1e-15)


@pytest.mark.parametrize(
    ("first", "second"),
    [("AA", "KK"), ("AKo", "22"), ("72o", "72o"), ("A5s", "A5s"), ("T9s", "A9o")],
)
def test_the_table_matches_counted_boards(first, second):
    table, result = load_matchups(), equity([first, second], method="exact")
    place = CLASS_NAMES.index(first), CLASS_NAMES.index(second)
    deals = table.pairs[place] * NUM_BOARDS
    assert table.wins[place] / deals == pytest.approx(result.wins[0], abs=1e-14)
    assert table.ties[place] / deals == pytest.approx(result.ties[0], abs=1e-14)
    assert table.equities[place] == pytest.approx(result.equities[0], abs=1e-14)


def test_published_equities_against_any_hand():
    table = load_matchups()
    found = (table.pairs * table.equities).sum(axis=1) / table.pairs.sum(axis=1)
    for name, share in {"AA": 0.85204, "72o": 0.34584, "32o": 0.32303, "22": 0.50334}.items():
        assert found[CLASS_NAMES.index(name)] == pytest.approx(share, abs=5e-6)


def class_of_hands():
    classes = np.zeros(1326, np.int64)
    for place, each in enumerate(CLASSES):
        classes[each.hands(4)] = place
    return classes


@pytest.mark.parametrize("index", [0, 4_321, 77_777])
def test_wins_on_a_board_match_all_pairs(index):
    """Counts one board and its isomorphic boards, which are equal class by class."""
    boards = _native.CanonicalIndex([5])
    board = boards.cards(0, np.array([index], np.uint64))[0]
    strengths = _native.board_strengths(_native.Showdown.HOLDEM, _native.Deck(), board.tolist(), 2)
    cards = _native.hand_cards(_native.Deck(), 2).astype(np.int64)
    shares = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    beats = (strengths[:, None] > strengths[None, :]) & (strengths[None, :] > 0) & ~shares
    wins, classes = np.zeros((169, 169), np.int64), class_of_hands()
    np.add.at(wins, (classes[:, None], classes[None, :]), beats)
    found = _native.class_wins(index, 1)
    images = found.sum() // wins.sum()
    assert images in (4, 6, 12, 24) and (found == images * wins).all()


def test_boards_that_are_not_there_are_refused():
    count = _native.num_canonical_boards()
    assert count == 134_459 and not _native.class_wins(count, 0).any()
    with pytest.raises(ValueError, match="134459 boards"):
        _native.class_wins(1, count)


@pytest.mark.slow
def test_the_file_that_ships_is_what_is_counted():
    wins = _native.class_wins(0, _native.num_canonical_boards())
    assert wins.astype("<u4").tobytes() == WINS_FILE.read_bytes()


def test_a_damaged_table_is_refused(tmp_path, monkeypatch):
    data = bytearray(WINS_FILE.read_bytes())
    data[1000] ^= 1
    (tmp_path / "wins.bin").write_bytes(data)
    monkeypatch.setattr(matchups_module, "WINS_FILE", tmp_path / "wins.bin")
    with pytest.raises(InputError, match=r"wins\.bin: damaged"):
        load_matchups.__wrapped__()


# The tree.


def test_chips_of_jam_or_fold():
    tree = make_tree(PreflopSpot(10).game())
    assert [each.actions for each in tree.decisions] == [("fold", "all-in"), ("fold", "call")]
    assert tree.won.T.tolist() == [[0.5, -0.5], [-1, 1], [10, 10]]  # big blind, small blind
    assert tree.lost.T.tolist() == [[0.5, -0.5], [-1, 1], [-10, -10]]
    assert not tree.sees_flop.any()


def test_antes_are_in_the_pot():
    tree = make_tree(PreflopSpot(1000, 50, 100, ante=10).game())  # in chips
    assert tree.won.T.tolist() == [[0.6, -0.6], [-1.1, 1.1], [10, 10]]
    tree = make_tree(PreflopSpot(10, big_blind_ante=1).game())  # who pays it has 9 left to bet
    assert tree.won.T.tolist() == [[0.5, -0.5], [-2, 2], [9, 10]]
    assert tree.lost.T.tolist() == [[0.5, -0.5], [-2, 2], [-10, -9]]


def test_lines_of_raises():
    tree = make_tree(PreflopSpot(20, sizes="2.5u,a/3x,a/a", limp=True).game())
    lines = {each.line: each.actions for each in tree.decisions}
    assert lines[()] == ("fold", "limp", "raise 2.5", "all-in")
    assert lines["limp",] == ("check", "raise 2.5", "all-in")
    assert lines["raise 2.5",] == ("fold", "call", "raise 7.5", "all-in")
    assert lines["raise 2.5", "raise 7.5"] == ("fold", "call", "all-in")
    assert lines["raise 2.5", "all-in"] == ("fold", "call")
    assert tree.sees_flop.sum() == 5  # limped: checked, raised and re-raised; raised, re-raised
    assert max(map(len, lines)) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stack": 1.9}, "stack: must be 2 to 200 big blinds, not 1.9"),
        ({"stack": 201}, "stack: must be 2 to 200"),
        ({"stack": float("nan")}, "amounts must be"),
        ({"big_blind": 0}, "blinds:"),
        ({"small_blind": 2}, "blinds:"),
        ({"ante": -1}, "ante:"),
        ({"ante": 9.5}, "ante:"),
        ({"small_blind": 1 / 3}, "at most 6 decimals"),
        ({"sizes": "2u/a/a/a"}, "sizes: at most three rows"),
        ({"sizes": "2"}, "bet size '2'"),
        ({"sizes": "min", "stack": 200, "limp": True, "max_raises": -1}, "max_raises"),
        ({"sizes": "min,2x,3x,4x,5x,a", "stack": 200}, "more than 2,000 decisions"),
    ],
)
def test_spots_that_make_no_sense_are_refused(change, message):
    with pytest.raises(InputError, match=message) as caught:
        make_tree(PreflopSpot(**({"stack": 10} | change)).game())
    assert "\n" not in str(caught.value)


# The solver.


def jam_fold_program(stack, small_blind=0.5, ante=0.0):
    """The linear program of jam or fold: the small blind's value, what jams and what calls."""
    table = load_matchups()
    pairs, gains = table.pairs / NUM_DEALS, stack * (2 * table.equities - 1)
    # x: how often each class jams; v: what it is worth against each class of the big blind,
    # who folds or calls. A class that folds loses the small blind and the ante.
    fold = -(small_blind + ante)
    cost = np.concatenate([fold * pairs.sum(axis=1), -np.ones(169)])
    above = np.block([[-(1 + ante) * pairs.T, np.eye(169)], [-(pairs * gains).T, np.eye(169)]])
    found = linprog(
        cost, above, np.zeros(338), bounds=[(0, 1)] * 169 + [(None, None)] * 169, method="highs"
    )
    folds, calls = -found.ineqlin.marginals.reshape(2, 169)  # the big blind's, by class
    return fold * pairs.sum() - found.fun, found.x[:169], calls / (folds + calls)


@pytest.mark.parametrize(("stack", "ante"), [(10, 0), (6, 0.125)])
def test_jam_or_fold_is_worth_what_the_linear_program_says(stack, ante):
    solution = solve_preflop(PreflopSpot(stack, ante=ante), target=1e-6)
    assert solution.is_exact and solution.exploitability <= 1e-6
    value, _, _ = jam_fold_program(stack, ante=ante)
    assert solution.value == pytest.approx(value, abs=2e-6)


def test_ten_big_blinds():
    solution = solve_preflop(PreflopSpot(10))
    value, jams, calls = jam_fold_program(10)
    assert value == pytest.approx(-0.0453708, abs=1e-7)
    assert [COMBOS @ each / 1326 for each in (jams, calls)] == pytest.approx(
        [0.58284, 0.37376], abs=5e-6
    )
    assert solution.value == pytest.approx(value, abs=1e-7)
    jam, call = solution.totals(0)[1], solution.totals(1)[1]
    assert [jam, call] == pytest.approx([0.58284, 0.37376], abs=5e-5)
    assert np.abs(solution.strategy[0, 1] - jams).max() < 0.02
    assert np.abs(solution.strategy[1, 1] - calls).max() < 0.02
    assert solution.frequencies == pytest.approx([1, jam])
    assert solution.action_values[0, 0] == pytest.approx(np.full(169, -0.5))
    assert COMBOS @ solution.class_values[1] / 1326 == pytest.approx(solution.value, abs=1e-12)


def payoff_matrices(tree, seat, ending):
    """[classes of the seat, classes of the other], times the pairs of hands."""
    table = load_matchups()
    shares = table.equities * (tree.won[seat] - tree.lost[seat])[ending] + tree.lost[seat][ending]
    return table.pairs * shares


def slow_value(tree, strategy, seat, best, node=0, other=None):
    """[classes]: cfvs by recursion over lines, with a matrix for each ending."""
    other = np.ones(169) if other is None else other
    if node in tree.ending_nodes:
        ending = tree.ending_nodes.tolist().index(node)
        return payoff_matrices(tree, seat, ending) @ other
    number, decision = next(each for each in enumerate(tree.decisions) if each[1].node == node)
    rows = strategy[number, : len(decision.actions)]
    if decision.seat != seat:
        parts = [
            slow_value(tree, strategy, seat, best, child, other * row)
            for child, row in zip(decision.children, rows, strict=True)
        ]
        return np.sum(parts, axis=0)
    parts = [slow_value(tree, strategy, seat, best, child, other) for child in decision.children]
    return np.max(parts, axis=0) if best else (rows * np.array(parts)).sum(axis=0)


def test_values_and_best_responses_match_a_recursion():
    tree = make_tree(PreflopSpot(15, sizes="2u,a/2.5x,a", limp=True, ante=0.1).game())
    weights = np.random.default_rng(1).random((len(tree.decisions), tree.most_actions, 169))
    for row, decision in zip(weights, tree.decisions, strict=True):
        row[len(decision.actions) :] = 0
    strategy = weights / weights.sum(axis=1, keepdims=True)
    _, found = node_values(tree, strategy)
    problem = _native.VectorProblem(preflop_game(tree))
    profile = np.concatenate(
        [strategy[i, : len(each.actions)].ravel() for i, each in enumerate(tree.decisions)]
    )
    exact, best = problem.values_of(profile), problem.best_values_against(profile)
    for player, seat in enumerate(PLAYERS):
        assert found[seat, 0] == pytest.approx(slow_value(tree, strategy, seat, False))
        assert exact[player] == pytest.approx(found[seat, 0].sum() / NUM_DEALS)
        expected = slow_value(tree, strategy, seat, True).sum() / NUM_DEALS
        assert best[player] == pytest.approx(expected)


def test_small_trees_come_near_an_equilibrium():
    solution = solve_preflop(PreflopSpot(20, sizes="2.5u,a/a", limp=True), target=2e-4)
    assert solution.exploitability <= 2e-4 and not solution.is_exact
    # A tree with more to choose from for the small blind alone cannot be worth less to him.
    fold_or_jam = solve_preflop(PreflopSpot(20), target=1e-5)
    assert solution.value > fold_or_jam.value
    totals = [solution.totals(i).sum() for i in range(len(solution.tree.decisions))]
    assert totals == pytest.approx([1] * len(totals))


def test_the_same_again():
    first, second = (solve_preflop(PreflopSpot(8), iterations=60) for _ in range(2))
    assert first.iterations == 60
    assert (first.strategy == second.strategy).all() and first.value == second.value


# The command.


def test_the_command_shows_charts(capsys):
    code, out, _ = run(capsys, "--stack", "10")
    assert code == 0
    assert "SB first in: all-in %" in out and "BB after SB all-in: call %" in out
    assert "all-in 58.28%" in out and "call 37.38%" in out and "value -0.04537 bb" in out
    assert "exact: every line ends with a fold or all-in" in out
    chart = out.splitlines()[1:15]
    assert chart[0].split() == list("AKQJT98765432") and chart[1].split()[1:] == ["100"] * 13
    assert max(map(len, chart)) <= 70
    code, out, _ = run(capsys, "--stack", "10", "--ev", "--target", "1e-4")
    assert code == 0 and "SB first in: ev in bb" in out
    assert max(map(len, out.splitlines()[:15])) <= 80
    assert out.splitlines()[14].split()[0] == "2" and "-0.50" in out.splitlines()[14]


def test_the_command_names_the_approximation(capsys):
    code, out, _ = run(capsys, "--stack", "12", "--sizes", "2u,a/a", "--target", "0.001")
    assert code == 0
    assert "an approximation: 1 line sees a flop with chips left, valued by equity" in out


def test_json_and_csv(capsys, tmp_path):
    path = tmp_path / "chart.csv"
    code, out, _ = run(capsys, "--stack", "10", "--json", "--csv", str(path))
    result = json.loads(out)
    assert code == 0 and result["exact"] and result["value"] == pytest.approx(-0.04537, abs=5e-4)
    first, second = result["decisions"]
    assert first["totals"][1] == pytest.approx(0.5828, abs=1e-3)
    assert second["totals"][1] == pytest.approx(0.3738, abs=1e-3)
    assert (
        first["strategy"]["AA"] == pytest.approx([0, 1], abs=1e-6) and len(first["strategy"]) == 169
    )
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 169
    jam = sum(int(r["combos"]) * float(r["probability"]) for r in rows if r["action"] == "all-in")
    assert jam / 1326 == pytest.approx(first["totals"][1], abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--stack", "1"], "stack: must be 2 to 200 big blinds"),
        (["--sizes", "big"], "bet size 'big'"),
        (["--target", "-1"], "target: must not be negative"),
        (["--iterations", "0"], "iterations: must be 1"),
        (["--csv", "/nowhere/chart.csv", "--iterations", "1"], "/nowhere"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert code == 2 and not out
    assert message in err and err.count("\n") == 1


def test_solving_needs_no_torch():
    script = (
        "import sys; from regretless import PreflopSpot, solve_preflop\n"
        "solve_preflop(PreflopSpot(5), iterations=1); print('torch' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == "False", result.stderr

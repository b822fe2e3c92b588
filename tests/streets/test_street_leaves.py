# SPDX-License-Identifier: MIT
"""Turns whose rivers are answered for: null tests of the solver, of the leaves and of the gate."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regretless import _native
from regretless.bundles.bundle import BundleFacts, open_bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.values_bundle import write_values_bundle
from regretless.cli import main
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.networks.street_network import RiverBoards, StreetNetwork
from regretless.networks.street_values import StreetValuesShape, StreetWeights
from regretless.notation.cards import parse_cards
from regretless.search.streets import gate as gate_module
from regretless.search.streets.gate import (
    GateSizes,
    gate,
    gate_measures,
    gate_of,
    gate_spots,
    street_loss,
    street_strategies,
)
from regretless.search.streets.leaves import (
    CutSolver,
    NetworkValues,
    NoValues,
    SolvedValues,
    StreetLeaves,
    lines_before_cards,
    solve_to_leaves,
)
from regretless.solvers.rivers import river_places

BOARD = "Ks7d4c2h"
NARROW = ("AA,KQs,76s,98s,QJo", "KK,A5s,JTs,T9o")


def turn(menu: Any, ranges: tuple[str, str] = NARROW, stack: int = 300) -> Any:
    return make_spot(BOARD, 100, stack, *ranges, {"all": menu}).game


def some_weights(street: Any = "river") -> StreetWeights:
    shape = StreetValuesShape(street=street, bins=16, width=16, hidden=1)
    network = StreetNetwork(shape, torch.Generator().manual_seed(4))
    with torch.no_grad():
        network.output.weight.mul_(30)
    return StreetWeights(shape, network.arrays())


@pytest.mark.parametrize("name", ["cfr", "dcfr", "cfr+", "pcfr+"])
@pytest.mark.parametrize("game", ["kuhn", "leduc", "turn"])
def test_without_leaves_it_is_the_other_solver(game: str, name: str) -> None:
    menu = {"open": "60%,a", "raise": "a"}
    played = turn(menu) if game == "turn" else load_game(game)
    discounts = _native.Discounts(name)
    solver = _native.VectorSolver(played, discounts, max_decisions=100)
    assert solver.problem.size.leaves == 0
    for _ in range(20):
        reaches = solver.leaf_reaches()
        assert [len(rows) for rows in reaches] == [0, 0]
        solver.step_with(*reaches)
    discounts.alternating = False
    other = _native.VectorSolver(played, discounts)
    other.step(20)
    assert np.array_equal(solver.state(), other.state())
    assert solver.value(0) == other.value(0)


def test_no_values_give_exactly_nothing_where_nobody_can_bet() -> None:
    solver = solve_to_leaves(turn({"open": "", "raise": ""}), NoValues(), 5)
    assert solver.problem.size.leaves == 48
    for values in solver.beliefs([0])[2:]:
        assert not values.any()


def test_no_values_give_nothing_on_a_flop_where_nobody_can_bet() -> None:
    spot = make_spot("Ks7d4c", 100, 300, *NARROW, {"all": {"open": "", "raise": ""}}).game
    solver = solve_to_leaves(spot, NoValues(), 5)
    assert solver.problem.size.leaves == 49
    for values in solver.beliefs([0])[2:]:
        assert not values.any()


def test_without_run_outs_the_next_card_is_a_leaf() -> None:
    game = turn({"open": "50%", "raise": "a"})
    problems = [
        _native.VectorProblem(game, merge_suits=False, ends_with_round=True, runs_out=runs_out)
        for runs_out in (True, False)
    ]
    assert [each.size.leaves for each in problems] == [48 * 3, 48 * 5]
    leaves = StreetLeaves.of(game, problems[1])
    assert sorted(leaves.stacks.tolist()) == [0, 0, 250, 250, 300]
    assert dict(zip(leaves.actions, leaves.pots, strict=True))[50, 300, 0] == 700


def test_leaves_are_named_by_card_and_line() -> None:
    game = turn({"open": "50%", "raise": "a"})
    problem = _native.VectorProblem(game, merge_suits=False, ends_with_round=True)
    leaves = StreetLeaves.of(game, problem)
    assert sorted(leaves.actions) == [(0, 0), (0, 50, 0), (50, 0)]  # all-in and a call run out
    pots = dict(zip(leaves.actions, leaves.pots.tolist(), strict=True))
    assert pots == {(0, 0): 100, (0, 50, 0): 200, (50, 0): 200}
    assert leaves.stacks.tolist() == [300 - (pot - 100) / 2 for pot in leaves.pots]
    assert len(np.unique(leaves.rows)) == leaves.rows.size == problem.size.leaves == 48 * 3
    board = set(leaves.boards[:, 4].tolist())
    assert len(board) == 48 and not board & set(game.board)


@pytest.mark.slow
def test_exact_leaves_give_the_values_of_the_exact_tree() -> None:
    """Three lines with two pots, and one that ends all-in on the turn; both with few iterations."""
    menu = {"open": "50%", "raise": "a"}
    game = turn(menu, stack=150)
    exact = _native.VectorSolver(game, _native.Discounts("dcfr"))
    exact.step(400)
    solver = solve_to_leaves(game, SolvedValues({"all": menu}, 60), 80)
    weights = solver.problem.arrays()["weights_0"]
    pairs = weights @ solver.problem.hand_weights(0)
    found = weights @ solver.beliefs([0])[2][0] / pairs
    assert found == pytest.approx(exact.value(0), abs=0.4)  # chips of a pot of 100
    discounts = _native.Discounts("dcfr")
    discounts.alternating = False
    alike = _native.VectorSolver(game, discounts)
    alike.step(80)
    never = solve_to_leaves(game, NoValues(), 80)
    losses = [
        street_loss(game, (street_strategies(each, 0), street_strategies(each, 1)), 150)
        for each in (exact, alike, solver, never)
    ]
    assert losses[0] < 0.2 < losses[1] and losses[2] < 1.5 * losses[1] < 0.5 * losses[3]


def test_a_network_answers_each_leaf_by_its_own_pot() -> None:
    game = turn({"open": "50%", "raise": "a"}, ("random", "random"))
    problem = _native.VectorProblem(game, merge_suits=False, ends_with_round=True)
    leaves, weights = StreetLeaves.of(game, problem), some_weights()
    random = np.random.default_rng(2)
    shape = (problem.size.leaves, 1128)
    reaches = tuple(random.random(shape, dtype=np.float32) for _ in range(2))
    ranges = leaves.ranges(reaches)  # type: ignore[arg-type]
    found = NetworkValues(weights.build())(leaves, ranges)
    for number, line in ((0, 0), (17, 1), (47, 2)):
        one = RiverBoards(torch.from_numpy(river_places(leaves.boards[number : number + 1])), 16)
        pot = float(leaves.pots[line])
        stacks = torch.tensor([[(300 - (pot - 100) / 2) / pot]])
        shown = torch.from_numpy(ranges[number : number + 1, line : line + 1])
        values = weights.build()(one.see(shown, stacks))[0, 0].numpy()
        places = one.possible[0].numpy()
        sums = (ranges[number, line] * places).sum(axis=1)
        expected = values * pot * sums[::-1, None]
        np.testing.assert_allclose(found[number, line], expected, rtol=1e-3, atol=1e-2)
        won = (found[number, line] * ranges[number, line]).sum(axis=1)
        assert abs(won.sum()) < 1e-5 * np.abs(won).max()
    rows = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    leaves.write(found, rows)
    assert rows[0][leaves.rows[3, 1]].tolist() == found[3, 1, 0, leaves.hands[0]].tolist()


def test_a_player_who_never_comes_gives_the_other_nothing() -> None:
    game = turn({"open": "50%", "raise": "a"}, ("random", "random"))
    problem = _native.VectorProblem(game, merge_suits=False, ends_with_round=True)
    leaves = StreetLeaves.of(game, problem)
    ranges = np.ones((48, 3, 2, 1326), np.float32)
    ranges[:, :, 1] = 0
    found = NetworkValues(some_weights().build())(leaves, ranges)
    assert np.isfinite(found).all() and not found[:, :, 0].any() and found[:, :, 1].any()


def test_odd_chips_of_a_pot_are_dead_money() -> None:
    """The first player has paid one more; what the network says is of equal parts."""
    game = make_spot(BOARD, 101, 300, "random", "random", "50%,a").game
    problem = _native.VectorProblem(game, merge_suits=False, ends_with_round=True)
    leaves = StreetLeaves.of(game, problem)
    assert (leaves.paid.sum(axis=1) == leaves.pots).all()
    assert (leaves.paid[:, 0] - leaves.paid[:, 1] == 1).all()
    ranges = np.ones((48, len(leaves.pots), 2, 1326), np.float32)
    found = NetworkValues(some_weights().build())(leaves, ranges)
    assert abs((found * ranges).sum()) < 1e-5 * np.abs(found).sum()


@pytest.mark.parametrize("street", ["river", "turn"])
def test_the_gate_runs(street: str) -> None:
    sizes = GateSizes(spots=2 if street == "river" else 1, iterations=2, exact=2)
    rows = gate(some_weights(street), sizes)
    assert len(rows) == sizes.spots
    assert all(np.isfinite([row.exact, row.network]).all() for row in rows)
    measures = gate_measures(street, rows, sizes)
    assert [each.key for each in measures] == ["gate_loss", "gate_exact"]
    spots, again = list(gate_spots(street, 2)), list(gate_spots(street, 2))
    assert [spot.board for spot in spots] == [spot.board for spot in again]
    assert spots[0].board != spots[1].board
    hands = 1128 if street == "river" else 150
    for spot in spots:
        assert len(spot.board) == (4 if street == "river" else 3)
        assert [int((np.array(each) > 0).sum()) for each in spot.weights] == [hands] * 2


def test_evaluate_prints_and_records_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = replace(gate_of("river"), sizes=GateSizes(2, 2, 2))
    monkeypatch.setitem(gate_module.GATES, "river", kind)
    facts = BundleFacts(AlgorithmFacts(name="street-values"))
    write_values_bundle(tmp_path / "values", load_game("nlhe"), some_weights(), facts)
    for path in (tmp_path, tmp_path / "values"):  # of a run, or of a bundle
        with pytest.raises(SystemExit):
            main(["evaluate", str(path), "--record"])
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 2 + 2 + 2 + 1 and lines[-1].startswith("2 random turns")
    strength = open_bundle(tmp_path / "values").manifest.strength
    assert [each.unit for each in strength] == ["% of the pot"] * 2
    with pytest.raises(SystemExit):
        main(["evaluate", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert len(found["spots"]) == 2 and found["measures"][0]["key"] == "gate_loss"


def test_a_root_in_the_middle_of_a_street() -> None:
    """A bet that no menu has is answered; the raise before the flop counts in the pots."""
    game, board = load_game("hunl-100bb"), list(parse_cards(BOARD))
    before = (6, 0, 0, 0, 0, 7)
    solver = _native.VectorSolver(
        game, _native.Discounts("dcfr"), board=board, actions=list(before), ends_with_round=True
    )
    leaves = StreetLeaves.of(game, solver.problem, board, before)
    assert leaves.actions[0] == (0,) and leaves.pots[0] == 12 + 14
    assert (leaves.paid.sum(axis=1) == leaves.pots).all() and len(set(leaves.pots)) > 3
    assert (leaves.stacks == 200 - leaves.paid.max(axis=1)).all()
    solved = CutSolver(solver, leaves, NetworkValues(some_weights().build()))
    solved.step(2)
    chances = [node for node, line in lines_before_cards(game, solver.problem, board, before)]
    first_leaf = int(np.flatnonzero(solver.problem.actors == _native.LEAF)[0])
    mine, his, won, lost = solved.beliefs([0, chances[0], first_leaf])
    total = (mine * won).sum(axis=1) + (his * lost).sum(axis=1)
    assert np.abs(total).max() < 1e-5 * np.abs(mine * won).sum(axis=1).max()
    assert not (mine[2] > mine[1]).any() and (mine[2] < mine[1]).any()  # the card blocks hands


def test_suits_may_be_merged() -> None:
    """Cards that are twins stand for each other, and the values are the same."""
    game = make_spot("Ks7s4s2s", 100, 300, "random", "random", {"all": "50%,a"}).game
    found = []
    for merges in (False, True):
        discounts = _native.Discounts("dcfr")
        solver = _native.VectorSolver(game, discounts, ends_with_round=True, merge_suits=merges)
        leaves = StreetLeaves.of(game, solver.problem)
        assert len(leaves.boards) == (22 if merges else 48)
        cut = CutSolver(solver, leaves, NetworkValues(some_weights().build()))
        cut.step(3)
        found.append((cut.strategy(0), *cut.beliefs([0])))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4 * np.abs(one).max())


def test_parts_of_the_cards_take_turns() -> None:
    """A sample of the cards in each iteration loses nothing; beliefs are of all of them."""
    game, losses = turn({"open": "50%", "raise": "a"}, stack=150), []
    answers = SolvedValues({"all": {"open": "50%", "raise": "a"}}, 10)
    for parts, iterations in ((1, 10), (6, 60)):
        native = _native.VectorSolver(game, _native.Discounts("dcfr"), ends_with_round=True)
        asked: list[int] = []

        def count(leaves: StreetLeaves, ranges: Any, asked: list[int] = asked) -> Any:
            asked.append(len(leaves.boards))
            return answers(leaves, ranges)

        leaves = StreetLeaves.of(game, native.problem)
        solver = CutSolver(native, leaves, count, parts)
        solver.step(iterations)
        assert sum(asked) == 480
        solver.beliefs([0])
        assert sum(asked) == 480 + 48
        losses.append(
            street_loss(game, (street_strategies(solver, 0), street_strategies(solver, 1)), 100)
        )
    assert losses[1] < 0.5 * losses[0]


def test_refusals() -> None:
    game, discounts = turn("50%"), _native.Discounts("dcfr")
    solver = _native.VectorSolver(game, discounts, ends_with_round=True)
    count = solver.problem.size.leaves
    rows = [np.zeros((count, len(solver.problem.hands(p))), np.float32) for p in range(2)]
    with pytest.raises(ValueError, match="values of player 0"):
        solver.step_with(rows[0][1:], rows[1])
    with pytest.raises(ValueError, match="finite"):
        solver.step_with(rows[0], rows[1] + np.float32(np.nan))
    for refused in (solver.step, solver.rows, solver.packed, solver.state):
        with pytest.raises(ValueError, match="values of leaves must be given"):
            refused()
    with pytest.raises(ValueError, match="values of leaves must be given"):
        solver.value(0)
    with pytest.raises(ValueError, match="values of both players"):
        solver.beliefs([0])
    with pytest.raises(ValueError, match="of a cut tree only"):
        _native.VectorSolver(game, discounts).beliefs([0], *rows)
    with pytest.raises(InputError, match="no values of rivers"):
        solve_to_leaves(game, NetworkValues(some_weights("turn").build()), 1)
    with pytest.raises(InputError, match="no gate"):
        gate_of("flop")
    river = make_spot("Ks7d4c2h9s", 100, 100, *NARROW, "50%").game
    with pytest.raises(InputError, match="not the last"):
        StreetLeaves.of(river, _native.VectorProblem(river))

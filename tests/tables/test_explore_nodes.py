# SPDX-License-Identifier: MIT
"""The parts of the explorer: equity graphs, trees, infosets, locks, classes, checkpoints."""

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from regretless import load_game, solve, train
from regretless.errors import InputError, TooLargeError
from regretless.explorer.asked_nodes import AskedNodes, OncePerRow
from regretless.explorer.game_tree import TreeNode, game_tree, infosets, public_lines
from regretless.explorer.locks import Lock, bound_seats
from regretless.explorer.node_text import (
    class_places,
    equity_curve,
    equity_curves,
    has_classes,
)
from regretless.explorer.node_view import NodeView, SeatRange
from regretless.explorer.nodes import SolvedTree
from regretless.games.spots import Spot, spot_of
from regretless.matches.bots import load_policy
from regretless.notation.cards import FULL_DECK, format_cards
from regretless.notation.omaha_classes import CLASS_NAMES, omaha_classes
from regretless.notation.ranges import all_hands
from regretless.policies.asking import mixes
from regretless.policies.policy import TablePolicy
from regretless.seats.strategies import find_strategy, kept_steps
from regretless.solving.spot_options import SpotOptions


@pytest.fixture(scope="module")
def leduc() -> SolvedTree:
    found = solve("leduc", iterations=30)
    assert isinstance(found.policy, TablePolicy)
    return SolvedTree.of_table(found.game, found.policy.table)


@pytest.fixture(scope="module")
def river() -> tuple[Spot, SolvedTree]:
    spot = SpotOptions("QsJh2h8d3c", 100, 200, "AA,KQs,76s,T9s", "99,AQs,KJs,22").spot()
    assert spot is not None
    return spot, solve(spot, target=0.1).problem.tree()


def _seat(shares: list[float], equities: list[float]) -> SeatRange:
    unknown = np.full(len(shares), np.nan)
    numbers = np.array(shares)
    hands = [str(i) for i in range(len(shares))]
    return SeatRange(0, "x", hands, numbers, numbers, np.array(equities), unknown)


def test_an_equity_curve_goes_through_the_range_from_the_weakest() -> None:
    curve = equity_curve(_seat([0.25, 0.5, 0.25], [0.9, 0.2, 0.5]), points=101)
    assert curve is not None
    assert (curve[:50] == 0.2).all() and (curve[51:75] == 0.5).all() and (curve[76:] == 0.9).all()
    assert curve.mean() == pytest.approx(0.25 * 0.9 + 0.5 * 0.2 + 0.25 * 0.5, abs=0.01)
    nobody = _seat([0.0, 1.0], [0.5, float("nan")])
    assert equity_curve(nobody) is None


def test_the_area_under_a_curve_is_the_equity_of_the_range(
    river: tuple[Spot, SolvedTree],
) -> None:
    node = river[1].node("x")
    for seat, curve in zip(node.seats, equity_curves(node, 20_001).values(), strict=True):
        assert np.mean(curve) == pytest.approx(seat.equity, abs=1e-3)
        assert (np.diff(curve) >= 0).all()
    without = river[1].node("x", equities=False)
    assert not equity_curves(without) and without.seats[0].value == node.seats[0].value


def test_equities_before_the_flop_are_those_of_all_boards() -> None:
    game = load_game("hunl-100bb")
    node = AskedNodes(game, load_policy("random", game)).node()
    (seat, _) = node.seats
    known = {"AsAh": 0.8520, "KsKh": 0.8240, "7s2h": 0.3458, "JsTs": 0.5753}  # widely published
    for hand, exact in known.items():
        assert seat.equities[seat.hands.index(hand)] == pytest.approx(exact, abs=2e-4)


def test_what_was_asked_is_remembered_and_asked_once() -> None:
    found = find_strategy("hunl-deep-cfr")
    nodes = AskedNodes(found.game, found.policy)
    rows: list[int] = []

    def counting(questions: object) -> object:
        rows.append(len(questions))  # type: ignore[arg-type]
        return found.policy(questions)  # type: ignore[arg-type]

    asked = OncePerRow(found.policy)
    asked.policy = counting  # type: ignore[assignment]
    nodes.policy = asked
    first = nodes.node("r4 c | 7h8h2c")
    again = nodes.node("r4 c | 7h8h2c")
    assert rows[0] == 169 and len(rows) == 3  # three decisions; hands that look alike once
    for one, other in zip(first.choices, again.choices, strict=True):
        assert (one.mix == other.mix).all()
    episode = found.game.episode_of()
    (plain,) = mixes(found.policy, [episode])
    mix = np.stack([each.mix for each in nodes.node().choices], axis=1)
    legal = plain.max(axis=0) > 0
    assert np.allclose(plain[:, legal], mix[:, legal[: mix.shape[1]]], atol=1e-5)


@pytest.mark.parametrize(("name", "states", "count"), [("kuhn", 9, 12), ("leduc", 465, 936)])
def test_all_infosets_are_listed(name: str, states: int, count: int) -> None:
    found = solve(name, iterations=20)
    assert isinstance(found.policy, TablePolicy)
    tree = SolvedTree.of_table(found.game, found.policy.table)
    assert len(public_lines(found.game)) == states
    page = infosets(found.game, tree.node, count=2000)
    assert page.total == len(page.rows) == count
    for row in page.rows[:: max(count // 20, 1)]:
        node = tree.node(row["line"])
        hand = node.acting.hands.index(row["hand"])
        assert row["mix"] == {each.word: each.mix[hand] for each in node.choices}
        assert sum(row["mix"].values()) == pytest.approx(1, abs=1e-3)
    some = infosets(found.game, tree.node, hand="K", begin=2, count=3)
    all_kings = [row for row in page.rows if "K" in row["hand"]]
    assert some.total == len(all_kings) and some.rows == all_kings[2:5]
    below = infosets(found.game, tree.node, line="x", count=2000)
    assert below.rows == [row for row in page.rows if row["line"].startswith("x")]


def test_a_large_game_has_no_list() -> None:
    with pytest.raises(TooLargeError, match="more than 20,000 public states"):
        public_lines(load_game("hunl-100bb"))


def test_a_tree_tells_beliefs_and_values_everywhere(leduc: SolvedTree) -> None:
    root = game_tree(leduc.game, leduc.node)
    assert _count(root) == 465
    told = root.to_json()
    shares = [each["share"] for each in told["children"]]
    assert sum(shares) == pytest.approx(1, abs=1e-6)
    value = sum(s * each["values"][0] for s, each in zip(shares, told["children"], strict=True))
    assert value == pytest.approx(told["values"][0], abs=2e-3)
    for belief in told["beliefs"].values():
        assert sum(belief.values()) == pytest.approx(1)
    cut = game_tree(leduc.game, leduc.node, "x", depth=1)
    assert [each.place.word for each in cut.children] == ["x", "b2"]
    assert all(each.is_cut for each in cut.children)
    assert _count(game_tree(leduc.game, leduc.node, most=30)) <= 30


def _count(root: TreeNode) -> int:
    return 1 + sum(map(_count, root.children))


def test_a_solved_spot_is_found_again(river: tuple[Spot, SolvedTree]) -> None:
    spot, tree = river
    again = spot_of(tree.game)
    assert (again.pot, again.stack, again.board, again.rule) == (100, 200, spot.board, "holdem")
    assert again.game is tree.game
    left = ~np.isin(all_hands(FULL_DECK, 2), spot.board).any(axis=1)
    for mine, theirs in zip(again.ranges, spot.ranges, strict=True):
        assert (mine.weights[left] == theirs.weights[left]).all()
    with pytest.raises(InputError, match="does not begin at a board"):
        spot_of(load_game("leduc"))


def locks_as_played(node: NodeView) -> list[Lock]:
    """A lock for each hand."""
    return [
        Lock(node.line, {each.word: each.mix[hand] for each in node.choices}, name)
        for hand, name in enumerate(node.acting.hands)
    ]


def test_a_lock_of_what_is_played_changes_little(river: tuple[Spot, SolvedTree]) -> None:
    spot, tree = river
    node = tree.node("x")
    locks = locks_as_played(node)
    assert bound_seats(tree.game, locks) == {1}
    locked = solve(spot, target=0.1, locks=locks)
    assert locked.to_json()["ev_ip"] == pytest.approx(tree.node().seats[1].value, abs=0.3)
    worse = solve(spot, target=0.1, locks=[Lock("x", {"x": 1.0})])
    assert worse.to_json()["ev_ip"] < locked.to_json()["ev_ip"]


def test_classes_of_omaha_are_those_of_a_slow_count() -> None:
    hands = all_hands(FULL_DECK, 4)[::997].astype(np.int64)
    for cards, place in zip(hands.tolist(), omaha_classes(hands).tolist(), strict=True):
        name = format_cards(cards, FULL_DECK)
        ranks, suits = Counter(name[::2]), Counter(name[1::2])
        kind, how = CLASS_NAMES[place].split(", ")
        pairs = [rank for rank, count in ranks.items() if count == 2]
        if max(ranks.values()) > 2:
            assert kind == "trips"
        elif len(pairs) == 2:
            assert kind == "two pairs"
        elif pairs:
            order = "23456789TJQKA".index(pairs[0])
            wanted = {12: "AA", 11: "KK"}.get(order, "QQ-TT" if order >= 8 else "99-22")
            assert kind == wanted
        else:
            assert kind in ("rundown", "broadway", "other")
        shared = sum(count >= 2 for count in suits.values())
        assert how == ("rainbow", "single-suited", "double-suited")[min(shared, 2)]


def test_omaha_is_told_by_class_and_by_a_sample() -> None:
    game = load_game("plo4")
    nodes = AskedNodes(game, load_policy("random", game))
    node = nodes.node()
    assert node.hands_in_all == 270_725 and has_classes(node)
    places = class_places(node, max(node.actor, 0))
    cells = [each for each in node.cells(max(node.actor, 0), places, CLASS_NAMES) if each.hands]
    assert sum(each.hands for each in cells) == len(node.acting.hands) == 4000
    for cell in cells:
        assert sum(cell.mix) == pytest.approx(1) and cell.weight == pytest.approx(1)
        assert np.count_nonzero(places == CLASS_NAMES.index(cell.name)) == cell.hands
    # the share of pairs of aces among all hands, counted, and in the sample
    aces = sum(each.hands for each in cells if each.name.startswith("AA"))
    exact = 6 * sum(len({a // 4, b // 4}) == 2 for a, b in itertools.combinations(range(48), 2))
    assert aces / 4000 == pytest.approx(exact / 270_725, abs=0.006)
    assert [each.hands for each in nodes.node("c").seats] == [
        each.hands for each in node.seats
    ]  # the same sample each time


def test_checkpoints_of_a_run_are_strategies(tmp_path: Path) -> None:
    config = tmp_path / "leduc.yaml"
    config.write_text(
        "game: leduc\nalgorithm: {name: dcfr}\nbudget: {steps: 60}\n"
        "evaluate: {every_steps: 20}\ncheckpoint: {every_steps: 20, keep: 9}\n"
    )
    train(config, f"output={tmp_path / 'run'}")
    kept = kept_steps(tmp_path / "run")
    assert [each.step for each in kept] == [20, 40]  # the bundle is of step 60
    for each in kept:
        found = find_strategy(tmp_path / "run", step=each.step)
        exact = solve("leduc", algorithm="dcfr", iterations=each.step)
        episode = found.game.episode_of()
        (mine,), (theirs,) = (mixes(p, [episode]) for p in (found.policy, exact.policy))
        assert np.allclose(mine, theirs, atol=1e-9)
        assert each.exploitability == pytest.approx(exact.exploitability, rel=1e-6)
        assert f"step {each.step}, exploitability" in each.text
    with pytest.raises(InputError, match=r"no checkpoint of step 30 is kept; of 20, 40, 60"):
        find_strategy(tmp_path / "run", step=30)

# SPDX-License-Identifier: MIT
"""Hold'em spots against a brute-force oracle, and what must hold of any solution."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brute_force_spot as brute
from regretless import _native
from regretless.errors import InputError
from regretless.games.spots import Spot, make_spot
from regretless.notation.cards import card_name, parse_cards
from regretless.notation.ranges import Range
from regretless.notation.text_file import read_yaml
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig

DECK = _native.Deck()


@dataclass(frozen=True)
class Problem:
    """A spot small enough to be solved by brute force."""

    board: str
    ranges: tuple[str, str]
    betting: brute.Betting
    iterations: int = 4_000

    def solver(self, **options: Any) -> CFR:
        bets = ",".join([f"{100 * share:g}%" for share in self.betting.bets] + self._all_in())
        raises = ",".join([f"{size:g}x" for size in self.betting.raises] + self._all_in())
        menu = {"all": {"open": bets, "raise": raises}}
        spot = make_spot(self.board, self.betting.pot, self.betting.stack, *self.ranges, menu)
        return solve(spot, 0, **options)

    def oracle(self) -> brute.Spot:
        ranges = []
        for text in self.ranges:
            combos = Range.parse(text, DECK).combos()
            ranges.append({(name[:2], name[2:]): weight for name, weight in combos})
        return brute.Spot(self.board, ranges, self.betting)

    def _all_in(self) -> list[str]:
        return ["a"] if self.betting.has_all_in else []


# Blockers on both sides, hands that the board blocks (Td9s), weights, ties (the two kings).
PROBLEMS = {
    "river": Problem(
        "Ts9d6h4c2s",
        ("AsKs,QdQh,Td9s,8c7c,AhKd:0.5,AdKh,QsJs", "AsAh,KdKh,QdJd:0.25,8d7d,6c6d,AcKd,5s5h,TdTh"),
        brute.Betting(100, 250, (0.5, 1.0), (2.5,), has_all_in=True),
    ),
    "river-pairs": Problem(
        "KsKd8h8c3s",
        ("AA,QQ:0.5,JTs", "AK,99:0.75,7h6h,JTs"),
        brute.Betting(200, 1_000, (0.33, 0.75, 1.5), (3.0,)),
    ),
    "turn": Problem(
        "Ts9d6h4c",
        ("AsKs,QdQh,8c7c,AhKd:0.5,6s6d", "AsAh,KdKh,8d7d:0.5,AcKd,TdTh"),
        brute.Betting(100, 250, (0.75,), (), has_all_in=True),
    ),
    "turn-symmetric": Problem(
        "Ks8s3h3d", ("KQs,77:0.5,QTs", "A8s,99:0.5,JTs"), brute.Betting(60, 150, (1.0,), (2.5,))
    ),
    "flop": Problem(
        "9h8h2c", ("AhKh,QsQd", "AsAd,7h6h"), brute.Betting(100, 100, (1.0,)), iterations=500
    ),
}
FLOP = pytest.param("flop", marks=pytest.mark.slow)  # takes seconds
MOST = [*sorted(PROBLEMS.keys() - {"flop"}), FLOP]


def solve(spot: Spot, iterations: int, **options: Any) -> CFR:
    solver = CFR(spot.game, CFRConfig(**options))
    solver.step(iterations)
    return solver


def of_pot(solver: CFR, pot: int) -> tuple[list[float], float]:
    """Values with the pot counted, and the exploitability, of a pot of 1."""
    return [value / pot + 0.5 for value in solver.values()], solver.exploitability() / pot


@dataclass(frozen=True)
class Decision:
    """A decision node, for one of the histories that it stands for."""

    node: int
    actions: list[int]
    places: list[Any]  # [players][hands]: where each hand stands in the node


def decisions(solver: CFR) -> dict[brute.History, Decision]:
    """Every decision by its history, with cards that were merged told apart again."""
    native = solver.problem
    assert isinstance(solver.game, _native.Poker)
    root = _native.PokerEpisode(solver.game, hole=[])
    here = [np.arange(len(native.hands(player))) for player in range(2)]
    actors, first, count = native.actors, native.first_children, native.num_children
    boards = native.boards()
    ends = [*boards["ends"], 0]  # the root has none before it
    found: dict[brute.History, Decision] = {}
    stack: list[tuple[int, brute.History, Any, list[Any]]] = [(0, (), root, here)]
    while stack:
        node, history, episode, places = stack.pop()
        children = range(first[node], first[node] + count[node])
        if actors[node] == _native.CHANCE:
            left = [card for card in range(DECK.num_cards) if card not in episode.board]
            for child in children:
                board = boards["of_nodes"][child]
                for member in range(ends[board - 1], ends[board]):
                    outcome, renaming = boards["outcomes"][member], boards["renamings"][member]
                    below = episode.copy()
                    below.deal_board([left[outcome]])
                    moved = [boards[f"places_{p}"][renaming][places[p]] for p in range(2)]
                    stack.append((child, (*history, card_name(left[outcome], DECK)), below, moved))
        elif actors[node] >= 0:
            slots = [int(native.events[child]) for child in children]
            actions = [episode.offer[slot] for slot in slots]
            found[history] = Decision(node, actions, places)
            for child, slot, action in zip(children, slots, actions, strict=True):
                below = episode.copy()
                below.choose(slot)
                stack.append((child, (*history, action), below, places))
    return found


def as_strategy(solver: CFR) -> brute.Strategy:
    """Our average strategy in the words of the oracle."""
    native = solver.problem
    found = decisions(solver)
    tables = {each.node: solver.node_strategy(each.node) for each in found.values()}
    rows = [{int(hand): h for h, hand in enumerate(native.hands(player))} for player in range(2)]

    def strategy(player: int, hand: brute.Hand, history: brute.History) -> dict[int, float]:
        decision = found[history]
        cards = np.array([parse_cards("".join(hand), DECK)], np.uint8)
        row = rows[player][int(_native.hand_index(DECK, cards)[0])]
        place = decision.places[player][row]
        return dict(zip(decision.actions, tables[decision.node][:, place], strict=True))

    return strategy


@pytest.mark.parametrize("name", MOST)
def test_brute_force_finds_the_same(name: str) -> None:
    problem = PROBLEMS[name]
    solver, oracle = problem.solver(), problem.oracle()
    solver.step(problem.iterations)
    values, exploitability = of_pot(solver, problem.betting.pot)
    assert exploitability < 1e-4
    found, found_exploitability = oracle.evaluate(as_strategy(solver))
    assert found == pytest.approx(values, abs=1e-5)
    assert found_exploitability == pytest.approx(exploitability, abs=1e-5)
    assert values == pytest.approx(oracle.values(), abs=1e-4)


@pytest.mark.parametrize("name", PROBLEMS)
def test_values_share_the_pot(name: str) -> None:
    solver = PROBLEMS[name].solver()
    for _ in range(3):
        solver.step(7)
        assert sum(of_pot(solver, PROBLEMS[name].betting.pot)[0]) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("name", ["turn-symmetric", FLOP])
def test_merging_suits_changes_nothing_but_rounding(name: str) -> None:
    problem = PROBLEMS[name]
    merged, whole = (problem.solver(merge_suits=each) for each in (True, False))
    assert merged.solver.size.nodes < whole.solver.size.nodes
    assert merged.num_infosets() == whole.num_infosets()
    for solver in (merged, whole):
        solver.step(problem.iterations)
    (values, exploitability), other = (of_pot(s, problem.betting.pot) for s in (merged, whole))
    assert values == pytest.approx(other[0], abs=1e-5)
    assert exploitability == pytest.approx(other[1], abs=2e-5)


@pytest.mark.parametrize("name", ["turn", "turn-symmetric", "flop"])
@pytest.mark.parametrize("algorithm", ["cfr+", "pdcfr+"])
def test_threads_change_no_bit(name: str, algorithm: str) -> None:
    solvers = [PROBLEMS[name].solver(name=algorithm, threads=threads) for threads in (1, 2, 3)]
    for solver in solvers:
        solver.step(25)
    tables = [solver.state()["tables"] for solver in solvers]
    assert np.array_equal(tables[0], tables[1]) and np.array_equal(tables[0], tables[2])
    assert len({solver.exploitability() for solver in solvers}) == 1


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("name", MOST)
def test_16_bits_come_close(name: str, algorithm: str) -> None:
    problem = PROBLEMS[name]
    packed = problem.solver(name=algorithm, precision=16)
    assert packed.solver.size.precision == 16
    packed.step(500)
    values, exploitability = of_pot(packed, problem.betting.pot)
    assert exploitability < 2e-3
    whole = problem.solver(name=algorithm, precision=32)
    whole.step(500)
    assert values == pytest.approx(of_pot(whole, problem.betting.pot)[0], abs=2e-3)


def test_16_bits_are_the_same_on_threads_and_go_on_from_their_state() -> None:
    solvers = [PROBLEMS["flop"].solver(precision=16, threads=threads) for threads in (1, 3, 1)]
    for solver in solvers[:2]:
        solver.step(20)
    solvers[2].restore(solvers[0].state())
    for solver in solvers:
        solver.step(20)
    assert [solver.steps_done for solver in solvers] == [40, 40, 40]
    one, *others = [solver.state()["tables"] for solver in solvers]
    assert all(np.array_equal(one, other) for other in others)


def test_16_bits_are_chosen_where_32_do_not_fit() -> None:
    spot = make_spot("Ts9d6h4c", 100, 250, "random", "random", "50%,100%,a")
    whole = solve(spot, 0)
    assert whole.solver.size.precision == 32
    most = whole.memory_bytes * 3 // 4
    assert solve(spot, 0, max_bytes=most).solver.size.precision == 16
    with pytest.raises(InputError, match="MiB allowed"):
        solve(spot, 0, max_bytes=most, precision=32)
    with pytest.raises(InputError, match="MiB allowed"):
        solve(spot, 0, max_bytes=most // 2)
    with pytest.raises(InputError, match="precision"):
        solve(spot, 0, precision=8)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="how much is taken is not known")
@pytest.mark.parametrize("precision", [16, 32])
def test_memory_is_told_before_it_is_taken(precision: int) -> None:
    """In a process of its own, where no freed memory is used again."""
    script = f"""
from pathlib import Path
import test_spots
spot = test_spots.make_spot("Ts9d6h", 100, 250, "22+,A2s+,KTs+", "22+,A2s+,KTs+", "50%,a")
config = test_spots.CFRConfig(precision={precision})
def taken():
    return int(Path("/proc/self/statm").read_text().split()[1]) * {os.sysconf("SC_PAGE_SIZE")}
before = taken()
solver = test_spots.CFR(spot.game, config)
solver.step(1)
solver.exploitability()
print(solver.memory_bytes, taken() - before)
"""
    tests = Path(__file__).parent  # the script imports this file
    script = f"import sys; sys.path.append({str(tests.parent / 'oracles')!r})\n{script}"
    command = [sys.executable, "-c", script]
    told, took = map(int, subprocess.check_output(command, text=True, cwd=tests).split())
    assert told > 1 << 26
    assert took == pytest.approx(told, rel=0.1)


def test_the_nuts_never_fold() -> None:
    spot = make_spot("QhJhTh4c2s", 100, 400, "random", "AhKh,AA,KK,99,22,76s", "50%,100%,a")
    solver = solve(spot, 600)
    strategy = as_strategy(solver)
    facing = [history for history, each in decisions(solver).items() if brute.FOLD in each.actions]
    checked = 0
    for history in facing:
        if len(history) == 1:  # the second player faces a bet; his own reach is still whole
            folds = strategy(1, ("Ah", "Kh"), history)[brute.FOLD]
            assert folds < 1e-3, history
            assert strategy(1, ("7c", "6c"), history)[brute.FOLD] > 0.5
            checked += 1
    assert checked == 3


def test_hands_that_the_board_blocks_are_ignored() -> None:
    options = {"board": "Ts9d6h4c2s", "pot": 100, "stack": 200, "menu": "50%,a"}
    plain = make_spot(range_oop="AsKs,8c7c", range_ip="AcAd,KcQc", **options)  # type: ignore[arg-type]
    more = make_spot(range_oop="AsKs,8c7c,Ts8s", range_ip="AcAd,KcQc,9d9c", **options)  # type: ignore[arg-type]
    first, second = solve(plain, 50), solve(more, 50)
    assert np.array_equal(first.state()["tables"], second.state()["tables"])
    assert first.values() == second.values()


def test_weights_count_only_by_their_ratio() -> None:
    problem = PROBLEMS["river"]
    spot = make_spot(problem.board, 100, 250, *problem.ranges, "50%,a")
    solvers = []
    for scale in (1.0, 2.0**-6):
        weights = tuple(each.weights * scale for each in spot.ranges)
        config = CFRConfig(weights=weights)  # type: ignore[arg-type]
        solvers.append(CFR(spot.game, config))
        solvers[-1].step(100)
    assert solvers[0].values() == solvers[1].values()
    assert solvers[0].exploitability() == solvers[1].exploitability()


@pytest.mark.parametrize("ranges", [("AsAh", "AsKs"), ("AA", "Ts9d"), ("AsAh,AsAd", "AsKs,AsQs")])
def test_ranges_that_never_meet_are_refused(ranges: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="hand"):
        solve(make_spot("Ts9d6h4c2s", 100, 200, *ranges, "50%,a"), 1)


def test_weights_too_small_for_single_precision_are_refused() -> None:
    spot = make_spot("Ts9d6h4c2s", 100, 200, "AA:1e-40", "KK", "50%,a")
    with pytest.raises(InputError, match="too small"):
        solve(spot, 1)


MENU = Path(__file__).parents[2] / "examples" / "spot_menu.yaml"


def offers(board: str, *actions: int) -> list[int]:
    """The raises that the menu of the examples offers after some actions, pot 200, stack 900."""
    spot = make_spot(board, 200, 900, "random", "random", read_yaml(MENU))
    episode = _native.PokerEpisode(spot.game, hole=[], board=list(spot.board))
    for action in actions:
        episode.act(action)
    return sorted(action for action in episode.offer if action is not None and action > 0)


def test_a_menu_by_seat_and_street() -> None:
    assert offers("Td9d6h") == [66]
    assert offers("Td9d6hQc") == [66, 150]
    assert offers("Td9d6hQc2s") == [66, 150, 300]
    assert offers("Td9d6hQc2s", 0) == [150, 900]
    assert offers("Td9d6hQc", 0) == [100, 200]
    assert offers("Td9d6h", 66) == [165]
    assert offers("Td9d6h", 0, 100) == [900]
    assert offers("Td9d6hQc2s", 300) == [900]  # 750 would leave 150 behind a pot of 1,700
    assert offers("Td9d6hQc2s", 66, 165, 413) == []  # a fourth raise


def test_one_menu_serves_later_streets_only() -> None:
    menu = {"flop": "33%", "turn": "50%", "river": "a"}
    for board, slots in [("Td9d6hQc", 4), ("Td9d6hQc2s", 3)]:
        assert make_spot(board, 200, 900, "AA", "KK", menu).game.num_actions == slots
    with pytest.raises(InputError, match="unknown street 'rivver'"):
        make_spot("Td9d6hQc", 200, 900, "AA", "KK", {**menu, "rivver": "a"})
    with pytest.raises(InputError, match="no sizes for 'river'"):
        make_spot("Td9d6hQc", 200, 900, "AA", "KK", {"turn": "a"})


@pytest.mark.parametrize("menu", [None, 5, ["33%"]])
def test_what_is_no_menu_is_refused(menu: Any) -> None:
    with pytest.raises(InputError, match="menu: must be"):
        make_spot("Td9d6hQc", 200, 900, "AA", "KK", menu)

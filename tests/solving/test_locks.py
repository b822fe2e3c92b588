# SPDX-License-Identifier: MIT
"""Spots as they come: rake, stacks, sizes, short deck; and nodes at which a player is bound."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretless import _native
from regretless.cli import main
from regretless.equities import equity
from regretless.errors import InputError
from regretless.explorer.locks import Lock, keeps_suits_alike, parse_lock, read_locks, set_locks
from regretless.explorer.nodes import SolvedTree
from regretless.games.spots import Spot, make_spot
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig
from regretless.solving.spot_options import SpotOptions

RANGES = ("QQ,JTs,AhKh", "99,AQs,76s")
MENU = {"all": {"open": "50%,a", "raise": "a"}}


def solved(spot: Spot, locks: list[Lock], iterations: int = 300, **options: Any) -> CFR:
    solver = CFR(spot.game, CFRConfig(**{"name": "dcfr"} | options))
    set_locks(solver, spot, locks)
    solver.step(iterations)
    return solver


@pytest.mark.parametrize(("rake", "cap", "left"), [(0.05, None, 95), (0.05, 3, 97), (0.0, 5, 100)])
@pytest.mark.parametrize("rule", ["holdem", "short-deck"])
def test_a_pot_that_is_checked_down_less_the_rake(
    rake: float, cap: int | None, left: int, rule: str
) -> None:
    ranges = ("QQ,KhJh", "99,AcKd")
    menu = {"all": ""}
    spot = make_spot("Td8d6hQc7s", 100, 50, *ranges, menu, rake=rake, rake_cap=cap, rule=rule)
    solver = CFR(spot.game, CFRConfig())
    solver.step(1)
    shares = equity(ranges, "Td8d6hQc7s", rule=rule).equities
    values = [value + 50 for value in solver.values()]
    assert values == pytest.approx([share * left for share in shares], abs=1e-4)


def test_unequal_stacks_count_as_the_smaller() -> None:
    one = make_spot("Td9d6hQc2s", 101, 250, *RANGES, MENU)
    two = make_spot("Td9d6hQc2s", 101, 900, *RANGES, MENU, stack_ip=250)
    assert two.stack == 250
    assert solved(one, [], 20).values() == solved(two, [], 20).values()
    with pytest.raises(InputError, match="stack_ip: must be a positive number of chips"):
        make_spot("Td9d6hQc2s", 100, 250, *RANGES, MENU, stack_ip=0)


def test_sizes_by_street_and_seat() -> None:
    options = SpotOptions("Td9d6hQc", 100, 1000, *RANGES, bets="33%", bets_river="66%", raises="3x")
    spot = options.spot()
    assert spot is not None
    episode = spot.game.episode_of()
    assert [each for each in episode.offer if each] == [33]
    for _ in range(2):
        episode.call()
    episode.deal_board([0])
    assert [each for each in episode.offer if each] == [66]
    own = SpotOptions("Td9d6hQc", 100, 1000, *RANGES, bets="33%", bets_oop="25%").spot()
    assert own is not None
    root = own.game.episode_of()
    assert [each for each in root.offer if each] == [25]
    root.call()
    assert [each for each in root.offer if each] == [33]


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pcfr+", "pdcfr+"])
def test_a_lock_is_kept_by_play_and_by_best_answers(name: str) -> None:
    spot = make_spot("Td9d6hQc2s", 100, 300, *RANGES, MENU)
    locks = [Lock("x b50%", {"f": 0.7, "c": 0.3}), Lock("", {"x": 1.0}, "QQ")]
    locks += [Lock("", {"x": 0.25, "b50": 0.5, "a": 0.25}, "JTs,AhKh")]
    solver = solved(spot, locks, name=name)
    mixes = {tuple(np.round(each, 5)) for each in solver.node_strategy(0).T.tolist()}
    assert sorted(mixes) == [(0.25, 0.5, 0.25), (1, 0, 0)]
    # Both have the same best answers against what is locked, so neither gains much more.
    assert solver.exploitability() < 0.02 * 100
    free = solved(spot, [], name=name)
    assert solver.values()[0] < free.values()[0] - 1


def test_the_value_of_a_lock_by_hand() -> None:
    """OOP always checks and always folds to a bet: IP bets everything and takes the pot."""
    spot = make_spot("Td9d6hQc2s", 100, 100, "QQ", "76s", {"all": {"open": "a", "raise": "a"}})
    locks = [parse_lock(" = x 1"), parse_lock("x a = f 1, c 0")]
    solver = solved(spot, locks, 2000)
    assert [value + 50 for value in solver.values()] == pytest.approx([0, 100], abs=0.1)
    native = solver.solver
    gain = native.best_value(0) - native.value(0)
    assert gain == pytest.approx(0, abs=1e-3)  # he may do nothing else


def test_a_lock_in_16_bits_and_below_merged_cards() -> None:
    spot = make_spot("Ks8s3h3d", 60, 150, "KQs,77:0.5", "A8s,99:0.5", MENU)
    lock = Lock("x x | 2c | x", {"x": 0.5, "a": 0.5})
    for options in ({"precision": 16}, {"precision": 32}, {"merge_suits": False}):
        solver = CFR(spot.game, CFRConfig(name="dcfr", **options))  # type: ignore[arg-type]
        set_locks(solver, spot, [lock])
        solver.step(20)
        node = SolvedTree(spot.game, solver.packed()).node("x x | 2c | x")
        mixes = {choice.word: choice.mix for choice in node.choices}
        assert mixes["x"] == pytest.approx(0.5, abs=1e-3)
        assert mixes["a"] == pytest.approx(0.5, abs=1e-3)


def test_locks_that_make_no_sense(tmp_path: Path) -> None:
    spot = make_spot("Td9d6hQc2s", 100, 300, *RANGES, MENU)
    solver = CFR(spot.game, CFRConfig()).solver
    with pytest.raises(InputError, match=r"sum to 0\.5"):
        set_locks(solver, spot, [Lock("x", {"x": 0.5})])
    with pytest.raises(InputError, match="nobody decides there"):
        set_locks(solver, spot, [Lock("x x", {"x": 1.0})])
    with pytest.raises(InputError, match="'z' at column 1"):
        set_locks(solver, spot, [Lock("x", {"z": 1.0})])
    with pytest.raises(InputError, match="one = and shares"):
        parse_lock("x b50")
    with pytest.raises(InputError, match=r"'f x' at column 5"):
        parse_lock("x = f x")
    file = tmp_path / "locks.yaml"
    file.write_text("- line: x b50%\n  shares: {f: 0.5, c: 0.5}\n  hands: 99\n")
    with pytest.raises(InputError, match=r"\[0\]: hands: input should be a valid string"):
        read_locks(file)
    file.write_text("- line: x b50%\n  shares: {f: 1.5, c: -0.5}\n")
    with pytest.raises(InputError, match="shares are from 0 to 1"):
        set_locks(solver, spot, read_locks(file))
    file.write_text("- line: x b50%\n  shares: {f: 0.5, c: 0.5}\n  hands: '99'\n")
    assert read_locks(file) == [Lock("x b50%", {"f": 0.5, "c": 0.5}, "99")]
    assert keeps_suits_alike(read_locks(file))
    assert not keeps_suits_alike([Lock("", {"x": 1.0}, "AsKs")])
    with pytest.raises(ValueError, match="sum to 1"):
        solver.lock(0, np.zeros((3, len(solver.problem.hands(0)))))
    with pytest.raises(ValueError, match="not a decision"):
        solver.lock(10**6, np.zeros((3, 1)))


def test_the_command_says_what_a_lock_costs(capsys: pytest.CaptureFixture[str]) -> None:
    spot = ["nlhe", "--board", "Td9d6hQc2s", "--pot", "100", "--stack", "300", "--json"]
    ranges = ["--range-oop", RANGES[0], "--range-ip", RANGES[1], "--iterations", "200"]
    with pytest.raises(SystemExit) as ended:
        main(["solve", *spot, *ranges, "--lock", "x b50% = f 1", "--lock", "x b100% = f 1"])
    assert ended.value.code in (None, 0)
    told = json.loads(capsys.readouterr().out)
    assert set(told["lock_cost"]) == {"oop"}
    assert told["lock_cost"]["oop"] > 1
    with pytest.raises(SystemExit) as ended:
        main(["solve", "kuhn", "--lock", "x = x 1"])
    assert ended.value.code == 2
    assert "--lock belongs to a spot" in capsys.readouterr().err


def test_native_problem_knows_its_boards() -> None:
    spot = make_spot("Ks8s3h3d", 60, 150, "KQs,77:0.5", "A8s,99:0.5", MENU)
    boards = _native.VectorProblem(spot.game).boards()
    assert len(boards["suits"]) == 2  # hearts and diamonds may be exchanged
    assert sorted(boards["outcomes"].tolist()) == list(range(48))

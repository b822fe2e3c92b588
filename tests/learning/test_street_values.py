# SPDX-License-Identifier: MIT
"""Value networks of the river: data, the network against pairs of hands, learning, bundles."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from buffer_copies import assert_same_buffers, copy_buffers
from cuda_on_cpu import CpuDevice
from regretless import _native
from regretless.algorithms.street_values import StreetValues, StreetValuesConfig
from regretless.buffers import Ring, buffers_of
from regretless.bundles.bundle import copy_bundle, open_bundle
from regretless.bundles.shipped import strategy_directory
from regretless.cluster.wire import pack_shard, pack_weights, unpack
from regretless.cluster.worker import Worker, kind_of
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.generation.generator import joined
from regretless.generation.street_values import (
    BoardShard,
    RiverGenerator,
    StreetSpotConfig,
    is_held,
)
from regretless.learning.street_losses import holdout_figures, with_sight
from regretless.networks.street_network import RiverBoards, StreetNetwork
from regretless.networks.street_values import StreetValuesShape
from regretless.recipes.config import make_config
from regretless.runs import Run
from regretless.search.streets.random_ranges import RangeDraws, random_stacks
from regretless.solvers.cuda import device
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig, make_problem
from regretless.solvers.rivers import (
    DEEP_BOARD,
    NativeRivers,
    clamped,
    deep_game,
    make_river_solver,
    river_places,
)
from regretless.training.loop import train
from regretless.watch import Watch

GAME = load_game("nlhe")
DECK = _native.Deck(13, 4, 0)
CARDS = _native.hand_cards(DECK, 2).astype(np.int64)
MEET = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
SPOTS = StreetSpotConfig(spots=3, iterations=20)
SMALL = StreetValuesConfig(
    spots=4,
    iterations=100,
    boards=24,
    all_boards=48,
    replay=48,
    holdout=8,
    bins=32,
    width=48,
    layers=2,
    batch=8,
    minibatches=60,
    learning_rate=3e-3,
    steps=4,
)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def generator(**changes: Any) -> RiverGenerator:
    return RiverGenerator(GAME, replace(SPOTS, **changes), seed=5)


def same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    return left.keys() == right.keys() and all(
        left[key].tobytes() == right[key].tobytes() for key in left
    )


# Data.


def test_ranges_are_split_between_weaker_and_stronger_halves() -> None:
    random = np.random.default_rng(3)
    for hands in (1, 2, 3, 5, 8, 1081):
        draws = RangeDraws(hands)
        ranges = draws.ranges(*draws.draw(random, 500))
        assert ranges.shape == (500, hands) and (ranges >= 0).all()
        np.testing.assert_allclose(ranges.sum(axis=1), 1, rtol=1e-5)
    draws = RangeDraws(3)  # the odd hand is on either side
    means = draws.ranges(*draws.draw(random, 100_000)).mean(axis=0)
    np.testing.assert_allclose(means, [0.375, 0.25, 0.375], atol=5e-3)
    draws = RangeDraws(4)
    ranges = draws.ranges(*draws.draw(random, 100_000))
    half = ranges[:, :2].sum(axis=1)
    assert abs(half.mean() - 0.5) < 5e-3 and abs(half.var() - 1 / 12) < 2e-3
    assert abs(np.corrcoef(half, ranges[:, 0] / half)[0, 1]) < 0.02


def test_stacks_are_of_five_categories() -> None:
    stacks = random_stacks(np.random.default_rng(1), 50_000, (200.0,)).astype(np.float64)
    paid = 200 / (2 * stacks + 1)  # big blinds
    edges = [1, 2, 4, 20, 60, 199.5]
    shares = np.histogram(paid, np.array(edges) - 1e-3)[0] / len(paid)
    np.testing.assert_allclose(shares, 0.2, atol=0.01)
    assert abs(stacks.max() - 99.5) < 1e-3 and stacks.min() > 1e-3


def test_places_are_the_order_of_strength() -> None:
    boards = np.array([[0, 5, 17, 30, 51], [8, 9, 10, 11, 50]], np.uint8)
    places = river_places(boards)
    for board, found in zip(boards, places, strict=True):
        strengths = _native.board_strengths(_native.Showdown.HOLDEM, DECK, board.tolist(), 2)
        free = np.flatnonzero(strengths)
        assert len(free) == 1081 and (found[strengths == 0] == -1).all()
        for hand in free[::97]:
            mine = strengths[hand]
            below, upto = (strengths[free] < mine).sum(), (strengths[free] <= mine).sum()
            assert found[hand] == below + upto


def test_a_shard_and_its_parts_give_the_same_bytes() -> None:
    shard = BoardShard(7, 8)
    whole = generator().make({}, shard)
    for parts, made in (
        (2, generator()),
        (8, RiverGenerator.from_spec(generator(threads=2).spec())),
    ):
        pieces = [made.make({}, part) for part in shard.split(8 // parts)]
        assert same(whole, joined(pieces))
    assert not same(whole, generator().make({}, BoardShard(8, 8)))


def test_a_worker_makes_the_same_bytes() -> None:
    made, shard = generator(iterations=5), BoardShard(3, 2, is_held=True)
    worker = Worker(threads=1)
    worker.learn(0, *kind_of(made), json.dumps(made.spec()))
    _, columns = unpack(worker.make(0, 0, pack_weights({}), pack_shard(shard)))
    assert same(columns, made.make({}, shard))


def test_held_boards_share_no_ranks_with_others() -> None:
    made = generator()
    held = made.spots_of(BoardShard(0, 40, is_held=True)).boards
    learned = made.spots_of(BoardShard(0, 400)).boards
    assert all(map(is_held, held)) and not any(map(is_held, learned))
    sets = [
        {tuple(sorted(card // 4 for card in board)) for board in boards.tolist()}
        for boards in (held, learned)
    ]
    assert not sets[0] & sets[1]
    every = np.random.default_rng(0).random((4000, 52)).argsort(axis=1)[:, :5].astype(np.uint8)
    assert 0.01 < np.mean([is_held(board) for board in every]) < 0.04


def test_values_of_both_players_add_up_to_zero_and_blocked_hands_have_none() -> None:
    columns = generator().make({}, BoardShard(0, 4))
    ranges, values = (columns[key].astype(np.float64) for key in ("ranges", "values"))
    shares = ranges / ranges.sum(axis=3, keepdims=True)
    won = (shares * values).sum(axis=3)
    assert np.abs(won.sum(axis=2)).max() < 1e-3 and np.abs(won).mean() > 0.05
    blocked = columns["places"] < 0
    for board, row, kept in zip(blocked, values, ranges, strict=True):
        assert not row[..., board].any() and not kept[..., board].any()
        assert (kept[..., ~board] > 0).all()


def test_values_are_those_of_a_solve_in_pots() -> None:
    columns = generator(iterations=150).make({}, BoardShard(3, 1))
    board = "".join("23456789TJQKA"[c // 4] + "cdhs"[c % 4] for c in columns["boards"][0])
    spot_number, pot = 2, 400
    stack = float(columns["stacks"][0, spot_number])
    menu = {"all": {"open": "100%,a", "raise": "100%,a"}, "max_raises": 5}
    spot = make_spot(board, pot, round(stack * pot), "random", "random", menu)
    ranges = columns["ranges"][0, spot_number].astype(np.float64)
    ranges /= ranges.sum(axis=1, keepdims=True)
    weights = (ranges[0].tolist(), ranges[1].tolist())
    solver = CFR(spot.game, CFRConfig("cfr+", weights=weights))
    solver.step(600)
    for player in range(2):
        hands = solver.problem.hands(player)
        expected = solver.solver.hand_values(player) * solver.problem.hand_weights(player) / pot
        found = columns["values"][0, spot_number, player, hands]
        assert np.abs(found - expected) @ ranges[player, hands] < 0.005 < np.abs(expected).mean()


def test_amounts_are_clamped_to_the_stack() -> None:
    deep = make_problem(deep_game(), CFRConfig("dcfr")).arrays()["payoffs"] / 2000
    for stack in (0.4, 2.5, 30.0):
        menu = {"all": {"open": "100%,a", "raise": "100%,a"}, "max_raises": 5}
        spot = make_spot(DEEP_BOARD, 2000, round(stack * 2000), "random", "random", menu)
        own = make_problem(spot.game, CFRConfig("dcfr")).arrays()["payoffs"] / 2000
        (found,) = clamped(deep, np.array([stack], np.float32))
        assert found.shape == deep.shape
        np.testing.assert_allclose(np.unique(found.round(4)), np.unique(own.round(4)))


def test_refusals() -> None:
    for game in (load_game("leduc"), load_game("plo5-100bb"), load_game("nlhe", players=6)):
        with pytest.raises(InputError, match="hold'em"):
            StreetValues(game, SMALL)


# The network.


def some_sight(bins: int = 32) -> tuple[Any, Any, RiverBoards]:
    spots = generator().spots_of(BoardShard(2, 2))
    boards = RiverBoards(torch.from_numpy(spots.places), bins)
    return spots, boards.see(torch.from_numpy(spots.ranges), torch.from_numpy(spots.stacks)), boards


def some_network(**changes: Any) -> StreetNetwork:
    shape = StreetValuesShape(bins=32, width=32, hidden=2, **changes)
    network = StreetNetwork(shape, torch.Generator().manual_seed(1))
    with torch.no_grad():
        network.output.weight.mul_(50)
    return network


def test_equities_and_masses_are_those_of_all_pairs_of_hands() -> None:
    spots, sight, boards = some_sight()
    for number, places in enumerate(spots.places.astype(np.int64)):
        possible = places >= 0
        meet = MEET & possible[:, None] & possible
        signs = np.sign(places[:, None] - places) * meet
        theirs = spots.ranges[number].astype(np.float64)[:, ::-1]
        theirs /= theirs.sum(axis=2, keepdims=True)
        masses, shown = theirs @ meet.T, theirs @ signs.T
        np.testing.assert_allclose(sight.masses[number], masses, atol=2e-6)
        np.testing.assert_allclose((sight.equities * sight.masses)[number], shown, atol=2e-6)
        matrix = boards.matrix[number].numpy()
        np.testing.assert_allclose(matrix.sum(axis=1), possible, atol=1e-6)
        assert (np.count_nonzero(matrix, axis=1) <= 2).all()


def test_values_add_up_to_zero_whatever_the_weights_of_the_network() -> None:
    _, sight, boards = some_sight()
    values = some_network()(sight)
    assert values.abs().max() > 0.1
    assert (values * sight.ranges).sum((2, 3)).abs().max() < 1e-6
    assert not values[~boards.possible[:, None, None].expand_as(values)].any()


def test_new_names_of_suits_change_nothing() -> None:
    spots, sight, _ = some_sight()
    network = some_network()
    rename = np.array([2, 0, 3, 1])
    cards = np.arange(52) // 4 * 4 + rename[np.arange(52) % 4]
    pairs = np.sort(cards[CARDS], axis=1)
    index = _native.hand_index(DECK, pairs.astype(np.uint8)).astype(np.int64)
    ranges = np.zeros_like(spots.ranges)
    ranges[..., index] = spots.ranges
    boards = RiverBoards(torch.from_numpy(river_places(cards[spots.boards].astype(np.uint8))), 32)
    seen = boards.see(torch.from_numpy(ranges), torch.from_numpy(spots.stacks))
    torch.testing.assert_close(network(seen)[..., index], network(sight), atol=1e-5, rtol=1e-4)


def test_an_empty_range_gives_finite_values() -> None:
    spots, _, boards = some_sight()
    ranges = torch.from_numpy(spots.ranges).clone()
    ranges[0, 0, 0] = 0
    assert some_network()(boards.see(ranges, torch.from_numpy(spots.stacks))).isfinite().all()


# Learning.


def learner(**changes: Any) -> StreetValues:
    return StreetValues(GAME, replace(SMALL, **changes), seed=2)


def test_it_learns_more_than_half_of_the_equity() -> None:
    made = learner(boards=60, all_boards=120, replay=120, minibatches=150)
    first = made.step(1, Watch(lambda: True))
    assert first == {} and made.steps_done == 0
    made.fit.config = replace(made.fit.config, steps=0)
    made.step()
    half = made._holdout_figures(made.fit.network)  # an output layer near 0
    made = learner(boards=60, all_boards=120, replay=120, minibatches=150)
    figures = made.step(4)
    assert figures["holdout_huber"] < 0.65 * half["holdout_huber"]
    assert figures["holdout_error"] < 0.75 * half["holdout_error"]
    assert figures["spots"] == 480 and figures["buffer/size"] == 120
    classes = [key for key in figures if key.startswith("holdout_huber_")]
    assert len(classes) == 3


def test_it_resumes_to_the_byte_with_its_buffers_and_without() -> None:
    steady, stopped, resumed, poor = (learner(minibatches=10) for _ in range(4))
    stopped.step(2)
    copy_buffers(stopped, resumed)
    resumed.restore(stopped.state())
    poor.restore(stopped.state())  # solves its boards again
    steady.step(2)
    metrics = steady.step(2)
    for other in (resumed, poor):
        assert other.step(2) == metrics
        assert_same_buffers(steady, other)
        assert same(steady.state(), other.state())


def test_stopped_within_a_step_it_goes_on_to_the_same_bytes() -> None:
    steady, stopped = learner(minibatches=10), learner(minibatches=10)
    steady.step(2)
    calls = 0
    while stopped.steps_done < 2:
        looks = iter([False] * 3)
        stopped.step(2 - stopped.steps_done, Watch(lambda looks=looks: next(looks, True)))  # type: ignore[misc]
        calls += 1
        assert calls < 100
    assert calls > 3 and same(steady.state(), stopped.state())
    assert_same_buffers(steady, stopped)


def test_a_run_leaves_the_network_as_a_bundle(tmp_path: Path) -> None:
    options = {key: value for key, value in vars(SMALL).items() if key not in ("depths", "threads")}
    tree = {
        "game": "nlhe",
        "algorithm": {"name": "street-values", **options, "minibatches": 5},
        "budget": {"steps": 2},
        "evaluate": {"measures": []},
        "output": str(tmp_path / "run"),
    }
    run = Run.new(make_config(tree, "test"), "run")
    notes: list[str] = []
    train(run, tell=notes.append)
    assert any("RUN/values" in note for note in notes)
    bundle = open_bundle(tmp_path / "run" / "values")
    bundle.verify()
    assert bundle.manifest.precision == "bfloat16" and bundle.manifest.kind == "values"
    measures = {each.measure for each in bundle.manifest.strength}
    assert {"holdout huber", "holdout error"} <= measures
    weights = bundle.street_values()
    _, sight, _ = some_sight()
    found = weights.build()(sight)
    single = copy_bundle(bundle, tmp_path / "single", precision="float32")
    assert single.manifest.precision == "float32"
    torch.testing.assert_close(single.street_values().build()(sight), found)
    assert copy_bundle(single, tmp_path / "half", precision="bfloat16").columns.keys() == (
        bundle.columns.keys()
    )
    with pytest.raises(InputError, match=r"no value network$"):
        bundle.values()
    with pytest.raises(InputError, match="plays only in a search"):
        bundle.policy()
    assert buffers_of(learner()).keys() == {"values", "holdout"}


def test_the_network_that_ships_knows_rivers_that_it_has_never_seen() -> None:
    """Boards of another seed, solved by the CPU; half of the equity is off by 13 % of the pot."""
    path = strategy_directory("hunl-river")
    assert path is not None
    bundle = open_bundle(path)
    claims = {each.measure: each.value for each in bundle.manifest.strength}
    assert claims["holdout huber"] < 0.015
    made = generator(spots=4, iterations=250).make({}, BoardShard(7, 3, is_held=True))
    rows = Ring(generator(spots=4).columns(), 3)
    rows.add(made)
    network = bundle.street_values().build()
    sight = with_sight(network.shape.bins)
    found = holdout_figures(network, rows, sight, 3, torch.device("cpu"))
    assert found["holdout_error"] < 4


# Solvers and devices.


def solved_by(solver: Any, stacks: list[float], iterations: int) -> tuple[Any, Any]:
    spots = generator(spots=len(stacks)).spots_of(BoardShard(4, 1))
    boards = np.repeat(spots.boards.astype(np.int64), len(stacks), axis=0)
    ranges = spots.ranges[0].astype(np.float32)
    return ranges, solver.solve(boards, ranges, np.array(stacks, np.float32), iterations)


def check_solvers_agree(batch: Any, iterations: int) -> None:
    """With a stack so deep that nothing is clamped both do the same; else they end there."""
    for stack, most in ((300.0, 2e-3), (0.7, max(0.01, 0.8 / iterations))):
        ranges, found = solved_by(batch, [stack], iterations)
        _, expected = solved_by(NativeRivers(1), [stack], iterations)
        shares = ranges / ranges.sum(axis=2, keepdims=True)
        scale = ranges.sum(axis=2)[:, ::-1, None]
        errors = (np.abs(found - expected) / scale * shares).sum(axis=2)
        assert errors.max() < most * max(1.0, np.abs(expected / scale).mean()), stack
        assert not found[0][:, (ranges[0] == 0).all(axis=0)].any()


def test_batches_agree_with_single_spots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "CupyDevice", lambda _: CpuDevice())
    check_solvers_agree(make_river_solver("cuda", 2, 1), 12)


@pytest.mark.gpu
def test_batches_agree_with_single_spots_on_cuda() -> None:
    pytest.importorskip("cupy")
    check_solvers_agree(make_river_solver("cuda", 2, 1), 200)


@pytest.mark.gpu
def test_it_learns_on_cuda() -> None:
    pytest.importorskip("cupy")
    options = replace(SMALL, device="cuda", precision="bfloat16", boards=64, all_boards=128)
    made = StreetValues(GAME, replace(options, replay=128), seed=2)
    first = made.step()
    last = made.step(3)
    assert last["holdout_huber"] < first["holdout_huber"] and last["loss"] < first["loss"]

# SPDX-License-Identifier: MIT
"""Boards with cards to come against pairs of hands, and learning from turns and flops."""

from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from cuda_on_cpu import CpuDevice
from regretless import _native
from regretless.algorithms.street_values import StreetValues, StreetValuesConfig
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.shipped import find_street_values
from regretless.bundles.values_bundle import write_values_bundle
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.generation.early_values import EarlyGenerator, EarlySpotConfig
from regretless.generation.generator import joined
from regretless.generation.preflop_values import PreflopGenerator, flops_apart
from regretless.generation.street_values import BoardShard, is_held
from regretless.networks.street_network import StreetNetwork
from regretless.networks.street_values import StreetValuesShape, StreetWeights
from regretless.notation.cards import parse_cards
from regretless.recipes.config import make_config
from regretless.runs import Run
from regretless.search.streets.cut_spots import DeviceCuts, NativeCuts
from regretless.search.streets.gate import street_strategies
from regretless.search.streets.leaves import NetworkValues, solve_to_leaves
from regretless.search.streets.sights import (
    boards_after,
    run_out_places,
    see_boards,
    starting_hands,
)
from regretless.solvers.rivers import river_places
from regretless.training.loop import train

GAME, CPU = load_game("nlhe"), torch.device("cpu")
DECK = _native.Deck(13, 4, 0)
CARDS = _native.hand_cards(DECK, 2).astype(np.int64)
MEET = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
SMALL = StreetValuesConfig(
    street="turn",
    spots=4,
    iterations=4,
    boards=6,
    all_boards=6,
    replay=6,
    holdout=2,
    bins=16,
    embedding=4,
    width=16,
    layers=1,
    batch=4,
    minibatches=40,
    learning_rate=3e-3,
    steps=4,
)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def some_weights(street: Any) -> StreetWeights:
    shape = StreetValuesShape(street=street, bins=16, width=16, hidden=1)
    network = StreetNetwork(shape, torch.Generator().manual_seed(4))
    with torch.no_grad():
        network.output.weight.mul_(30)
    return StreetWeights(shape, network.arrays())


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Networks of three streets."""
    found = {}
    for street in ("river", "turn", "flop"):
        found[street] = str(tmp_path_factory.mktemp(street) / "values")
        facts = BundleFacts(AlgorithmFacts(name="street-values"))
        write_values_bundle(found[street], GAME, some_weights(street), facts)
    return found


def some_ranges(board: Any) -> Any:
    ranges = np.random.default_rng(1).random((2, 1326))
    ranges[:, np.isin(CARDS, board).any(axis=1)] = 0
    return ranges / ranges.sum(axis=1, keepdims=True)


# Boards with cards to come.


def test_equities_and_rows_are_means_over_all_rivers() -> None:
    board = np.array(parse_cards("Ks7d4c2h"), np.uint8)
    seen, ranges = see_boards(board[None], 16, CPU), some_ranges(board)
    places = river_places(boards_after(board[None])).astype(np.int64)
    theirs = ranges[::-1]
    won, met = np.zeros_like(theirs), np.zeros_like(theirs)
    for row in places:
        meet = MEET & (row >= 0)[:, None] & (row >= 0)
        won += theirs @ (np.sign(row[:, None] - row) * meet).T
        met += theirs @ meet.T
    expected = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
    given = torch.from_numpy(ranges)[None, None]
    sight = seen.see(given, torch.ones(1, 1))
    np.testing.assert_allclose(sight.equities[0, 0].numpy(), expected, atol=1e-5)
    masses = (theirs @ MEET.T) * (ranges > 0)
    np.testing.assert_allclose(sight.masses[0, 0].numpy(), masses, atol=1e-5)
    matrix = seen.matrix[0].numpy()
    np.testing.assert_allclose(matrix.sum(axis=1), (places >= 0).any(axis=0), atol=1e-5)
    centres = matrix @ (np.arange(16) + 0.5) / 16
    mean = np.where(places >= 0, places, 0).sum(axis=0) / 46 / (2 * 1081)
    assert np.corrcoef(centres, mean)[0, 1] > 0.999


def test_run_outs_of_a_flop() -> None:
    """The equity of hands on a flop, counted over all turns and rivers."""
    board = np.array(parse_cards("Th9h5c"), np.uint8)
    places = run_out_places(board[None], CPU)
    assert places.shape == (1, 1176, 1326)
    seen = see_boards(board[None], 16, CPU)
    hands = [int(np.flatnonzero((sorted(parse_cards(text)) == CARDS).all(axis=1))[0])
             for text in ("AsAd", "QhJh", "7c6c", "5d5s")]  # fmt: skip
    ranges = torch.zeros(1, 4, 2, 1326)
    for number, hand in enumerate(hands):
        ranges[0, number, 0, hands[0]] = 1
        ranges[0, number, 1, hand] = 1
    found = seen.see(ranges, torch.ones(1, 4)).equities[0, :, 0, hands[0]].tolist()
    for hand, equity in zip(hands[1:], found[1:], strict=True):
        used = {*board.tolist(), *CARDS[hands[0]].tolist(), *CARDS[hand].tolist()}
        won, left = 0, [card for card in range(52) if card not in used]
        for pair in combinations(left, 2):
            full = [*board.tolist(), *pair]
            strengths = _native.board_strengths(_native.Showdown.HOLDEM, DECK, full, 2)
            mine, his = int(strengths[hands[0]]), int(strengths[hand])
            won += (mine > his) - (mine < his)
        assert equity == pytest.approx(won / 990, abs=1e-4)
    assert found[0] == 0  # they cannot both have the aces


# Learning.


@pytest.mark.parametrize("street", ["turn", "flop"])
def test_a_shard_and_its_parts_give_the_same_bytes(bundles: Any, street: Any) -> None:
    leaves = bundles["river" if street == "turn" else "turn"]
    config = EarlySpotConfig(street=street, spots=1, iterations=1, leaves=leaves, bins=8)
    made = EarlyGenerator(GAME, config, seed=3)
    shard = BoardShard(2, 2)
    whole = made.make({}, shard)
    again = EarlyGenerator.from_spec(made.spec())
    parts = joined([again.make({}, part) for part in shard.split(1)])
    assert {column.name for column in made.columns()} == whole.keys()
    for column in made.columns():
        assert whole[column.name].tobytes() == parts[column.name].tobytes(), column.name
        assert whole[column.name].shape == (2, *column.shape)
    assert not any(map(is_held, whole["boards"]))
    held = made.spots_of(BoardShard(0, 20, is_held=True))
    assert all(map(is_held, held.boards))
    ranges, values = whole["ranges"].astype(np.float64), whole["values"].astype(np.float64)
    won = (values * ranges / ranges.sum(axis=3, keepdims=True)).sum(axis=3)
    assert np.abs(won.sum(axis=2)).max() < 1e-3 and np.abs(won).max() > 0.01
    left = 1128 if street == "turn" else 1176
    assert not values[ranges == 0].any() and ((ranges > 0).sum(axis=3) == left).all()


def test_a_device_makes_the_columns_of_a_cpu(bundles: Any) -> None:
    """But for values, which differ by what a few iterations leave open."""
    config = EarlySpotConfig(spots=2, iterations=8, leaves=bundles["river"], cards=48, bins=8)
    made, shard = EarlyGenerator(GAME, config, seed=3), BoardShard(0, 1)
    network = some_weights("river").build()
    network.output.weight.mul_(1e-3)  # about half of the equity
    made._solver = NativeCuts(network)
    expected = made.make({}, shard)
    made._solver = DeviceCuts(network, CpuDevice(), 48)
    found = made.make({}, shard)
    for name in expected.keys() - {"values"}:
        assert found[name].tobytes() == expected[name].tobytes(), name
    pairs = [each["values"].astype(np.float64)[0].reshape(2, -1) for each in (found, expected)]
    for mine, theirs in zip(*pairs, strict=True):
        assert np.corrcoef(mine, theirs)[0, 1] > 0.95


@pytest.mark.parametrize("street", ["turn", "flop"])
def test_a_network_learns(bundles: Any, street: Any) -> None:
    config = replace(SMALL, street=street, leaves=bundles["river" if street == "turn" else "turn"])
    if street == "flop":
        config = replace(config, boards=1, all_boards=1, replay=1, holdout=1, iterations=2)
    made = StreetValues(GAME, config, seed=1)
    first = made.step()
    last = made.step(2)
    assert last["loss"] < first["loss"] and last["holdout_huber"] > 0
    weights = made.value_weights()
    assert weights.shape.street == street and weights.shape.embedding == 4
    names = set(weights.parameters)
    assert {"embed.weight", "embed_again.bias"} <= names
    assert weights.build().arrays().keys() == names


def test_a_run_goes_on_with_new_boards(bundles: Any, tmp_path: Path) -> None:
    """It begins with the networks of another run, and holds the same boards."""
    options = {
        **{name: getattr(SMALL, name) for name in ("spots", "holdout", "bins", "embedding")},
        "name": "street-values",
        "street": "turn",
        "leaves": bundles["river"],
        "layers": 1,
        "width": 16,
        "batch": 2,
        "minibatches": 4,
        "boards": 2,
        "all_boards": 4,
        "iterations": 1,
    }
    recipe = {"game": "nlhe", "seed": 1, "algorithm": options, "budget": {"steps": 2}}
    recipe |= {"checkpoint": {"buffers": False}, "evaluate": {"measures": []}}
    paths = [tmp_path / name for name in ("first", "second")]
    train(Run(paths[0], make_config(recipe, "recipe")))
    train(Run(paths[1], make_config(recipe | {"start_from": str(paths[0])}, "recipe")))
    states = [Run.existing(path).latest().state for path in paths]
    assert states[0]["boards"].tolist() == [0, 4] and states[1]["boards"].tolist() == [4, 8]
    del options["name"]
    first, second = (StreetValues(GAME, StreetValuesConfig(**options), seed=1) for _ in paths)
    second.start_from(states[0])
    for each in (first, second):
        each.step()
    boards = [
        {tuple(row) for row in made.replay.get(np.arange(2))[:, :4].tolist()}
        for made in (first, second)
    ]
    assert not boards[0] & boards[1]
    assert (first.holdout.get(np.arange(2)) == second.holdout.get(np.arange(2))).all()
    bundle = find_street_values(paths[1])
    assert bundle is not None and bundle.street_values().shape.street == "turn"


def test_refusals(bundles: Any) -> None:
    shard = BoardShard(0, 1)
    with pytest.raises(InputError, match="no run or bundle of a network of the river"):
        EarlyGenerator(GAME, EarlySpotConfig(), seed=1).make({}, shard)
    with pytest.raises(InputError, match="network of the turn"):
        config = EarlySpotConfig(street="flop", leaves=bundles["river"])
        EarlyGenerator(GAME, config, seed=1).make({}, shard)
    with pytest.raises(InputError, match="169"):
        PreflopGenerator(GAME, EarlySpotConfig(street="preflop"), seed=1)
    with pytest.raises(InputError, match="for two"):
        config = EarlySpotConfig(leaves=bundles["river"])
        EarlyGenerator(load_game("nlhe", players=3), config, seed=1)


# Before the flop.


def checked_down(street: Any) -> StreetNetwork:
    """Parameters of 0 say half of the equity."""
    return StreetNetwork(StreetValuesShape(street=street, bins=16, width=8, hidden=1))


def test_values_before_the_flop_are_means_over_all_flops_of_a_kind(bundles: Any) -> None:
    """One flop stands for those with other suits: their values one by one, hand by hand."""
    config = EarlySpotConfig(
        street="preflop", spots=2, leaves=bundles["flop"], flops=1, bins=169, depths=(20.0,)
    )
    made = PreflopGenerator(GAME, config, seed=2)
    columns = made.make({}, BoardShard(0, 1))
    (flop,), (weight,) = flops_apart(1)
    renamed = {
        tuple(sorted(int(card) // 4 * 4 + suits[int(card) % 4] for card in flop))
        for suits in permutations(range(4))
    }
    assert weight == 22_100 and len(renamed) in (4, 12, 24)
    ranges = torch.from_numpy(columns["ranges"]).float()
    ranges /= ranges.sum(3, keepdim=True)
    stacks, network = torch.from_numpy(columns["stacks"]), some_weights("flop").build()
    values = torch.zeros_like(ranges)
    for cards in renamed:
        seen = see_boards(np.array([cards], np.uint8), 16, CPU)
        met = (ranges * seen.possible[:, None, None]).sum(3, keepdim=True).flip(2)
        values += network(seen.see(ranges, stacks)) * met
    values *= 22_100 / len(renamed) / 17_296
    found = columns["values"].astype(np.float64)
    np.testing.assert_allclose(found, values.numpy(), atol=2e-3)
    won = (found * ranges.numpy()).sum(axis=3)
    assert np.abs(won.sum(axis=2)).max() < 1e-3 < np.abs(won).max()
    parts = PreflopGenerator.from_spec(made.spec()).make({}, BoardShard(0, 1))
    assert all(parts[name].tobytes() == each.tobytes() for name, each in columns.items())


def test_equities_before_the_flop_are_those_of_all_boards() -> None:
    """AA has 82 % against KK, 88 % against 72o; sums are weighted by pairs of hands that meet."""
    start = starting_hands(CPU)
    ranges = torch.zeros(1, 2, 2, 1326)
    aces = np.flatnonzero((CARDS // 4 == 12).all(axis=1))
    is_offsuit = CARDS[:, 0] % 4 != CARDS[:, 1] % 4
    for number, ranks in enumerate(([11, 11], [0, 5])):
        hands = (np.sort(CARDS // 4, axis=1) == ranks).all(axis=1) & is_offsuit
        ranges[0, number, 1, np.flatnonzero(hands)] = 1
        ranges[0, number, 0, aces] = 1
    found = start.see(ranges, torch.ones(1, 2)).equities[0, :, 0, aces]
    np.testing.assert_allclose(found[0], 2 * 0.8195 - 1, atol=2e-3)
    np.testing.assert_allclose(found[1], 2 * 0.8820 - 1, atol=3e-3)
    best = start.matrix[0].argmax(1)
    assert (best[aces] == 168).all() and (start.matrix[0].sum(0) >= 4).all()


def test_a_network_before_the_flop_learns(bundles: Any) -> None:
    config = replace(SMALL, street="preflop", leaves=bundles["flop"], flops=1, bins=169)
    made = StreetValues(GAME, replace(config, spots=16, learning_rate=1e-3), seed=1)
    first = made.step()
    last = made.step(2)
    assert last["loss"] < first["loss"] and last["holdout_huber"] > 0
    assert made.value_weights().shape.street == "preflop"


# Exact leaves.


@pytest.mark.parametrize("board", ["Ks7d4c2h", "Ks7d4c"])
def test_leaves_without_later_bets_give_the_exact_tree(board: str) -> None:
    """Lines of three pots and one that is all-in; later streets are checked down in the tree."""
    early = "turn" if len(board) == 8 else "flop"
    menu = {early: {"open": "50%", "raise": "a"}} | {
        street: {"open": "", "raise": ""} for street in ("turn", "river") if street != early
    }
    ranges = "AA,KQs,76s,98s,QJo", "KK,A5s,JTs,T9o"
    game = make_spot(board, 100, 300, *ranges, menu).game
    discounts = _native.Discounts("dcfr")
    discounts.alternating = False
    exact = _native.VectorSolver(game, discounts, merge_suits=False)
    exact.step(30)
    answers = NetworkValues(checked_down("river" if early == "turn" else "turn"))
    solver = solve_to_leaves(game, answers, 30)
    mine, theirs = (street_strategies(each, 0) for each in (solver, exact))
    assert mine.keys() == theirs.keys() and len(mine) == 3
    for path, strategy in mine.items():
        np.testing.assert_allclose(strategy, theirs[path], atol=5e-3)
    weights = [np.array(solver.problem.arrays()[f"weights_{p}"]) for p in range(2)]
    won = [weights[p] @ solver.beliefs([0])[2 + p][0] for p in range(2)]
    assert sum(won) == pytest.approx(0, abs=1e-4 * abs(won[0]))

# SPDX-License-Identifier: MIT
"""Batches of turns in torch against the native solver of leaves, and learning from them."""

from typing import Any

import numpy as np
import pytest
import torch

from regretless import _native
from regretless.algorithms.street_values import StreetValues, StreetValuesConfig
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.values_bundle import write_values_bundle
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.generation.generator import joined
from regretless.generation.street_values import BoardShard, is_held
from regretless.generation.turn_values import TurnGenerator, TurnSpotConfig
from regretless.networks.street_network import StreetNetwork
from regretless.networks.street_values import StreetValuesShape, StreetWeights
from regretless.notation.cards import parse_cards
from regretless.search.streets.leaves import NetworkValues, solve_to_leaves
from regretless.search.streets.turn_batch import TURN_MENU, TurnBatch, turn_tree
from regretless.solvers.rivers import river_places

BOARD = "Ks7d4c2h"
GAME = load_game("nlhe")
CARDS = _native.hand_cards(_native.Deck(13, 4, 0), 2).astype(np.int64)
MEET = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def some_network() -> StreetNetwork:
    shape = StreetValuesShape(bins=16, width=16, hidden=1)
    network = StreetNetwork(shape, torch.Generator().manual_seed(4))
    with torch.no_grad():
        network.output.weight.mul_(30)
    return network


def rivers_of(board: Any) -> Any:
    left = np.setdiff1d(np.arange(52), board).astype(np.uint8)
    return np.array([[*board, card] for card in left], np.uint8)


def some_ranges(board: Any, count: int) -> Any:
    ranges = np.random.default_rng(1).random((count, 2, 1326))
    ranges[..., np.isin(CARDS, board).any(axis=1)] = 0
    return ranges / ranges.sum(axis=2, keepdims=True)


def some_batch(stacks: list[float], rivers: int = 48) -> TurnBatch:
    board = np.array(parse_cards(BOARD), np.uint8)
    ranges = torch.from_numpy(some_ranges(board, len(stacks))).float()
    places = river_places(rivers_of(board))[None]
    given = ranges[None], torch.tensor([stacks])
    return TurnBatch(some_network(), board[None], places, *given, rivers=rivers)


def paths(tree: Any, node: int = 0, path: tuple[int, ...] = ()) -> dict[tuple[int, ...], int]:
    """The decisions by the places of the actions that lead there."""
    actors, children = tree
    if actors[node] < 0:
        return {}
    found = {path: node}
    for place, child in enumerate(children(node)):
        found |= paths(tree, child, (*path, place))
    return found


def test_it_is_the_native_solver_with_the_same_network() -> None:
    """A stack so deep that nothing is clamped; all-in runs out without the network."""
    iterations, deep = 5, 300.0
    batch = some_batch([2.0, deep])
    batch.step(iterations)
    game = make_spot(BOARD, 2000, int(deep * 2000), "random", "random", TURN_MENU).game
    weights = some_ranges(np.array(parse_cards(BOARD)), 2)[1]
    spot = _native.Poker(game.rules, game.menu, board=game.board, weights=weights.tolist())
    solver = solve_to_leaves(spot, NetworkValues(some_network()), iterations)
    problem, tree = solver.problem, turn_tree()
    first, count = problem.first_children, problem.num_children
    theirs = paths((problem.actors, lambda n: range(first[n], first[n] + count[n])))
    mine = paths((tree.actors, lambda n: tree.children[n]))
    assert mine.keys() == theirs.keys() and len(mine) == 18
    for path, node in mine.items():
        hands = problem.hands(tree.actors[node])
        found = batch.strategy(node)[:, 0, 1].numpy()[:, hands]
        np.testing.assert_allclose(found, solver.strategy(theirs[path]), atol=1e-3)


def test_values_add_up_to_zero_and_blocked_hands_have_none() -> None:
    batch = some_batch([0.1, 1.7, 30.0], rivers=8)
    batch.step(7)
    values = batch.values().numpy()
    ranges = some_ranges(np.array(parse_cards(BOARD)), 3)[None]
    won = (values * ranges).sum(axis=3)
    assert np.abs(won.sum(axis=2)).max() < 1e-5 and np.abs(won).max() > 0.01
    blocked = np.isin(CARDS, parse_cards(BOARD)).any(axis=1)
    assert not values[..., blocked].any() and (values[..., ~blocked] != 0).mean() > 0.99
    assert (np.abs(values[0, 0]).max() < 0.7) and np.isfinite(values).all()


def test_equities_are_means_over_all_rivers() -> None:
    batch, board = some_batch([1.0], rivers=20), np.array(parse_cards(BOARD), np.uint8)
    places = river_places(rivers_of(board)).astype(np.int64)
    theirs = some_ranges(board, 1)[0][::-1]
    won, met = np.zeros_like(theirs), np.zeros_like(theirs)
    for row in places:
        meet = MEET & (row >= 0)[:, None] & (row >= 0)
        won += theirs @ (np.sign(row[:, None] - row) * meet).T
        met += theirs @ meet.T
    expected = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
    np.testing.assert_allclose(batch.equities()[0, 0].numpy(), expected, atol=1e-5)
    matrix = batch.matrix(16)[0].numpy()
    np.testing.assert_allclose(matrix.sum(axis=1), (places >= 0).any(axis=0), atol=1e-5)
    centres = matrix @ (np.arange(16) + 0.5) / 16
    mean = np.where(places >= 0, places, 0).sum(axis=0) / 46 / (2 * 1081)
    assert np.corrcoef(centres, mean)[0, 1] > 0.999


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("river") / "values"
    weights = StreetWeights(some_network().shape, some_network().arrays())
    write_values_bundle(path, GAME, weights, BundleFacts(AlgorithmFacts(name="street-values")))
    return str(path)


def test_a_shard_and_its_parts_give_the_same_bytes(river: str) -> None:
    config = TurnSpotConfig(spots=2, iterations=2, leaves=river, rivers=4, bins=8)
    made = TurnGenerator(GAME, config, seed=3)
    shard = BoardShard(2, 2)
    whole = made.make({}, shard)
    again = TurnGenerator.from_spec(made.spec())
    parts = joined([again.make({}, part) for part in shard.split(1)])
    assert {column.name for column in made.columns()} == whole.keys()
    for column in made.columns():
        assert whole[column.name].tobytes() == parts[column.name].tobytes(), column.name
        assert whole[column.name].shape == (2, *column.shape)
    assert not any(map(is_held, whole["boards"]))
    held = made.make({}, BoardShard(0, 1, is_held=True))
    assert all(map(is_held, held["boards"]))


def test_a_network_of_turns_learns(river: str) -> None:
    config = StreetValuesConfig(
        street="turn",
        leaves=river,
        spots=4,
        iterations=4,
        rivers=4,
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
    made = StreetValues(GAME, config, seed=1)
    first = made.step()
    last = made.step(2)
    assert last["loss"] < first["loss"] and last["holdout_huber"] > 0
    weights = made.value_weights()
    assert weights.shape.street == "turn" and weights.shape.embedding == 4
    names = set(weights.parameters)
    assert {"embed.weight", "embed_again.bias"} <= names
    again = weights.build()
    assert again.arrays().keys() == names


def test_refusals(river: str) -> None:
    with pytest.raises(InputError, match="leaves"):
        TurnGenerator(GAME, TurnSpotConfig(), seed=1)
    with pytest.raises(InputError, match="for two"):
        TurnGenerator(load_game("nlhe", players=3), TurnSpotConfig(leaves=river), seed=1)
    with pytest.raises(InputError, match="4 cards"):
        boards = np.zeros((1, 5), np.uint8)
        places = np.zeros((1, 48, 1326), np.int16)
        TurnBatch(some_network(), boards, places, torch.zeros(1, 1, 2, 1326), torch.zeros(1, 1))

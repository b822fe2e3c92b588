# SPDX-License-Identifier: MIT
"""Losses of choices agree with values of every history of the explicit game."""

import numpy as np
import pytest

from regretless.errors import TooLargeError
from regretless.explicit.explicit_tree import ExplicitTree, enumerate_tree, history_values
from regretless.explicit.native_adapter import NativeGame
from regretless.games import load_game
from regretless.games.episodes import legal_slots
from regretless.games.spots import make_spot
from regretless.matches.bots import BOTS
from regretless.matches.slot_values import SlotValues
from regretless.notation.cards import parse_cards
from regretless.policies.policy import Policy, TablePolicy, UniformPolicy
from regretless.policies.strategy_table import TableEvaluator
from regretless.solving.solution import solve


def tree_losses(tree: ExplicitTree, strategy: np.ndarray) -> dict[str, np.ndarray]:
    """By infoset: what each of its actions gives away, from reaches and values of all histories."""
    values = history_values(tree, strategy)
    reaches = np.ones((tree.num_nodes, 2))  # by chance and by all others than the player
    for node in range(1, tree.num_nodes):
        parent = tree.parents[node]
        reaches[node] = reaches[parent] * tree.chance_probabilities[node]
        if tree.infosets[parent] >= 0:
            step = node - tree.first_children[parent]
            reaches[node, 1 - tree.actors[parent]] *= strategy[tree.infosets[parent], step]
    sums = np.zeros((tree.num_infosets, tree.max_actions))
    weights = np.zeros(tree.num_infosets)
    for node in np.flatnonzero(tree.infosets >= 0):
        infoset, seat, first = tree.infosets[node], tree.actors[node], tree.first_children[node]
        count = tree.num_children[node]
        weights[infoset] += reaches[node, seat]
        sums[infoset, :count] += reaches[node, seat] * values[first : first + count, seat]
    losses = {}
    for infoset, name in enumerate(tree.infoset_names):
        found = sums[infoset, : tree.infoset_num_actions[infoset]] / max(weights[infoset], 1e-300)
        losses[name] = found.max() - found if weights[infoset] > 0 else None
    return losses


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice-1x4f"])
@pytest.mark.parametrize("kind", ["solved", "bot"])
def test_losses_are_those_of_all_histories(name: str, kind: str) -> None:
    game = load_game(name)
    policy: Policy = UniformPolicy()
    if kind == "solved":
        policy = solve(name, iterations=100).policy
    elif name == "leduc":
        policy = BOTS["tight-aggressive"](game)
    values = SlotValues(game, policy)
    tree = enumerate_tree(NativeGame(game), 100_000)
    rows = dict(zip(values._evaluator.names, values._profile, strict=True))
    strategy = np.zeros((tree.num_infosets, tree.max_actions))
    for number, (infoset, slots) in enumerate(
        zip(tree.infoset_names, tree.infoset_action_names, strict=True)
    ):
        row = rows[infoset][[int(slot) for slot in slots]]
        strategy[number, : len(slots)] = row / row.sum()
    expected = tree_losses(tree, strategy)
    random, seen = np.random.default_rng(1), 0
    for index in range(40):
        episode = game.episode(5, index)
        while not episode.is_terminal:
            found, truth = values.losses(episode), expected[episode.infoset_name]
            if found is None or truth is None:
                assert found is None and truth is None
            else:
                assert list(found.values()) == pytest.approx(truth.tolist(), abs=1e-6)
                seen += 1
            episode.choose(int(random.choice(legal_slots(episode))))
    assert seen > 40


def test_a_strategy_that_is_solved_gives_nothing_away_where_it_goes() -> None:
    policy = solve("leduc", iterations=2000).policy
    game = load_game("leduc")
    values = SlotValues(game, policy)
    assert isinstance(policy, TablePolicy)
    rows = TableEvaluator(game).strategy(policy.table)
    for index in range(10):
        episode = game.episode(1, index)
        while not episode.is_terminal:
            losses, row = values.losses(episode), rows[episode.infoset_name]
            assert losses is not None and min(losses.values()) == 0
            slot = int(np.argmax(row))
            assert losses[slot] < 0.05
            episode.choose(slot)
        chosen = values.decisions(episode, 0)
        assert chosen and all(each.loss == each.losses[each.slot] for each in chosen)


@pytest.mark.parametrize("board", ["Td9d6hQc2c", "Td9d6hQc"])
def test_in_a_spot_folding_the_nuts_gives_the_pot_away(board: str) -> None:
    spot = make_spot(board, 200, 900, "KJs,AA", "QQ,77", {"all": "50%,a"})
    values = SlotValues(spot.game, solve(spot, iterations=50).policy)
    hands = [list(parse_cards(text)) for text in ("KhJh", "7h7s")]
    episode = spot.game.episode_of(hands, list(parse_cards("Td9d6hQc2c")))
    while len(episode.board) < 5:  # check through to the river
        episode.choose(1)
    episode.choose(1)
    episode.choose(max(legal_slots(episode)))
    losses = values.losses(episode)
    # A fold gives away the pot and the bet, whatever the other holds.
    assert losses is not None and losses[1] == 0
    assert losses[0] * spot.game.unit == pytest.approx(200 + 900, rel=1e-3)


def test_where_nothing_exact_is_known() -> None:
    for name, players in (("nlhe", 2), ("kuhn", 3)):
        with pytest.raises(TooLargeError):
            SlotValues(load_game(name, players=players), UniformPolicy())

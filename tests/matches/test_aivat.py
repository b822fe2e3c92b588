# SPDX-License-Identifier: MIT
"""AIVAT: exactly unbiased on small games, unbiased within its error on large ones, and worth it."""

from types import SimpleNamespace

import numpy as np
import pytest

from regretless import _native
from regretless.algorithm import Shard
from regretless.errors import InputError
from regretless.explicit.explicit_tree import expected_values, history_values, uniform_strategy
from regretless.games import load_game
from regretless.matches.aivat import match_luck, value_function
from regretless.matches.bots import load_policy
from regretless.matches.match import MatchConfig, PlayedDeals, play_deals, play_match
from regretless.matches.runout_values import RunoutValues
from regretless.matches.seatings import by_policy
from regretless.matches.tree_values import TreeValues


def bots(game, *names):
    return [load_policy(name, game) for name in names]


def play_aivat(game, policies, config, known=None):
    return play_match(game, policies, config, luck=match_luck(game, policies, config, known))


def random_strategy(values, seed):
    rows = np.random.default_rng(seed).random(values.is_action.shape) * values.is_action
    return rows / rows.sum(axis=1, keepdims=True)


def every_episode(values, strategy, copy):
    """All histories, in which every copy of a deal goes alike.

    Returns them, the probabilities of the histories and the rows of the copy asked for.
    """
    tree, native = values.tree, values.native
    rows = []
    for node in np.flatnonzero(tree.terminals >= 0):
        path = []
        while node > 0:
            path.append((tree.parents[node], tree.steps[node], tree.chance_probabilities[node]))
            node = tree.parents[node]
        rows += [read_path(tree, native, strategy, path[::-1])] * native.num_players
    hands, boards, steps, answers, payoffs, reaches = zip(*rows, strict=True)
    width = max(map(len, boards))
    boards = [board + [0] * (width - len(board)) for board in boards]
    played = SimpleNamespace(
        hands=np.array(hands, np.int32),
        boards=np.array(boards, np.uint8).reshape(len(rows), width),
        payoffs=np.array(payoffs),
        offsets=np.cumsum([0, *map(len, steps)]),
        slots=np.array([slot for each in steps for slot in each], np.uint8),
    )
    piece = PlayedDeals(0, played, np.array([row for each in answers for row in each]))
    chosen = np.arange(copy, len(rows), native.num_players)
    return piece, np.array(reaches)[chosen], chosen


def read_path(tree, native, strategy, path):
    dealt, slots, answers, reach = [], [], [], 1.0
    for node, step, chance in path:
        if tree.actors[node] >= 0:
            infoset = tree.infosets[node]
            names = [int(slot) for slot in tree.infoset_action_names[infoset]]
            row = np.zeros(native.game.num_actions)
            row[names] = strategy[infoset, : len(names)]
            slots.append(names[step])
            answers.append(row)
            reach *= strategy[infoset, step]
        else:
            free = [c for c in range(native.kinds) if not native.is_poker or c not in dealt]
            dealt.append(free[step])
            reach *= chance
    per, players = native.per_player, native.num_players
    hands = []
    for player in range(players):
        digits = dealt[player * per : (player + 1) * per]
        hands.append(sum(d * native.kinds ** (per - 1 - i) for i, d in enumerate(digits)))
    board = dealt[players * per :]
    end = tree.first_children[path[-1][0]] + path[-1][1]
    return hands, board, slots, answers, tree.payoffs[tree.terminals[end]], reach


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("known", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice-1x4f"])
def test_the_expectation_is_exact(name, known, learned):
    game = load_game(name)
    values = TreeValues(game)
    strategy = random_strategy(values, 3)
    if learned:  # some other strategies, one for each seating
        values.strategies = np.stack([random_strategy(values, seed) for seed in (5, 6)])
        values.values = values._values()
    for copy in range(2):
        piece, reaches, rows = every_episode(values, strategy, copy)
        assert reaches.sum() == pytest.approx(1)
        luck = values.luck(piece, known)[rows]
        assert reaches @ luck == pytest.approx(0, abs=1e-9)
        corrected = reaches @ (piece.steps.payoffs[rows] - luck)
        assert corrected == pytest.approx(expected_values(values.tree, strategy), abs=1e-9)
        if all(known):
            plain = reaches @ piece.steps.payoffs[rows] ** 2
            assert (reaches @ (piece.steps.payoffs[rows] - luck) ** 2 < plain).all()


def test_values_of_histories():
    values = TreeValues(load_game("leduc"))
    found = history_values(values.tree, uniform_strategy(values.tree))
    assert found[0] == pytest.approx([-0.078125, 0.078125])


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice-1x4f"])
def test_walks_end_where_the_episodes_did(name):
    game = load_game(name)
    values = TreeValues(game)
    piece = play_deals(game, bots(game, "random", "random"), MatchConfig(1, seed=2), Shard(0, 500))
    last = np.zeros(1_000, int)
    for moves in values.walk(piece.steps):
        last[moves.episodes] = moves.children
    payoffs = values.tree.payoffs[values.tree.terminals[last]]
    np.testing.assert_array_equal(payoffs * game.unit, piece.steps.payoffs)


@pytest.mark.parametrize("names", [("random", "pot-odds"), ("tight-aggressive", "pot-odds")])
def test_leduc_with_both_strategies_known_leaves_nothing_to_luck(names):
    game = load_game("leduc")
    player = play_aivat(game, bots(game, *names), MatchConfig(20_000, seed=1)).players[0]
    assert player.aivat.standard_error < 0.001 * player.won.standard_error
    assert abs(player.aivat.mean - player.won.mean) < 2 * player.won.half_width


def test_leduc_with_one_strategy_known():
    game = load_game("leduc")
    policies = bots(game, "random", "tight-aggressive")
    config = MatchConfig(20_000, seed=1)
    player = play_aivat(game, policies, config, known=(False, True)).players[0]
    assert player.aivat.standard_error < 0.7 * player.won.standard_error
    exact = play_aivat(game, policies, config).players[0].aivat.mean
    assert abs(player.aivat.mean - exact) < 2 * player.aivat.half_width


def test_leduc_by_values_that_are_a_tenth_off_halves_the_error():
    game = load_game("leduc")
    policies = bots(game, "random", "pot-odds")
    values = TreeValues(game)
    values.learn(play_deals(game, policies, MatchConfig(1, seed=2), Shard(0, 5_000), True))
    values.strategies = 0.9 * values.strategies + 0.1 * uniform_strategy(values.tree)
    values.values = values._values()
    piece = play_deals(game, policies, MatchConfig(1, seed=1), Shard(0, 10_000), True)
    plain = by_policy(piece.steps.payoffs)[:, 0]
    corrected = by_policy(piece.steps.payoffs - values.luck(piece, (True, True)))[:, 0]
    assert 2 * corrected.std() < plain.std()


@pytest.mark.parametrize(
    "names",
    [
        ("tight-aggressive", "pot-odds"),
        pytest.param(("tight-aggressive", "caller"), marks=pytest.mark.slow),
        pytest.param(("random", "pot-odds"), marks=pytest.mark.slow),
    ],
)
def test_holdem_halves_the_error_and_keeps_the_mean(names, monkeypatch):
    monkeypatch.setattr(RunoutValues, "pilot_deals", 20_000)
    game = load_game("nlhe")
    policies = bots(game, *names)
    player = play_aivat(game, policies, MatchConfig(10_000, seed=1)).players[0]
    assert 2 * player.aivat.standard_error < player.won.standard_error
    long = play_match(game, policies, MatchConfig(400_000, seed=2)).players[0].won
    error = np.hypot(player.aivat.standard_error, long.standard_error)
    assert abs(player.aivat.mean - long.mean) < 3.5 * error


def test_luck_in_holdem_is_0_on_average_whatever_the_values():
    game = load_game("nlhe")
    policies = bots(game, "random", "pot-odds")
    piece = play_deals(game, policies, MatchConfig(1, seed=8), Shard(0, 10_000), True)
    values = RunoutValues(game, MatchConfig(1, seed=8))
    rng = np.random.default_rng(0)
    for table in (values.bases, values.slopes, values.decision_values):
        table[...] = rng.normal(size=table.shape)
    noise = rng.normal(size=values.hole_values.shape)
    values.hole_values = noise - (noise @ values.cell_probabilities)[:, None]
    values.hole_slopes[...] = 10
    luck = values.luck(piece, (True, True))
    assert (luck[:, 0] == -luck[:, 1]).all()
    for copy in range(2):
        part = luck[copy::2, 0]
        assert abs(part.mean()) < 3.5 * part.std() / np.sqrt(len(part))


def follow(game, steps, **options):
    columns = {name: getattr(steps, name) for name in ("hands", "boards", "offsets", "slots")}
    return _native.follow_runouts(game, **columns | options, copies=2)


def test_runouts_tell_equities_and_pots():
    game = load_game("nlhe")
    steps = play_deals(game, bots(game, "caller", "caller"), MatchConfig(1), Shard(0, 200)).steps
    found = follow(game, steps, threads=2)
    assert found["pots"][:, 1:].tolist() == [[200] * 3] * 400
    assert not found["is_all_in"].any()
    wins = (np.sign(steps.payoffs[::2, 0]) + 1) / 2
    np.testing.assert_array_equal(found["equities"][:, 4], wins)
    assert (found["equities"][:, 1] == found["equities"][:, 0]).all()
    matchup = _native.Matchup
    for deal in range(5):
        holes = [_cards(hand) for hand in steps.hands[2 * deal]]
        players = [(np.array([cards], np.uint8), np.ones(1)) for cards in holes]
        for street, known in ((2, 3), (3, 4)):
            board = steps.boards[2 * deal][:known].tolist()
            exact = _native.ExactEquity(
                matchup.of(_native.Showdown.HOLDEM, _native.Deck(), players, board, [])
            )
            exact.run(exact.num_chunks, 1)
            equity = exact.result().equities[0]
            assert found["equities"][deal, street] == pytest.approx(equity, abs=1e-6)
    again = follow(game, steps, threads=1)
    assert all((again[name] == found[name]).all() for name in found)
    steps = play_deals(game, bots(game, "raiser", "caller"), MatchConfig(1), Shard(0, 50)).steps
    found = follow(game, steps)
    assert (found["pots"][:, 1:] == 20_000).all() and found["is_all_in"][:, 1:].all()


def _cards(hand):
    high = next(c for c in range(51, 0, -1) if c * (c - 1) // 2 <= hand)
    return [hand - high * (high - 1) // 2, high]


def test_what_cannot_be_followed_is_refused():
    game = load_game("nlhe")
    steps = play_deals(game, bots(game, "raiser", "caller"), MatchConfig(1), Shard(0, 10)).steps
    for name, value in (("slots", 0), ("hands", 5_000), ("hands", 7), ("boards", 60)):
        with pytest.raises(ValueError):
            follow(game, steps, **{name: np.full_like(getattr(steps, name), value)})
    with pytest.raises(ValueError, match="hold'em"):
        follow(load_game("leduc"), steps)
    for name, players in (("nlhe", 3), ("plo4", 2), ("liars-dice-2x6f", 2)):
        with pytest.raises(InputError, match="no AIVAT"):
            value_function(load_game(name, players=players), MatchConfig(1))

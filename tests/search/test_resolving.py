# SPDX-License-Identifier: MIT
"""Continual re-solving: exploitability, the gadget, and the memo."""

import numpy as np
import pytest

from regretless import _native
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.policies.asking import mixes, policy_table
from regretless.policies.strategy_table import TableEvaluator
from regretless.search.resolving import Memo, ResolvingPolicy
from regretless.search.subgames import SearchConfig, make_subgames, solved_leaves


def exploitability(policy: ResolvingPolicy) -> float:
    table = policy_table(policy.game, policy)
    return TableEvaluator(policy.game).evaluate(table).exploitability


@pytest.mark.parametrize(
    ("name", "iterations", "most"),
    [("kuhn", 1000, 3e-4), ("leduc", 1000, 1e-3), ("liars-dice-1x3f", 500, 1e-5)],
)
def test_to_the_end_of_the_game_it_is_hardly_exploitable(
    name: str, iterations: int, most: float
) -> None:
    policy = ResolvingPolicy(load_game(name), SearchConfig(iterations, "end"))
    assert exploitability(policy) < most


@pytest.mark.parametrize(
    ("name", "depth", "iterations", "most"),
    [("kuhn", 1, 400, 0.005), ("leduc", "round", 200, 0.02), ("liars-dice-1x3f", 2, 100, 1e-3)],
)
def test_with_exact_leaves_it_is_hardly_exploitable(
    name: str, depth: int | str, iterations: int, most: float
) -> None:
    game = load_game(name)
    leaves = solved_leaves(game, SearchConfig(200, "end", "cfr+"))
    assert exploitability(ResolvingPolicy(game, SearchConfig(iterations, depth), leaves)) < most


def test_poker_with_a_board_and_ranges() -> None:
    spot = make_spot("Td9d6h2c3s", 10, 20, "TT,99,AhKh,8h7h", "JJ,AsTs,Qd8d", "100%")
    assert exploitability(ResolvingPolicy(spot.game, SearchConfig(1000, "end"))) < 0.02
    turn = load_game("turn-endgame", stacks=300, menu="a")
    config = SearchConfig(8, board="Ks 7d 3h 2c")
    leaves = solved_leaves(turn, SearchConfig(8, "end", board=config.board))
    policy = ResolvingPolicy(turn, config, leaves)
    job = _native.SelfPlay(policy.game, 4, seed=2, history=True, table=True)
    while (questions := job.ask()) is not None:
        rows = policy(questions)
        np.testing.assert_allclose(rows.sum(axis=1), 1)
        assert not rows[~questions.legal].any()
        job.answer(rows.astype(np.float32))


# The gadget.


def solved(
    opponent: int, values: np.ndarray | None, cfr: str, alternating: bool
) -> list[np.ndarray]:
    """Average strategies and values of a subgame of Leduc, one range uniform."""
    game, random = load_game("leduc"), np.random.default_rng(4)
    job = make_subgames(game, SearchConfig(60, "end", cfr, alternating=alternating))
    root = job.states.follow([1, 2, 1, 1], [3])[-1:]
    ranges = random.random((1, 2, 6))
    ranges[0, opponent] = 1
    opponents = None if values is None else np.array([opponent], np.int32)
    job.begin(root, ranges, opponents=opponents, opponent_values=values, keeps_values=True)
    results = [job.average_strategies(0), job.node_values(0), job.average_ranges(0)]
    return [*results, job.root_values()[0]]


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("cfr", ["cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("opponent", [0, 1])
def test_very_low_values_make_no_difference(opponent: int, cfr: str, alternating: bool) -> None:
    low = solved(opponent, np.full((1, 6), -1e6), cfr, alternating)
    without = solved(opponent, None, cfr, alternating)
    np.testing.assert_array_equal(low[0], without[0])
    for found, expected in zip(low[1:], without[1:], strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("opponent", [0, 1])
def test_very_high_values_are_taken(opponent: int) -> None:
    """Nobody follows, so the subgame is worth nothing to the other player."""
    *_, values = solved(opponent, np.full((1, 6), 1e6), "cfr+", True)
    assert np.abs(values[1 - opponent]).max() < 0.01 * np.abs(values[opponent]).max()


@pytest.mark.parametrize("opponent", [0, 1])
def test_re_solving_gives_no_hand_more_than_before(opponent: int) -> None:
    *_, before = solved(opponent, None, "cfr+", True)
    *_, after = solved(opponent, before[opponent][None], "cfr+", True)
    assert (after[opponent] < before[opponent] + 0.1).all()


def test_every_hand_plays_with_the_least_probability() -> None:
    """A value that all take leaves the average range of the other player to those who must."""
    game = load_game("leduc")
    job = make_subgames(game, SearchConfig(60, "end"))
    root = job.states.follow([1, 2, 1, 1], [3])[-1:]
    values = []
    for least in (0.0, 0.25, 1.0):
        job.begin(
            root,
            np.ones((1, 2, 6)),
            opponents=np.array([1], np.int32),
            opponent_values=np.full((1, 6), 1e6),
            least_follow=least,
        )
        values.append(job.root_values()[0, 0])
    job.begin(root, np.ones((1, 2, 6)))
    np.testing.assert_allclose(values[2], job.root_values()[0, 0])
    first = 1 / 1830  # DCFR's weight of the first iteration, in which all hands play
    np.testing.assert_allclose(values[1], 0.25 * values[2], atol=0.05)
    assert np.abs(values[0]).max() < 40 * first
    with pytest.raises(ValueError, match="least_follow"):
        job.begin(root, np.ones((1, 2, 6)), least_follow=1.5)


def test_without_a_gadget_re_solving_is_exploitable() -> None:
    game = load_game("leduc")
    config = SearchConfig(100, "end")
    unsafe = exploitability(ResolvingPolicy(game, config, gadget=None))
    assert unsafe > 20 * exploitability(ResolvingPolicy(game, config))


# Values at inner nodes.


def test_values_at_the_root_and_at_leaves() -> None:
    """The root's are `root_values`; a leaf's are the mean of the answers, 0 if never reached."""
    game = load_game("leduc")
    job = make_subgames(game, SearchConfig(9, "round"))
    ranges = np.random.default_rng(1).random((1, 2, 6))
    job.begin(np.zeros(1, np.int32), ranges, keeps_values=True)
    while (questions := job.ask()) is not None:
        job.answer(np.full_like(questions[1], 3))
    values, outline = job.node_values(0), job.outline(0)
    np.testing.assert_allclose(values[0], job.root_values()[0], atol=1e-9)
    possible = job.states.possible(outline[:, 3].clip(0).astype(np.int32))
    for node in np.flatnonzero(outline[:, 2] == _native.LEAF):
        for row in values[node][values[node].any(axis=1)]:
            np.testing.assert_allclose(row, 3 * possible[node], atol=1e-6)
    assert values[outline[:, 2] == _native.LEAF].any(axis=2).mean() > 0.5
    job.begin(np.zeros(1, np.int32), ranges)
    while (questions := job.ask()) is not None:
        job.answer(np.zeros_like(questions[1]))
    with pytest.raises(ValueError, match="no values of inner nodes"):
        job.node_values(0)


def test_ranges_of_the_average_are_those_of_its_strategies() -> None:
    job = make_subgames(load_game("kuhn"), SearchConfig(50, "end"))
    job.begin(np.zeros(1, np.int32), np.ones((1, 2, 3)), keeps_values=True)
    outline, ranges, strategies = job.outline(0), job.average_ranges(0), job.average_strategies(0)
    for node, (first, count, actor, _, offset, _) in enumerate(outline):
        for action in range(count if actor >= 0 else 0):
            if outline[first + action, 3] < 0:
                continue  # the game is over
            begin = offset + 3 * action
            expected = ranges[node, actor] * strategies[begin : begin + 3]
            np.testing.assert_allclose(ranges[first + action, actor], expected / expected.sum())
            np.testing.assert_allclose(ranges[first + action, 1 - actor], ranges[node, 1 - actor])


# The memo.


def test_one_search_for_each_public_state_and_the_memo_changes_nothing() -> None:
    game = load_game("leduc")
    policy = ResolvingPolicy(game, SearchConfig(20, "end"))
    forgetful = ResolvingPolicy(game, SearchConfig(20, "end"), memo_bytes=0)
    asked = _native.ask_everywhere(game, history=True, table=True)
    questions = asked.ask(0, len(asked))
    answers = policy(questions)
    count = policy.num_searches
    assert count == len(asked.offsets) - 1
    np.testing.assert_array_equal(policy(questions), answers)
    assert policy.num_searches == count
    for row in np.random.default_rng(0).choice(len(asked), 20):
        one = questions.part(np.array([row]))
        np.testing.assert_array_equal(forgetful(one), answers[row : row + 1])
        np.testing.assert_array_equal(policy(one), answers[row : row + 1])
    assert policy.num_searches == count


def test_it_answers_at_any_spot() -> None:
    game = load_game("leduc")
    policy = ResolvingPolicy(game, SearchConfig(50, "end"))
    episode = game.episode_of()
    for slot in (1, 2):
        episode.choose(slot)
    (mix,) = mixes(policy, [episode])
    assert mix.shape == (6, 3)
    assert mix[4:, 0].max() < 0.05  # kings do not fold


def test_bad_input_is_one_line() -> None:
    game = load_game("leduc")
    with pytest.raises(InputError, match="need leaf values"):
        policy_table(game, ResolvingPolicy(game, SearchConfig(2, "round")))
    with pytest.raises(InputError, match="two players"):
        ResolvingPolicy(load_game("kuhn", players=3), SearchConfig(2, "end"))


class Kept:
    def __init__(self, num_bytes: int) -> None:
        self.num_bytes = num_bytes


def test_a_memo_drops_the_oldest_and_counts_each_once() -> None:
    memo, large = Memo(100), Kept(40)
    memo.keep({"a": large, "b": Kept(40)})
    memo.keep({"a": large})  # which is the newest again
    assert list(memo) == ["b", "a"] and memo.num_bytes == 80
    memo.keep({"c": Kept(30)})
    assert list(memo) == ["a", "c"] and memo.num_bytes == 70
    memo.keep({"d": Kept(200)})
    assert not memo and memo.num_bytes == 0

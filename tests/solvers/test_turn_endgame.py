# SPDX-License-Identifier: MIT
"""Hold'em from the turn on, searched with ranges of 1,326 hands: equity by hand, ReBeL in small."""

from pathlib import Path

import numpy as np
import pytest

from buffer_copies import copy_buffers
from regretless import _native
from regretless.algorithms import make_algorithm
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.solution import write_policy
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.notation.cards import parse_cards
from regretless.policies.strategy_table import TableEvaluator
from regretless.search.leaf_values import ZeroLeaves
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import SearchConfig, make_subgames, number_roots, solved_leaves

BOARD = "Ks 7d 3h 2c"
DECK = _native.Deck()
FIRST_CARD = 2 + 2 + 2  # among the features: after the actor, who has acted, and the street


def small_game() -> Game:
    """One bet on each street, all-in: a line to the river, 48 rivers, two bets there."""
    return load_game("turn-endgame", stacks=300, menu="a")


@pytest.fixture(scope="module")
def job() -> _native.Subgames:
    config = SearchConfig(iterations=2, board=BOARD)
    job = make_subgames(small_game(), config, keeps_average=False)
    job.outline(0)
    return job


def public_cards(job: _native.Subgames, state: int) -> list[int]:
    shown = job.states.features()[state, FIRST_CARD : FIRST_CARD + 2 * 52]
    return [int(place) % 52 for place in np.flatnonzero(shown)]


@pytest.mark.parametrize(
    ("board", "rivers"), [("Ks 7d 3h 2c", 48), ("Ks 7s 3s 2s", 22), ("Ks 7s 3h 3d", 36)]
)
def test_rivers_that_renamed_suits_make_equal_are_one(board: str, rivers: int) -> None:
    """Values at a state and at its twin, with the hands renamed, are the same."""
    job = make_subgames(small_game(), SearchConfig(iterations=2, board=board), keeps_average=False)
    _, *roots = number_roots(job)
    twins, names = job.states.twins(), job.states.twin_hands()
    lines = len(np.unique(job.states.features()[roots, FIRST_CARD + 2 * 52 :], axis=0))
    assert len(np.unique(twins[roots])) == rivers * lines
    others = [root for root in roots if twins[root] != root]
    states = np.random.default_rng(2).permutation(others)[:6].astype(np.int32)
    if not len(states):
        return
    ranges = np.random.default_rng(1).random((len(states), 2, 1326), np.float32)
    ranges *= job.states.possible()[states][:, None]
    renamed = np.empty_like(ranges)
    places = np.broadcast_to(names[states][:, None], ranges.shape)
    np.put_along_axis(renamed, places, ranges, axis=2)
    job.begin(states, ranges.astype(np.float64))
    here = job.root_values()
    job.begin(twins[states], renamed.astype(np.float64))
    there = job.root_values()
    back = np.take_along_axis(there, places, axis=2)
    np.testing.assert_allclose(back, here, rtol=1e-4, atol=1e-4 * np.abs(here).max())


def test_better_leaves_are_exploited_less() -> None:
    game = small_game()
    config = SearchConfig(iterations=8, board=BOARD)
    solved = solved_leaves(game, SearchConfig(iterations=16, board=BOARD))
    players = [
        SearchProfileTable(game, config, leaves) for leaves in (lambda _: ZeroLeaves(), solved)
    ]
    zero, exact = (player.exploitability() for player in players)
    assert zero > 1.5 * exact > 0
    assert players[0].num_infosets() == 4 * 1128 + 48 * 4 * 1081


def test_what_a_search_plays_is_written_measured_and_played(tmp_path: Path) -> None:
    """From the board that it was made for, though the game alone begins before it."""
    player = SearchProfileTable(
        small_game(), SearchConfig(iterations=4, board=BOARD), lambda _: ZeroLeaves()
    )
    policy = player.policy("search")
    facts = BundleFacts(AlgorithmFacts(name="search"))
    bundle = write_policy(tmp_path / "b", player.game, policy, facts)
    assert isinstance(bundle.game, _native.Poker)
    assert bundle.game.board == list(parse_cards(BOARD, DECK))
    exact = TableEvaluator(bundle.game).evaluate(bundle.table())
    assert exact.exploitability == pytest.approx(player.exploitability(), abs=1e-4)
    assert exact.values == pytest.approx(player.values(), abs=1e-4)
    job = _native.SelfPlay(bundle.game, 200, seed=2)
    while (questions := job.ask()) is not None:
        assert bundle.table().find(questions.infosets)[0].all()
        job.answer(bundle.policy()(questions))


def test_threads_share_the_outline_of_the_whole_game() -> None:
    """Large enough that two threads which made it at once would meet."""
    search, game = (
        SearchConfig(iterations=2, board=BOARD),
        load_game("turn-endgame", stacks=1100, menu="75%,a"),
    )
    players = [
        SearchProfileTable(game, search, lambda _: ZeroLeaves(), threads=n) for n in (1, 2, 2)
    ]
    first, *others = (player.exploitability() for player in players)
    assert others == pytest.approx([first, first], abs=1e-9)


def test_rebel_runs_with_1326_hands() -> None:
    pytest.importorskip("torch")
    from regretless.algorithms.rebel import ReBeL

    options = {
        "board": BOARD,
        "iterations": 4,
        "games": 8,
        "examples": 8,
        "width": 16,
        "replay": 64,
        "batch": 8,
        "minibatches": 2,
        "validation": 0,
        "play_iterations": 2,
    }
    algorithm = make_algorithm("rebel", small_game(), **options)
    assert isinstance(algorithm, ReBeL)
    metrics = algorithm.step(2)
    assert metrics["buffer/added"] >= 16 and np.isfinite(metrics["loss"])
    rows = algorithm.replay.sample(0, 0, 256)
    possible = rows["possible"].astype(bool)[:, None]
    assert not rows["ranges"][~np.broadcast_to(possible, rows["ranges"].shape)].any()
    won = (rows["values"] * rows["ranges"]).sum((1, 2))
    assert np.abs(won).max() < 0.2  # of the pot; the averages of both players, hence not to the bit
    assert 0 < algorithm.exploitability() < 2
    other = make_algorithm("rebel", small_game(), **options)
    other.restore(algorithm.state())
    copy_buffers(algorithm, other)
    assert other.step() == algorithm.step()


@pytest.mark.parametrize("board", [BOARD, parse_cards(BOARD, DECK)])
def test_boards_are_text_or_numbers(board: str | tuple[int, ...]) -> None:
    job = make_subgames(small_game(), SearchConfig(iterations=1, board=board))
    assert public_cards(job, 0) == sorted(parse_cards(BOARD, DECK))


@pytest.mark.parametrize(
    ("game", "board", "message"),
    [
        ("turn-endgame", "Ks 7d 3h", "3 cards, but 4 are due"),
        ("turn-endgame", "Ks 7d 3h 2x", "unknown card"),
        ("liars-dice-1x3f", "Ks", "has none"),
    ],
)
def test_bad_boards_are_one_clear_line(game: str, board: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_subgames(load_game(game), SearchConfig(iterations=1, board=board))


# Memory.


def test_too_large_a_tree_is_refused_before_it_is_built() -> None:
    game = load_game("turn-endgame")  # 200 big blinds and the full menu
    with pytest.raises(InputError, match="more than the 64 MiB allowed: fewer bet sizes"):
        number_roots(make_subgames(game, SearchConfig(board=BOARD, max_bytes=1 << 26)))
    with pytest.raises(InputError, match=r"no table of what a search plays: .* MiB allowed"):
        SearchProfileTable(game, SearchConfig(board=BOARD), lambda _: ZeroLeaves())


def test_too_many_subgames_at_once_are_refused() -> None:
    config = SearchConfig(iterations=1, board=BOARD, max_bytes=1 << 25)
    job = make_subgames(small_game(), config, keeps_average=False)
    none, count = np.zeros(0, np.int32), 800
    states = np.full(count, number_roots(job)[1], np.int32)
    with pytest.raises(ValueError, match="fewer subgames at once"):
        job.begin(states, np.ones((count, 2, 1326)), none, none, np.zeros(0, np.uint64))
    job.begin(states[:8], np.ones((8, 2, 1326)), none, none, np.zeros(0, np.uint64))
    assert job.ask() is None and job.root_values().shape == (8, 2, 1326)

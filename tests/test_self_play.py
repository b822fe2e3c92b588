# SPDX-License-Identifier: MIT
"""Bulk self-play: the same on any tables and threads, exact in replay, firm with bad answers."""

import gc

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game

GAMES = {
    "leduc": lambda: load_game("leduc"),
    "nlhe": lambda: load_game("nlhe", players=6, stacks=[300, 2_000, 5_000, 120, 900, 10_000]),
    "liars-dice": lambda: load_game("liars-dice-1x6f"),
}
EPISODE_TYPES = {_native.Poker: _native.PokerEpisode, _native.LiarsDice: _native.LiarsDiceEpisode}


def answer(questions, num_actions):
    """A fixed policy far from uniform: every infoset scattered into weights [batch, actions]."""
    keys = questions.infosets[:, None] + np.arange(num_actions, dtype=np.uint64) * np.uint64(
        0x9E3779B97F4A7C15
    )
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((keys >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)) ** 4 + 1e-6


def play(game, episodes, seen=None, **options):
    """The finished job; `seen` collects (episode, infoset, features) of every question."""
    job = _native.SelfPlay(game, episodes, **options)
    while (questions := job.ask()) is not None:
        if seen is not None:
            rows = zip(
                questions.episodes.tolist(),
                questions.infosets.tolist(),
                questions.features.copy(),
                questions.legal.tolist(),
                strict=True,
            )
            for episode, *rest in rows:
                seen.setdefault(episode, []).append(rest)
        job.answer(answer(questions, job.num_actions))
    return job


def fingerprint(job):
    return {name: (array.dtype, array.shape, array.tobytes()) for name, array in job.log().items()}


@pytest.mark.parametrize("name", GAMES)
def test_tables_and_threads_change_nothing(name):
    game = GAMES[name]()
    first = fingerprint(play(game, 5_000, tables=64, threads=1, seed=3))
    for tables, threads in [(64, 2), (4_096, 1), (4_096, 2), (1_000, 3)]:
        assert fingerprint(play(game, 5_000, tables=tables, threads=threads, seed=3)) == first
    assert fingerprint(play(game, 5_000, seed=4)) != first
    assert fingerprint(play(game, 5_000, seed=3, features=False)) == first


@pytest.mark.parametrize("name", GAMES)
def test_every_episode_is_counted_and_zero_sum(name):
    game = GAMES[name]()
    job = play(game, 3_000, tables=128, threads=2)
    log = job.log()
    assert job.num_finished == 3_000
    assert job.num_decisions == len(log["slots"]) == log["offsets"][-1]
    assert log["payoffs"].shape == log["hands"].shape == (3_000, game.num_players)
    assert np.all(log["payoffs"].sum(axis=1) == 0)
    assert np.any(log["payoffs"] != 0)
    assert np.all(np.diff(log["offsets"]) >= 0)
    assert log["actors"].max() < game.num_players
    assert log["slots"].max() < game.num_actions


@pytest.mark.parametrize("name", GAMES)
def test_episodes_replay_with_the_same_infosets_features_and_payoffs(name):
    game, seen, first = GAMES[name](), {}, 1_000_000
    log = play(game, 400, seen, tables=32, threads=2, seed=9, first_episode=first).log()
    for index in range(400):
        episode = EPISODE_TYPES[type(game)](game, 9, first + index)
        steps = range(log["offsets"][index], log["offsets"][index + 1])
        questions = seen.pop(first + index, [])
        assert len(questions) == len(steps)
        for step, (infoset, features, legal) in zip(steps, questions, strict=True):
            assert episode.actor == log["actors"][step]
            assert episode.infoset == infoset
            assert episode.legal == legal
            np.testing.assert_array_equal(np.array(episode.features, np.float32), features)
            episode.choose(int(log["slots"][step]))
        assert episode.payoffs == log["payoffs"][index].tolist()
        hands = [episode.hand(seat) for seat in range(game.num_players)]
        assert hands == log["hands"][index].tolist()
    assert not seen


def test_a_part_is_a_part_of_the_whole():
    game = GAMES["leduc"]()
    whole = play(game, 1_000).log()
    part = play(game, 400, first_episode=300, tables=7).log()
    np.testing.assert_array_equal(part["payoffs"], whole["payoffs"][300:700])
    start, end = whole["offsets"][300], whole["offsets"][700]
    np.testing.assert_array_equal(part["slots"], whole["slots"][start:end])


def spoil(value):
    """Changes the weight of the call in the last row, which is always legal in poker."""

    def change(weights):
        weights[-1, 1] = value
        return weights

    return change


BAD_ANSWERS = {
    "nan": spoil(np.nan),
    "infinite": spoil(np.inf),
    "negative": spoil(-0.5),
    "minus infinite": spoil(-np.inf),
    "no legal mass": np.zeros_like,
    "too few rows": lambda weights: weights[:-1],
    "too many rows": lambda weights: np.concatenate([weights, weights]),
    "too few columns": lambda weights: np.ascontiguousarray(weights[:, :-1]),
    "too many columns": lambda weights: np.concatenate([weights, weights], axis=1),
    "one dimension": np.ravel,
    "no rows": lambda weights: weights[:0],
    "nothing": lambda weights: None,
    "text": lambda weights: "uniform",
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_bad_answer_raises_and_changes_nothing(name, threads):
    game = GAMES["leduc"]()
    good = fingerprint(play(game, 300, seed=5))
    job = _native.SelfPlay(game, 300, tables=50, threads=threads, seed=5)
    while (questions := job.ask()) is not None:
        weights = answer(questions, job.num_actions)
        decisions, finished = job.num_decisions, job.num_finished
        infosets = questions.infosets.copy()
        with pytest.raises((ValueError, TypeError)):
            job.answer(BAD_ANSWERS[name](weights.copy()))
        assert (job.num_decisions, job.num_finished) == (decisions, finished)
        np.testing.assert_array_equal(job.ask().infosets, infosets)
        job.answer(weights)
    assert fingerprint(job) == good


def test_the_row_of_a_bad_answer_is_named():
    job = _native.SelfPlay(GAMES["leduc"](), 100, threads=2)
    weights = np.ones((100, 3), np.float32)
    weights[40, 1] = weights[77, 1] = np.nan
    with pytest.raises(ValueError, match="row 40"):
        job.answer(weights)


def test_weight_on_illegal_slots_is_ignored():
    game = GAMES["leduc"]()
    good = fingerprint(play(game, 300))
    job = _native.SelfPlay(game, 300)
    while (questions := job.ask()) is not None:
        weights = answer(questions, job.num_actions)
        weights[~questions.legal] = np.nan
        job.answer(weights)
    assert fingerprint(job) == good


def test_slots_may_be_chosen_and_illegal_ones_are_refused():
    game = GAMES["leduc"]()
    job = _native.SelfPlay(game, 200, threads=2)
    while (questions := job.ask()) is not None:
        for bad in (-1, 3, 2**31 - 1):
            with pytest.raises(ValueError, match="row 0: the slot is not legal"):
                job.answer_slots(np.full(len(questions), bad, np.int32))
        with pytest.raises(ValueError, match="expected shape"):
            job.answer_slots(np.ones(len(questions) + 1, np.int32))
        job.answer_slots(np.ones(len(questions), np.int32))
    log = job.log()
    assert set(log["slots"].tolist()) == {1}
    assert np.abs(log["payoffs"]).max() == 1  # the antes


def test_the_log_comes_at_the_end_only():
    job = _native.SelfPlay(GAMES["leduc"](), 10)
    with pytest.raises(RuntimeError, match="still being played"):
        job.log()
    job = play(GAMES["leduc"](), 10, record=False)
    with pytest.raises(RuntimeError, match="not to record"):
        job.log()
    assert job.ask() is None
    with pytest.raises((RuntimeError, ValueError)):
        job.answer(np.ones((1, 3), np.float32))


@pytest.mark.parametrize(
    "options",
    [
        {"episodes": -1},
        {"tables": 0},
        {"tables": 2**23},
        {"threads": 0},
        {"threads": 2_000},
        {"first_episode": -1},
        {"first_episode": 2**63 - 1},
        {"seed": -1},
        {"seed": 2**64},
        {"episodes": None},
        {"game": None},
    ],
)
def test_bad_options_raise(options):
    with pytest.raises((ValueError, TypeError)):
        _native.SelfPlay(**({"game": GAMES["leduc"](), "episodes": 10} | options))


def test_no_episodes_is_a_finished_job():
    job = _native.SelfPlay(GAMES["nlhe"](), 0)
    assert job.ask() is None
    assert job.num_finished == 0
    assert job.log()["payoffs"].shape == (0, 6)


def test_views_outlive_the_job_and_logs_the_game():
    views = []
    for _ in range(20):
        job = _native.SelfPlay(GAMES["nlhe"](), 200, tables=100, threads=2)
        questions = job.ask()
        names = ("features", "legal", "actors", "hands", "episodes", "infosets")
        arrays = [getattr(questions, name) for name in names]
        views.append((arrays, [array.copy() for array in arrays]))
        del job, questions
    gc.collect()
    for arrays, copies in views:
        for array, copy in zip(arrays, copies, strict=True):
            np.testing.assert_array_equal(array, copy)
            assert not array.flags.writeable
    log = play(GAMES["leduc"](), 500).log()
    gc.collect()
    assert log["payoffs"].sum() == 0


def test_views_of_an_answered_question_can_still_be_read():
    job = _native.SelfPlay(GAMES["leduc"](), 1_000, tables=500)
    old = []
    while (questions := job.ask()) is not None:
        old.append((questions, questions.features, questions.legal))
        job.answer(answer(questions, job.num_actions))
    for questions, features, legal in old:
        assert np.isfinite(features).all()
        assert legal.shape[1] == 3
        assert len(questions) <= 500

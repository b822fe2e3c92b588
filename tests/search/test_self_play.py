# SPDX-License-Identifier: MIT
"""Bulk self-play: the same on any tables and threads, exact in replay, firm with bad answers."""

import gc
from itertools import pairwise

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game
from regretless.games.encoders import load_encoder

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
    """The finished job; `seen` collects (episode, infoset, row) of every question."""
    job = _native.SelfPlay(game, episodes, encoders=["slots12"], **options)
    while (questions := job.ask()) is not None:
        if seen is not None:
            rows = zip(
                questions.episodes.tolist(),
                questions.infosets.tolist(),
                questions.rows("slots12").copy(),
                questions.legal.tolist(),
                strict=True,
            )
            for episode, *rest in rows:
                seen.setdefault(episode, []).append(rest)
        job.answer(answer(questions, job.num_actions))
    return job


COLUMNS = (
    *("payoffs", "hands", "boards", "offsets", "episodes", "actors", "slots", "streets", "legal"),
    *("infosets", "next"),
)


def fingerprint(job):
    """All columns of the steps, and rows and answers if they were recorded."""
    steps = job.take_steps()
    arrays = [getattr(steps, name) for name in COLUMNS]
    return [(array.dtype, array.shape, array.tobytes()) for array in arrays]


@pytest.mark.parametrize("name", GAMES)
def test_tables_and_threads_change_nothing(name):
    game = GAMES[name]()
    first = fingerprint(play(game, 5_000, tables=64, threads=1, seed=3))
    for tables, threads in [(64, 2), (4_096, 1), (4_096, 2), (1_000, 3)]:
        assert fingerprint(play(game, 5_000, tables=tables, threads=threads, seed=3)) == first
    assert fingerprint(play(game, 5_000, seed=4)) != first
    assert fingerprint(play(game, 5_000, seed=3, chips=True)) == first


@pytest.mark.parametrize("name", GAMES)
def test_every_episode_is_counted_and_zero_sum(name):
    game = GAMES[name]()
    job = play(game, 3_000, tables=128, threads=2)
    log = job.take_steps()
    assert job.num_finished == 3_000
    assert job.num_decisions == len(log.slots) == log.offsets[-1]
    assert log.payoffs.shape == log.hands.shape == (3_000, game.num_players)
    assert np.all(log.payoffs.sum(axis=1) == 0)
    assert np.any(log.payoffs != 0)
    assert np.all(np.diff(log.offsets) >= 0)
    assert log.actors.max() < game.num_players
    assert log.slots.max() < game.num_actions


@pytest.mark.parametrize("name", GAMES)
def test_episodes_replay_with_the_same_infosets_rows_and_payoffs(name):
    game, seen, first = GAMES[name](), {}, 1_000_000
    encoder = load_encoder("slots12", game)
    log = play(game, 400, seen, tables=32, threads=2, seed=9, first_episode=first).take_steps()
    for index in range(400):
        episode = EPISODE_TYPES[type(game)](game, 9, first + index)
        steps = range(log.offsets[index], log.offsets[index + 1])
        questions = seen.pop(first + index, [])
        assert len(questions) == len(steps)
        for step, (infoset, row, legal) in zip(steps, questions, strict=True):
            assert episode.actor == log.actors[step]
            assert episode.infoset == infoset
            assert episode.legal == legal
            np.testing.assert_array_equal(encoder.row(episode), row)
            episode.choose(int(log.slots[step]))
        assert episode.payoffs == log.payoffs[index].tolist()
        hands = [episode.hand(seat) for seat in range(game.num_players)]
        assert hands == log.hands[index].tolist()
    assert not seen


def test_a_part_is_a_part_of_the_whole():
    game = GAMES["leduc"]()
    whole = play(game, 1_000).take_steps()
    part = play(game, 400, first_episode=300, tables=7).take_steps()
    np.testing.assert_array_equal(part.payoffs, whole.payoffs[300:700])
    start, end = whole.offsets[300], whole.offsets[700]
    np.testing.assert_array_equal(part.slots, whole.slots[start:end])


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
    log = job.take_steps()
    assert set(log.slots.tolist()) == {1}
    assert np.abs(log.payoffs).max() == 1  # the antes


def test_steps_that_were_not_recorded_cannot_be_taken():
    job = play(GAMES["leduc"](), 10, record=False)
    with pytest.raises(RuntimeError, match="not to record"):
        job.take_steps()
    steps = play(GAMES["leduc"](), 10).take_steps()
    with pytest.raises(RuntimeError, match="record_answers=True"):
        _ = steps.answers
    with pytest.raises(ValueError, match="record_rows=True"):
        steps.rows("slots12")
    assert job.ask() is None
    with pytest.raises((RuntimeError, ValueError)):
        job.answer(np.ones((1, 3), np.float32))


def joined(pieces, name):
    return np.concatenate([getattr(piece, name) for piece in pieces])


@pytest.mark.parametrize("name", GAMES)
def test_steps_without_an_end_are_the_same_whatever_the_tables_and_threads(name):
    """And the same as those of a job that ends; each batch holds whole episodes in their order."""
    game, first = GAMES[name](), 77
    options = {"seed": 5, "first_episode": first, "record_rows": True, "record_answers": True}
    whole = play(game, 500, **options).take_steps()
    for tables, threads, every in [(1, 1, 9), (64, 2, 1), (300, 3, 4)]:
        job = _native.SelfPlay(
            game, tables=tables, threads=threads, encoders=["slots12"], **options
        )
        pieces, rounds = [], 0
        while sum(piece.num_episodes for piece in pieces) < 500:
            job.answer(answer(job.ask(), job.num_actions))
            rounds += 1
            if rounds % every == 0:
                pieces.append(job.take_steps())
        episodes = first
        for piece in pieces:
            assert piece.first_episode == episodes
            episodes += piece.num_episodes
            assert len(piece) == len(piece.slots) == piece.offsets[-1]
            lengths = np.diff(piece.offsets)
            numbers = np.repeat(np.arange(piece.first_episode, episodes), lengths)
            np.testing.assert_array_equal(piece.episodes, numbers)
        for column in ("episodes", "actors", "slots", "streets", "legal", "infosets", "answers"):
            found = joined(pieces, column)[: len(whole)]
            np.testing.assert_array_equal(found, getattr(whole, column))
        for column in ("payoffs", "hands", "boards"):
            np.testing.assert_array_equal(joined(pieces, column)[:500], getattr(whole, column))
        rows = np.concatenate([piece.rows("slots12") for piece in pieces])[: len(whole)]
        np.testing.assert_array_equal(rows, whole.rows("slots12"))


@pytest.mark.parametrize("name", GAMES)
def test_the_next_step_is_the_same_seats_next(name):
    game = GAMES[name]()
    steps = play(game, 300).take_steps()
    for number, (begin, end) in enumerate(pairwise(steps.offsets.tolist())):
        for seat in range(game.num_players):
            mine = [i for i in range(begin, end) if steps.actors[i] == seat]
            assert steps.next[mine].tolist() == [*mine[1:], -1][: len(mine)]
        assert (steps.episodes[begin:end] == number).all()
    assert steps.legal[np.arange(len(steps)), steps.slots].all()


def test_recorded_answers_and_rows_are_what_was_asked_and_answered():
    game, asked = GAMES["leduc"](), {}
    job = _native.SelfPlay(
        game, 200, encoders=["canonical24", "slots12"], record_rows=True, record_answers=True
    )
    while (questions := job.ask()) is not None:
        weights = answer(questions, job.num_actions)
        for row, key in enumerate(zip(questions.episodes, questions.infosets, strict=True)):
            rows = [questions.rows(name)[row].tobytes() for name in ("slots12", "canonical24")]
            asked[key] = (np.where(questions.legal[row], weights[row], 0).tolist(), rows)
        job.answer(weights)
    steps = job.take_steps()
    assert len(steps) == len(asked)
    for step, key in enumerate(zip(steps.episodes, steps.infosets, strict=True)):
        answers, rows = asked[key]
        assert steps.answers[step].tolist() == answers
        found = [steps.rows(name)[step].tobytes() for name in ("slots12", "canonical24")]
        assert found == rows
    assert len(job.take_steps()) == 0


def test_chosen_slots_are_recorded_as_sure():
    job = _native.SelfPlay(GAMES["leduc"](), 20, record_answers=True)
    while (questions := job.ask()) is not None:
        job.answer_slots(np.ones(len(questions), np.int32))
    assert set(map(tuple, job.take_steps().answers.tolist())) == {(0.0, 1.0, 0.0)}


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
        {"encoders": ["slots13"]},
        {"record": False, "record_rows": True},
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
    assert job.take_steps().payoffs.shape == (0, 6)


def test_views_outlive_the_job_and_logs_the_game():
    views = []
    for _ in range(20):
        job = _native.SelfPlay(GAMES["nlhe"](), 200, tables=100, threads=2)
        questions = job.ask()
        names = ("legal", "actors", "hands", "episodes", "infosets")
        arrays = [getattr(questions, name) for name in names]
        views.append((arrays, [array.copy() for array in arrays]))
        del job, questions
    gc.collect()
    for arrays, copies in views:
        for array, copy in zip(arrays, copies, strict=True):
            np.testing.assert_array_equal(array, copy)
            assert not array.flags.writeable
    log = play(GAMES["leduc"](), 500).take_steps()
    gc.collect()
    assert log.payoffs.sum() == 0

# SPDX-License-Identifier: MIT
"""Arrays of a job are read-only and stay valid for as long as they are kept."""

import gc

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game

NO_STOPS = (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint64))


def make_subgames(**options):
    return _native.Subgames(
        _native.PublicStates(load_game("leduc")),
        _native.Discounts("cfr"),
        **{"iterations": 3, "max_decisions": 1} | options,
    )


def begin(job, count):
    job.begin(np.zeros(count, np.int32), np.ones((count, 2, job.states.num_hands)), *NO_STOPS)


def columns(questions):
    """All arrays of what a job asks."""
    if isinstance(questions, tuple):
        return list(questions)
    q = questions
    told = [q.rows("slots12"), q.legal, q.actors, q.hands, q.episodes, q.infosets]
    return [*told, q.pots, q.to_calls, q.stacks, q.streets, q.hand_strengths]


def subgames():
    job = make_subgames()
    for count in (2, 20_000, 1, 300):
        begin(job, count)
        while (questions := job.ask()) is not None:
            yield questions
            job.answer(np.ones_like(questions[1]))


def warm_starts():
    job = make_subgames(warm_start=2, max_decisions=3)
    for count in (2, 3_000, 1):
        begin(job, count)
        while (questions := job.ask_strategies()) is not None:
            yield questions
            shape = (len(questions[0]), job.states.num_slots, job.states.num_hands)
            job.answer_strategies(np.ones(shape, np.float32))


def profiles():
    whole = make_subgames(max_decisions=0)
    discounts = _native.Discounts("cfr")
    job = _native.SearchProfile(make_subgames(), whole, discounts, playthroughs=9, batch=50)
    while (questions := job.ask()) is not None:
        yield questions
        job.answer(np.ones_like(questions[1]))


def lbr_plays():
    game = load_game("nlhe", stacks=[2_000, 2_000], menu="100%,a")
    job = _native.LbrPlay(game, 8, tables=4, rollouts=5, chips=True, encoders=["slots12"])
    while (questions := job.ask()) is not None:
        yield questions
        job.answer(np.ones((len(questions), job.num_actions), np.float32))


def self_plays():
    job = _native.SelfPlay(load_game("leduc"), 400, tables=200, chips=True, encoders=["slots12"])
    while (questions := job.ask()) is not None:
        yield questions
        job.answer(np.ones((len(questions), job.num_actions), np.float32))


JOBS = (subgames, warm_starts, profiles, lbr_plays, self_plays)


@pytest.mark.parametrize("ask", JOBS)
def test_views_stay_as_they_were_when_the_job_goes_on_and_is_gone(ask):
    kept = [columns(questions) for questions in ask()]
    copies = [[np.array(view) for view in views] for views in (columns(q) for q in ask())]
    gc.collect()
    assert len(kept) == len(copies) > 2
    for views, copied in zip(kept, copies, strict=True):
        for view, copy in zip(views, copied, strict=True):
            np.testing.assert_array_equal(view, copy)


@pytest.mark.parametrize("ask", JOBS)
def test_views_cannot_be_written(ask):
    for view in columns(next(iter(ask()))):
        assert not view.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            view[:] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            view.flags.writeable = True


def test_memory_is_used_again_where_nobody_keeps_it():
    job = make_subgames(iterations=10)
    begin(job, 100)
    addresses = set()
    while (questions := job.ask()) is not None:
        addresses.add(questions[1].ctypes.data)
        values = np.zeros_like(questions[1])
        questions = None
        job.answer(values)
    assert len(addresses) == 1


def test_two_pieces_of_memory_take_turns_in_a_loop_that_keeps_the_last_question():
    job = make_subgames(iterations=10)
    begin(job, 100)
    addresses = set()
    while (questions := job.ask()) is not None:
        addresses.add(questions[1].ctypes.data)
        job.answer(np.zeros_like(questions[1]))
    assert len(addresses) == 2

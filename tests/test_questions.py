# SPDX-License-Identifier: MIT
"""Columns of questions that come on request, and how long questions stay good."""

from collections import defaultdict

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game
from regretless.policy import UniformPolicy

GAMES = {
    "leduc": lambda: load_game("leduc"),
    "nlhe": lambda: load_game("nlhe", players=3, stacks=2_000),
    "liars-dice": lambda: load_game("liars-dice-1x4f"),
}


def steps_of(questions: _native.Questions, row: int) -> list[tuple[int, int, int]]:
    part = slice(*questions.step_offsets[row : row + 2].tolist())
    columns = (questions.step_actors, questions.step_slots, questions.step_streets)
    return list(zip(*(column[part].tolist() for column in columns), strict=True))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 3])
def test_histories_are_the_steps_that_were_chosen(name: str, threads: int) -> None:
    job = _native.SelfPlay(GAMES[name](), 200, tables=64, threads=threads, history=True)
    told: dict[int, list[tuple[int, int, int]]] = {}
    while (questions := job.ask()) is not None:
        for row, episode in enumerate(questions.episodes.tolist()):
            told[episode] = steps_of(questions, row)
        job.answer(UniformPolicy()(questions))
    log = job.take_steps()
    for episode, steps in told.items():
        part = slice(*log.offsets[episode : episode + 2])
        whole = zip(
            *(getattr(log, name)[part].tolist() for name in ("actors", "slots", "streets")),
            strict=True,
        )
        assert steps == list(whole)[:-1]  # all but the answer to the last question


def test_histories_of_a_lbr_play_lead_to_its_infosets() -> None:
    game = load_game("leduc")
    job = _native.LbrPlay(game, 40, history=True, seed=2)
    checked = 0
    while (questions := job.ask()) is not None:
        for row, (number, hand) in enumerate(zip(questions.episodes, questions.hands, strict=True)):
            deal = _native.PokerEpisode(game, seed=2, index=int(number) // 2)
            hole = [[], []]
            hole[questions.actors[row]] = [int(hand)]
            episode = _native.PokerEpisode(game, hole=hole)
            for actor, slot, _ in steps_of(questions, row):
                if episode.actor < 0:
                    episode.deal_board(replayed_board(deal, episode))
                assert episode.actor == actor
                episode.choose(slot)
            if episode.actor < 0:
                episode.deal_board(replayed_board(deal, episode))
            assert episode.infoset == questions.infosets[row]
            checked += 1
        job.answer(UniformPolicy()(questions))
    assert checked > 500


def replayed_board(deal: _native.PokerEpisode, episode: _native.PokerEpisode) -> list[int]:
    """The board card of a deal, told by playing a copy of it by checks."""
    copy = deal.copy()
    while not copy.board:
        copy.choose(1)
    return copy.board


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_belongs_to_a_seat_in_an_episode(name: str) -> None:
    def seeds(**options: int) -> dict[tuple[int, int], set[int]]:
        job = _native.SelfPlay(GAMES[name](), 300, seeds=True, **options)
        found = defaultdict(set)
        while (questions := job.ask()) is not None:
            rows = zip(questions.episodes.tolist(), questions.actors.tolist(), strict=True)
            for place, seed in zip(rows, questions.seeds.tolist(), strict=True):
                found[place].add(seed)
            job.answer(UniformPolicy()(questions))
        return found

    found = seeds(tables=64)
    numbers = [number for numbers in found.values() for number in numbers]
    assert len(numbers) == len(found) == len(set(numbers))
    assert seeds(tables=7, threads=2) == found
    assert seeds(seed=1) != found
    later = seeds(first_episode=100)
    shared = found.keys() & later.keys()
    assert len(shared) > 100 and all(found[place] == later[place] for place in shared)


@pytest.mark.parametrize("make", [_native.SelfPlay, _native.LbrPlay])
def test_questions_stay_as_they_were(make: type) -> None:
    """Whoever keeps the questions of a job may read them after any number of answers."""
    columns = ("legal", "hands", "episodes", "infosets", "pots", "seeds", "step_offsets")
    columns = (*columns, "step_slots")
    job = make(load_game("leduc"), 200, tables=20, chips=True, history=True, seeds=True)
    kept = []
    while (questions := job.ask()) is not None:
        assert job.ask() is questions
        views = [getattr(questions, name) for name in columns]
        assert not any(view.size and view.flags.writeable for view in views)
        kept.append((views, [view.copy() for view in views]))
        job.answer(UniformPolicy()(questions))
    del job, questions
    for views, copies in kept:
        for view, copy in zip(views, copies, strict=True):
            np.testing.assert_array_equal(view, copy)


def test_a_part_has_the_same_columns() -> None:
    job = _native.SelfPlay(load_game("leduc"), 50, chips=True, history=True, seeds=True)
    for _ in range(3):
        job.answer(UniformPolicy()(job.ask()))
    questions = job.ask()
    rows = np.array([4, 0, 4, 2])
    part = questions.part(rows)
    for name in ("legal", "actors", "hands", "episodes", "infosets", "pots", "seeds"):
        np.testing.assert_array_equal(getattr(part, name), getattr(questions, name)[rows])
    assert [steps_of(part, i) for i in range(4)] == [steps_of(questions, row) for row in rows]
    empty = questions.part(rows[:0])
    assert empty.legal.shape == (0, 3) and empty.pots.size == empty.seeds.size == 0
    assert empty.step_offsets.tolist() == [0]

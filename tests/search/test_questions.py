# SPDX-License-Identifier: MIT
"""Columns of questions that come on request, and how long questions stay good."""

import itertools
from collections import defaultdict

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.policies.policy import UniformPolicy

GAMES = {
    "leduc": lambda: load_game("leduc"),
    "nlhe": lambda: load_game("nlhe", players=3, stacks=2_000),
    "liars-dice": lambda: load_game("liars-dice-1x4f"),
    "flop": lambda: make_spot("Td9d6h", 10, 60, "TT+,AKs", "99+,AQ", "50%,100%").game,
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


def pasts_of(questions: _native.Questions) -> list[list[tuple]]:
    """Returns the actor's own earlier decisions in each row: observations and actions."""
    past = questions.past
    columns = (past.infosets, past.actors, past.hands, past.episodes, past.pots, past.seeds)
    told = list(
        zip(
            *(column.tolist() for column in columns),
            map(tuple, past.legal.tolist()),
            map(bytes, past.rows("slots12")),
            map(bytes, past.rows("canonical24")),
            questions.past_slots.tolist(),
            strict=True,
        )
    )
    ends = questions.past_offsets.tolist()
    return [told[begin:end] for begin, end in itertools.pairwise(ends)]


def rows_of(questions: _native.Questions, slots: list[int]) -> list[tuple]:
    """Returns the decisions in the questions themselves."""
    columns = (questions.infosets, questions.actors, questions.hands, questions.episodes)
    columns = (*columns, questions.pots, questions.seeds)
    return list(
        zip(
            *(column.tolist() for column in columns),
            map(tuple, questions.legal.tolist()),
            map(bytes, questions.rows("slots12")),
            map(bytes, questions.rows("canonical24")),
            slots,
            strict=True,
        )
    )


PAST = {"encoders": ["slots12", "canonical24"], "chips": True, "seeds": True, "past": True}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_past_is_what_was_asked_before(name: str, threads: int) -> None:
    game, random = GAMES[name](), np.random.default_rng(1)
    job = _native.SelfPlay(game, 150, tables=40, threads=threads, **PAST)
    asked: dict[tuple[int, int], list[tuple]] = defaultdict(list)
    lengths = set()
    while (questions := job.ask()) is not None:
        slots = [int(random.choice(np.flatnonzero(legal))) for legal in questions.legal]
        places = list(zip(questions.episodes.tolist(), questions.actors.tolist(), strict=True))
        for place, past in zip(places, pasts_of(questions), strict=True):
            assert past == asked[place]
            lengths.add(len(past))
        for place, row in zip(places, rows_of(questions, slots), strict=True):
            asked[place].append(row)
        some = np.arange(len(places))[::-2].copy()
        part = questions.part(some)
        assert pasts_of(part) == [pasts_of(questions)[row] for row in some]
        both = _native.Questions.joined([part, questions, questions.part(some[:0])])
        assert pasts_of(both) == pasts_of(part) + pasts_of(questions)
        job.answer_slots(np.array(slots, np.int32))
    assert {0, 1} <= lengths


@pytest.mark.parametrize("name", GAMES)
def test_a_past_of_a_spot_is_that_of_the_same_hand(name: str) -> None:
    """Asked with every hand, each row tells what would have been asked before with that hand."""
    game, random = GAMES[name](), np.random.default_rng(2)
    for index in range(6):
        episode = game.episode(seed=2, index=index)
        spots: list[tuple[int, object, int]] = []
        while not episode.is_terminal:
            slot = int(random.choice(np.flatnonzero(episode.legal)))
            spots.append((episode.actor, episode.copy(), slot))
            episode.choose(slot)
        for at, (actor, spot, _) in enumerate(spots):
            questions = _native.ask_at(game, [spot], **PAST)
            questions = questions.ask(0, len(questions))
            own = [(each, slot) for seat, each, slot in spots[:at] if seat == actor]
            before = [_native.ask_at(game, [each], **PAST) for each, _ in own]
            rows = {
                (depth, row[2]): row
                for depth, (each, (_, slot)) in enumerate(zip(before, own, strict=True))
                for row in rows_of(each.ask(0, len(each)), [slot] * len(each))
            }
            for hand, past in zip(questions.hands.tolist(), pasts_of(questions), strict=True):
                assert past == [rows[depth, hand] for depth in range(len(own))]


def test_a_past_is_told_only_on_request() -> None:
    questions = _native.SelfPlay(load_game("leduc"), 5).ask()
    for name in ("past", "past_offsets", "past_slots"):
        with pytest.raises(RuntimeError, match="past=True"):
            getattr(questions, name)
    told = _native.SelfPlay(load_game("leduc"), 5, past=True).ask()
    assert told.past_offsets.tolist() == [0] * 6 and len(told.past) == len(told.past_slots) == 0
    assert told.past.legal.shape == (0, 3)


@pytest.mark.parametrize("make", [_native.SelfPlay, _native.LbrPlay])
def test_questions_stay_as_they_were(make: type) -> None:
    """Whoever keeps the questions of a job may read them after any number of answers."""
    columns = ("legal", "hands", "episodes", "infosets", "publics", "pots", "seeds")
    columns = (*columns, "step_offsets", "step_slots")
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
    names = ("legal", "actors", "hands", "episodes", "infosets", "publics", "pots", "seeds")
    for name in names:
        np.testing.assert_array_equal(getattr(part, name), getattr(questions, name)[rows])
    assert [steps_of(part, i) for i in range(4)] == [steps_of(questions, row) for row in rows]
    empty = questions.part(rows[:0])
    assert empty.legal.shape == (0, 3) and empty.pots.size == empty.seeds.size == 0
    assert empty.step_offsets.tolist() == [0]


@pytest.mark.parametrize("name", ["leduc", "liars-dice-1x4f"])
def test_rows_of_one_public_state_share_a_key(name: str) -> None:
    """The key depends on the line of play and the public cards alone, and names one actor."""
    game = load_game(name)
    asked = _native.ask_everywhere(game, history=True, table=True)
    questions = asked.ask(0, len(asked))
    seen: dict[int, tuple] = {}
    for row, key in enumerate(questions.publics.tolist()):
        steps = tuple(steps_of(questions, row))
        spot = (int(questions.actors[row]), steps, bytes(questions.boards[row]))
        assert seen.setdefault(key, spot) == spot
    assert len(set(seen.values())) == len(seen) == len(asked.offsets) - 1
    pairs = set(zip(questions.publics.tolist(), questions.hands.tolist(), strict=True))
    assert len(pairs) == len(asked) == len(set(questions.infosets.tolist()))
    joined = _native.Questions.joined([questions, questions])
    np.testing.assert_array_equal(joined.publics, np.tile(questions.publics, 2))


def test_play_and_spots_give_the_same_key() -> None:
    game = load_game("leduc")
    asked = _native.ask_everywhere(game)
    keys = asked.ask(0, len(asked))
    known = dict(zip(keys.infosets.tolist(), keys.publics.tolist(), strict=True))
    job = _native.SelfPlay(game, 100)
    while (questions := job.ask()) is not None:
        publics = [known[key] for key in questions.infosets.tolist()]
        assert publics == questions.publics.tolist()
        job.answer(UniformPolicy()(questions))

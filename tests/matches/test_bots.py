# SPDX-License-Identifier: MIT
"""Every bot in every game: legal, deterministic, and playing by its own sentence."""

import numpy as np
import pytest

from regretless import _native
from regretless.errors import InputError
from regretless.games import game_names, load_game
from regretless.matches.bots import BOTS, load_policy
from regretless.policies.policy import MixedPolicy, Needs, UniformPolicy

EPISODES = 300


def play(game, bot, **options):
    """The steps of the bot against itself; every answer is checked."""
    job = _native.SelfPlay(game, EPISODES, seed=2, **bot.needs.options(), **options)
    while (questions := job.ask()) is not None:
        answers = bot(questions)
        assert answers.shape == questions.legal.shape and answers.dtype == np.float32
        assert (answers >= 0).all() and (answers[~questions.legal] == 0).all()
        assert (answers.sum(axis=1) > 0).all()
        assert (bot(questions) == answers).all()
        job.answer(answers)
    return job.take_steps()


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", [*game_names(), "kuhn 3", "nlhe 6", "liars-dice-2x3f-3p"])
def test_legal_and_deterministic(name, game):
    words = game.split()
    loaded = load_game(words[0], **({"players": int(words[1])} if len(words) > 1 else {}))
    bot = load_policy(name, loaded)
    assert bot.name == name
    first, again = play(loaded, bot, tables=64), play(loaded, bot, tables=7, threads=2)
    for column in ("payoffs", "hands", "boards", "offsets", "actors", "slots", "legal"):
        np.testing.assert_array_equal(getattr(again, column), getattr(first, column))


def test_callers_never_fold_or_raise_and_raisers_raise():
    game = load_game("nlhe")
    assert set(play(game, load_policy("caller", game)).slots.tolist()) == {1}
    log = play(game, load_policy("raiser", game))
    assert log.slots.tolist() == [8, 1] * EPISODES  # all-in and call


def test_bots_look_at_their_cards():
    game = load_game("leduc")
    for name in ("tight-aggressive", "pot-odds"):
        log = play(game, load_policy(name, game))
        first = log.slots[log.offsets[:-1]]
        kings, jacks = log.hands[:, 0] >= 4, log.hands[:, 0] < 2
        assert (first[kings] == 2).all() and (first[jacks] == 1).all()


def test_liars_dice_moves():
    game = load_game("liars-dice-1x6f")
    log = play(game, load_policy("caller", game))
    assert log.slots.tolist() == [0, 12] * EPISODES  # the lowest bid, a lie
    log = play(game, load_policy("raiser", game))
    assert log.slots.tolist() == list(range(13)) * EPISODES


def test_questions_without_chips_say_so():
    game = load_game("nlhe")
    questions = _native.SelfPlay(game, 10).ask()
    with pytest.raises(RuntimeError, match="chips=True"):
        _ = questions.hand_strengths


def test_mixtures_ask_for_what_their_parts_need():
    game = load_game("nlhe")
    bots = [load_policy("pot-odds", game), UniformPolicy()]
    assert MixedPolicy(bots, [1, 1]).needs == Needs(chips=True)
    assert Needs.of(bots[1:]) == Needs()


def test_a_part_of_the_questions():
    questions = _native.SelfPlay(load_game("nlhe"), 50, chips=True, seed=3).ask()
    rows = np.array([7, 3, 3])
    part = questions.part(rows)
    assert len(part) == 3
    names = "legal actors hands episodes infosets pots to_calls stacks streets"
    for name in [*names.split(), "hand_strengths"]:
        np.testing.assert_array_equal(getattr(part, name), getattr(questions, name)[rows])
    assert len(questions.part(rows[:0])) == 0
    with pytest.raises(IndexError):
        questions.part(np.array([50]))


def test_unknown_policies_are_refused():
    with pytest.raises(InputError, match="did you mean 'caller'"):
        load_policy("caler", load_game("kuhn"))

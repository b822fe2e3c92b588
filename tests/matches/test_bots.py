# SPDX-License-Identifier: MIT
"""Every bot in every game: legal, deterministic, and playing by its own sentence."""

import numpy as np
import pytest

import bot_reference
from regretless import _native
from regretless.algorithm import Shard
from regretless.errors import InputError
from regretless.games import game_names, load_game
from regretless.matches.bots import BOTS, load_policy, native_rule
from regretless.matches.match import MatchConfig, match_columns, piece_columns, play_deals
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


GAMES = {
    "nlhe": {"players": 2},
    "nlhe 6": {"players": 6},
    "hunl-100bb": {},
    "jam or fold": {"menu": "jam-fold", "stacks": 20},
    "short-deck": {"players": 3},
    "plo5": {"players": 2},
    "kuhn": {"players": 3},
    "leduc": {},
    "liars-dice-2x3f": {},
    "liars-dice-1x6f": {},
}


def loaded(name):
    variant = "nlhe" if name == "jam or fold" else name.split()[0]
    return load_game(variant, **GAMES[name])


@pytest.mark.parametrize("name", GAMES)
def test_answers_are_those_of_the_reference(name):
    """At decisions of random play, on all of which each bot is asked."""
    game = loaded(name)
    rules = {bot: native_rule(load_policy(bot, game)) for bot in bot_reference.RULES}
    job = _native.SelfPlay(game, 400, seed=6, tables=100, chips=True)
    while (questions := job.ask()) is not None:
        for bot, rule in rules.items():
            expected = bot_reference.answers(bot, questions, game.deck is not None)
            np.testing.assert_array_equal(rule.answers(questions), expected)
        job.answer(questions.legal.astype(np.float32))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("first", range(len(BOTS)))
def test_matches_of_bots_are_those_of_questions_answered_by_the_reference(name, first):
    game = loaded(name)
    names = [list(BOTS)[(first + 2 * i) % len(BOTS)] for i in range(game.num_players)]
    bots, deals = [load_policy(each, game) for each in names], Shard(1_000, 200)
    config = MatchConfig(400, seed=8)
    asked = [Referred(each, game) for each in names]
    expected = played = piece_columns(game, play_deals(game, asked, config, deals))
    if game.deck:
        steps = play_deals(game, asked, config, deals).steps
        styles = bot_reference.style_counts(steps, game.num_streets)
        expected = {"payoffs": steps.payoffs, **styles}
    for found in (
        match_columns(game, bots, config, deals),
        match_columns(game, bots, MatchConfig(400, seed=8, threads=3), deals),
        played,
    ):
        assert found.keys() == expected.keys()
        for column, values in expected.items():
            np.testing.assert_array_equal(found[column], values, column)


class Referred:
    """A bot that plays by the reference, and is asked."""

    needs = Needs(chips=True)

    def __init__(self, name, game):
        self.name, self.is_poker = name, game.deck is not None

    def __call__(self, questions):
        return bot_reference.answers(self.name, questions, self.is_poker)


def test_only_the_bots_themselves_are_played_by_the_core():
    game = load_game("nlhe")

    class Mine(UniformPolicy):
        pass

    assert native_rule(UniformPolicy()) is not None
    assert native_rule(Mine()) is None
    assert native_rule(MixedPolicy([UniformPolicy()], [1])) is None
    dice, poker = (
        native_rule(load_policy("caller", load_game(each))) for each in ("liars-dice-1x6f", "nlhe")
    )
    with pytest.raises(ValueError, match="another game"):
        _native.play_bots(game, [poker, dice], 0, 10)
    with pytest.raises(ValueError, match="2 must play, not 1"):
        _native.play_bots(game, [poker], 0, 10)
    with pytest.raises(ValueError, match="deals"):
        _native.play_bots(game, [poker, poker], 0, -1)
    with pytest.raises(ValueError, match="raise_size"):
        _native.BotRule(raise_size=2)


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
    with pytest.raises(RuntimeError, match="chips=True"):
        load_policy("pot-odds", game)(questions)


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

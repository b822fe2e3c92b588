# SPDX-License-Identifier: MIT
"""Policies of any kind asked at any spot, against what jobs ask and against play itself."""

import itertools
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.errors import InputError
from regretless.evaluation.measures import exact_values
from regretless.explicit.explicit_tree import enumerate_tree
from regretless.explicit.native_adapter import NativeGame
from regretless.games import Game, load_game
from regretless.games.encoders import ENCODERS
from regretless.games.episodes import Episode
from regretless.matches.bots import BOTS
from regretless.matches.slot_values import posterior
from regretless.policies import asking
from regretless.policies.asking import mixes, policy_table
from regretless.policies.policy import (
    MixedPolicy,
    Needs,
    Policy,
    TablePolicy,
    UniformPolicy,
    normalize,
)
from regretless.policies.strategy_table import StrategyTable, TableEvaluator, exploitability

GAMES = {
    "kuhn": lambda: load_game("kuhn"),
    "leduc": lambda: load_game("leduc"),
    "nlhe": lambda: load_game("nlhe", players=3, stacks=2_000),
    "short-deck": lambda: load_game("short-deck"),
    "dice": lambda: load_game("liars-dice-2x3f"),
    "dice for three": lambda: load_game("liars-dice-1x3f-3p"),
}
ROWS = [name for name in ENCODERS if name not in ("buckets", "table30", "infoset")]
COLUMNS = ("legal", "actors", "hands", "episodes", "infosets", *ROWS)
CHIPS = ("pots", "to_calls", "stacks", "streets", "hand_strengths")
HISTORY = ("step_offsets", "step_actors", "step_slots", "step_streets")
EVERYTHING = {"encoders": ROWS, "chips": True, "history": True, "seeds": True}


def column_of(questions: _native.Questions, name: str) -> np.ndarray:
    return questions.rows(name) if name in ROWS else getattr(questions, name)


@dataclass(frozen=True)
class ByKey:
    """Any mix that a key of an infoset names: no two rows are alike."""

    needs = Needs(history=True)
    name: str = "by key"

    def __call__(self, questions: _native.Questions) -> np.ndarray:
        rows = np.empty(questions.legal.shape, np.float32)
        for row, key in zip(rows, questions.infosets.tolist(), strict=True):
            row[:] = np.random.default_rng(key).random(len(row))
        return rows


def random_episode(game: Game, index: int, rng: np.random.Generator) -> Episode:
    """An episode of some seed at one of its decisions."""
    episode = game.episode(seed=4, index=index)
    spots = []
    while not episode.is_terminal:
        spots.append(episode.copy())
        episode.choose(int(rng.choice(np.flatnonzero(episode.legal))))
    return spots[rng.integers(len(spots))]


def random_table(game: Game, seed: int = 0) -> StrategyTable:
    evaluator = TableEvaluator(game)
    rows = np.random.default_rng(seed).exponential(size=evaluator.legal.shape) * evaluator.legal
    order = np.argsort(evaluator.keys)
    return StrategyTable(evaluator.keys[order], rows[order] / rows[order].sum(axis=1)[:, None])


# Rows.


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_those_of_self_play(name: str) -> None:
    """Every column is the same as where the job comes to the same spot with the same hand."""
    game = GAMES[name]()
    job = _native.SelfPlay(game, 12, tables=12, seed=6, **EVERYTHING)
    episodes = [game.episode(seed=6, index=index) for index in range(12)]
    rng, checked = np.random.default_rng(1), 0
    while (questions := job.ask()) is not None:
        numbers = questions.episodes.tolist()
        spots = [episodes[number] for number in numbers]
        asked = _native.ask_at(game, spots, numbers=numbers, seed=6, **EVERYTHING)
        all_rows = asked.ask(0, len(asked))
        rows = []
        for spot, hand in enumerate(questions.hands):
            begin, end = asked.offsets[spot : spot + 2]
            hands = all_rows.hands[begin:end]
            board = episodes[numbers[spot]].board
            np.testing.assert_array_equal(hands, np.flatnonzero(game.hands_possible(board)))
            rows.append(begin + np.searchsorted(hands, hand))
        same = all_rows.part(np.array(rows))
        for column in (*COLUMNS, *CHIPS, *HISTORY, "seeds"):
            np.testing.assert_array_equal(column_of(same, column), column_of(questions, column))
        slots = [int(rng.choice(np.flatnonzero(legal))) for legal in questions.legal]
        for spot, slot in zip(spots, slots, strict=True):
            spot.choose(slot)
        job.answer_slots(np.array(slots, np.int32))
        checked += len(rows)
    assert checked > 20


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["leduc", "short-deck", "dice", "dice for three"]),
    seed=st.integers(0, 10**6),
    cuts=st.lists(st.integers(0, 10**6), max_size=4),
)
def test_rows_do_not_depend_on_how_they_are_asked_for(
    name: str, seed: int, cuts: list[int]
) -> None:
    game, rng = GAMES[name](), np.random.default_rng(seed)
    spots = [random_episode(game, seed + i, rng) for i in range(3)]
    asked = _native.ask_at(game, spots, **EVERYTHING)
    whole = asked.ask(0, len(asked))
    ends = sorted({0, len(asked), *(cut % len(asked) for cut in cuts)})
    for begin, end in itertools.pairwise(ends):
        part, rows = asked.ask(begin, end), whole.part(np.arange(begin, end))
        for column in (*COLUMNS, *CHIPS, *HISTORY, "seeds"):
            np.testing.assert_array_equal(column_of(part, column), column_of(rows, column))
    hands = rng.choice(np.flatnonzero(game.hands_possible(_boards(spots))), 3).astype(np.int32)
    chosen = _native.ask_at(game, spots, hands, **EVERYTHING)
    assert chosen.offsets.tolist() == [0, 3, 6, 9]
    some = chosen.ask(0, 9)
    for i, (spot, hand) in enumerate(itertools.product(range(3), hands)):
        begin, end = asked.offsets[spot : spot + 2]
        row = np.array([begin + np.searchsorted(whole.hands[begin:end], hand)])
        for column in (*COLUMNS, *CHIPS, "seeds"):
            np.testing.assert_array_equal(
                column_of(some, column)[i], column_of(whole.part(row), column)[0]
            )


def _boards(episodes: list[Episode]) -> list[int]:
    return sorted({card for episode in episodes for card in episode.board})


def test_questions_stay_good_and_cannot_be_written_to() -> None:
    game = load_game("leduc")
    asked = _native.ask_everywhere(game, **EVERYTHING)
    offsets, questions = asked.offsets, asked.ask(100, 300)
    views = [column_of(questions, name) for name in (*COLUMNS, *CHIPS, *HISTORY, "seeds")]
    copies = [view.copy() for view in views]
    del asked, questions
    for _ in range(20):
        _native.ask_everywhere(game, **EVERYTHING).ask(0, 936)
    assert offsets[-1] == 936 and not any(view.flags.writeable for view in [offsets, *views])
    for view, copy in zip(views, copies, strict=True):
        np.testing.assert_array_equal(view, copy)


def test_columns_come_on_request() -> None:
    questions = _native.ask_everywhere(load_game("kuhn")).ask(0, 12)
    for column in ("pots", "seeds", "step_slots"):
        with pytest.raises(RuntimeError, match="without that column"):
            column_of(questions, column)


def test_refusals_are_one_line() -> None:
    leduc, kuhn = load_game("leduc"), load_game("kuhn")
    begin, over, due = (leduc.episode_of() for _ in range(3))
    for slot in (2, 0):
        over.choose(slot)
    for slot in (1, 1):
        due.choose(slot)
    flop = leduc.episode(seed=1)
    for slot in (1, 1):
        flop.choose(slot)
    (card,) = flop.board

    def refused(message: str, *arguments: Any, **options: Any) -> None:
        with pytest.raises(ValueError, match=message):
            _native.ask_at(leduc, *arguments, **options)

    for nobody in (over, due):
        refused("^spot 1: nobody is to act$", [begin, nobody])
    for other in (
        kuhn.episode_of(),
        load_game("leduc").episode_of(),
        load_game("liars-dice-1x3f").episode_of(),
    ):
        refused("^episode 1: is not of this game$", [begin, other])
    refused("^spot 0: there is no hand 6$", [begin], np.array([6], np.int32))
    refused(f"^spot 1: hand {card} holds a public card$", [begin, flop], np.array([card], np.int32))
    refused("^numbers: must be as many", [begin], numbers=[1, 2])
    asked = _native.ask_at(leduc, [begin])
    for rows in ((-1, 1), (2, 1), (0, 7)):
        with pytest.raises(ValueError, match=r"^rows: must be from 0 to 6$"):
            asked.ask(*rows)
    assert len(asked.ask(6, 6)) == len(_native.ask_at(leduc, [])) == 0
    with pytest.raises(InputError, match=r"^leduc: spot 0: nobody is to act$"):
        mixes(UniformPolicy(), [over])
    nlhe = load_game("nlhe")
    off_menu = nlhe.episode()
    least, most = off_menu.raise_range
    off_menu.raise_to(next(to for to in range(least, most) if to not in off_menu.offer))
    with pytest.raises(InputError, match="not on the menu"):
        mixes(UniformPolicy(), [off_menu])
    plo = load_game("plo5")
    many = _native.ask_at(plo, [plo.episode_of()])
    with pytest.raises(ValueError, match="rows: at most 1048576 at a time"):
        many.ask(0, len(many))
    for large in (nlhe, plo):
        with pytest.raises(InputError, match=f"^{large.name}: no table of random: "):
            policy_table(large, UniformPolicy())


# Answers.


@pytest.mark.parametrize("name", ["kuhn", "leduc", "dice", "dice for three"])
def test_a_table_is_told_as_it_is(name: str) -> None:
    game = GAMES[name]()
    table, rng = random_table(game), np.random.default_rng(3)
    told = policy_table(game, TablePolicy(table))
    np.testing.assert_array_equal(told.keys, table.keys)
    np.testing.assert_allclose(told.probabilities, table.probabilities, rtol=1e-15)
    spots = [random_episode(game, index, rng) for index in range(30)]
    for spot, mix in zip(spots, mixes(TablePolicy(table), spots), strict=True):
        hands = np.flatnonzero(game.hands_possible(spot.board))
        for hand, row in zip(hands, mix, strict=True):
            key = np.array([replayed(spot, spot.actor, int(hand)).infoset], np.uint64)
            np.testing.assert_allclose(
                row, table.lookup(key, np.array([spot.legal]))[0], rtol=1e-15
            )


def replayed(episode: Episode, seat: int, hand: int) -> Episode:
    """Replays the episode with another hand of this seat, the only one that is known."""
    game = episode.game
    again = game.episode_of([[]] * seat + [game.hand_parts(hand)], episode.board)
    for _, slot in episode.steps:
        again.choose(slot)
    return again


@pytest.mark.parametrize("name", ["kuhn", "leduc", "dice", "dice for three"])
def test_everywhere_is_where_exact_evaluation_is(name: str) -> None:
    game = GAMES[name]()
    evaluator, asked = TableEvaluator(game), _native.ask_everywhere(game)
    questions = asked.ask(0, len(asked))
    order, theirs = np.argsort(questions.infosets), np.argsort(evaluator.keys)
    np.testing.assert_array_equal(questions.infosets[order], evaluator.keys[theirs])
    np.testing.assert_array_equal(questions.legal[order], evaluator.legal[theirs])
    np.testing.assert_array_equal(questions.actors[order], evaluator.actors[theirs])


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game, rng = load_game("leduc"), np.random.default_rng(5)
    spots = [random_episode(game, index, rng) for index in range(20)]
    policy = BOTS["pot-odds"](game)
    before, table = mixes(policy, spots), policy_table(game, policy)
    monkeypatch.setattr(asking, "_ROWS", 7)
    for mix, again in zip(before, mixes(policy, spots), strict=True):
        np.testing.assert_array_equal(mix, again)
    np.testing.assert_array_equal(table.probabilities, policy_table(game, policy).probabilities)
    assert mixes(policy, []) == []


def test_a_policy_that_plays_by_a_seed_answers_for_one() -> None:
    @dataclass(frozen=True)
    class Seeded:
        """Always the slot that its seed names."""

        needs = Needs(seeds=True)
        name: str = "seeded"

        def __call__(self, questions: _native.Questions) -> np.ndarray:
            return np.eye(3, dtype=np.float32)[1 + (questions.seeds % 2).astype(int)]

    game = load_game("leduc")
    spots = [game.episode_of(), game.episode_of()]
    spots[1].choose(1)
    told = {}
    for seed, number in itertools.product(range(3), range(8)):
        job = _native.SelfPlay(game, 1, first_episode=number, seed=seed, seeds=True)
        expected = []
        for _ in range(2):
            expected.append(Seeded()(job.ask())[0])
            job.answer_slots(np.array([1], np.int32))
        found = mixes(Seeded(), spots, seed=seed, number=number)
        for mix, row in zip(found, expected, strict=True):
            np.testing.assert_array_equal(mix, np.tile(row, (6, 1)))
        told[seed, number] = found[0][0, 2]
    assert 0 < sum(told.values()) < len(told)
    with pytest.raises(InputError, match="seeded: plays by a seed and has no average"):
        exact_values(game, Seeded())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda legal: np.ones((len(legal), 2)), r"answered \[6, 2\] where \[6, 3\] was asked"),
        (lambda legal: np.where(legal, np.nan, 0), "no probability"),
        (lambda legal: np.where(legal, -1.0, 0), "no probability"),
        (lambda legal: np.full(legal.shape, np.inf), "no probability"),
    ],
)
def test_bad_answers_are_one_line(answer: Any, message: str) -> None:
    class Bad:
        name, needs = "bad", Needs()

        def __call__(self, questions: _native.Questions) -> np.ndarray:
            return answer(questions.legal)

    with pytest.raises(InputError, match=rf"^bad: .*{message}"):
        mixes(Bad(), [load_game("leduc").episode_of()])


@settings(max_examples=100, deadline=None)
@given(
    weights=st.lists(
        st.lists(st.one_of(st.just(0.0), st.floats(0, 2.0**90, width=32)), min_size=4, max_size=4),
        min_size=1,
        max_size=5,
    ),
    bits=st.integers(1, 15),
    single=st.booleans(),
)
def test_normalising(weights: list[list[float]], bits: int, single: bool) -> None:
    rows = np.array(weights, np.float32 if single else np.float64)
    legal = np.tile([bits >> a & 1 == 1 for a in range(4)], (len(rows), 1))
    mixed = normalize(rows, legal)
    assert mixed.dtype == np.float64 and not mixed[~legal].any()
    np.testing.assert_allclose(mixed.sum(axis=1), 1, rtol=1e-12)
    for row, told, may in zip(rows.astype(np.float64), mixed, legal, strict=True):
        total = row[may].sum()
        expected = row[may] / total if total > 0 else np.full(may.sum(), 1 / may.sum())
        np.testing.assert_allclose(told[may], expected, rtol=1e-12)


# Ranges of those who are no tables.


Told = dict[int, np.ndarray]  # by infoset key


def policies(game: Game) -> list[Policy]:
    bots = [BOTS[name](game) for name in ("caller", "tight-aggressive", "pot-odds", "random")]
    return [*bots[:3], MixedPolicy(bots[1:4:2], [2, 1]), ByKey()]


@cache
def answers_in_play(name: str) -> tuple[Game, list[tuple[Policy, Told]]]:
    """Returns the answers of some policies in self-play that goes everywhere."""
    game = load_game(name)
    answers: list[tuple[Policy, Told]] = [(policy, {}) for policy in policies(game)]
    needs = Needs.of(policy for policy, _ in answers)
    job = _native.SelfPlay(game, 60_000, seed=9, **needs.options())
    while (questions := job.ask()) is not None:
        keys, first = np.unique(questions.infosets, return_index=True)
        is_new = [key not in answers[0][1] for key in keys.tolist()]
        part = questions.part(first[is_new])
        for policy, told in answers:
            rows = normalize(policy(part), part.legal)
            told.update(zip(keys[is_new].tolist(), rows, strict=True))
        if game.deck is None:
            job.answer(questions.legal * 0.5 ** np.cumsum(questions.legal, axis=1))
        else:
            job.answer(questions.legal * [0.1, *[1.0] * (game.num_actions - 1)])
    return game, answers


@pytest.mark.parametrize("name", ["leduc", "liars-dice-1x3f", "liars-dice-1x3f-3p"])
def test_a_posterior_is_bayes_rule_over_what_is_played(name: str) -> None:
    game, answers = answers_in_play(name)
    rng, checked = np.random.default_rng(2), 0
    spots = [random_episode(game, index, rng) for index in range(40)]
    for policy, told in answers:
        for spot in spots:
            viewer = spot.actor
            seat = (viewer + 1) % game.num_players
            found = posterior(spot, seat, viewer, policy)
            dead = [] if game.deck is None else [*spot.board, *spot.hand_parts(viewer)]
            hands = [h for h in range(game.num_hands) if not {*game.hand_parts(h)} & {*dead}]
            assert found.hands == [tuple(game.hand_parts(hand)) for hand in hands]
            weights = np.array([reach(spot, seat, hand, told) for hand in hands])
            if weights.sum() == 0:
                weights[:] = 1
            np.testing.assert_allclose(found.weights, weights / weights.sum(), atol=1e-6)
            for slot, row in found.answers.items():
                after = [replayed(spot, seat, hand) for hand in hands]
                for each in after:
                    each.choose(slot)
                mean = found.weights @ np.stack([told[each.infoset] for each in after])
                np.testing.assert_allclose(row, mean, atol=1e-6)
                checked += 1
    assert checked > 100


def reach(episode: Episode, seat: int, hand: int, told: Told) -> float:
    """Returns the probability of all actions of a seat with one hand."""
    game, probability = episode.game, 1.0
    again = game.episode_of([[]] * seat + [game.hand_parts(hand)], episode.board)
    for actor, slot in episode.steps:
        if actor == seat:
            probability *= float(told[again.infoset][slot])
        again.choose(slot)
    return probability


def test_a_posterior_of_a_bot_in_holdem() -> None:
    """After a raise the tight bot has one of the strong hands, each as likely as any other."""
    game = load_game("nlhe", stacks=2_000)
    bot, strengths = BOTS["tight-aggressive"](game), _native.starting_strengths(game)
    episode = game.episode(seed=3)
    (mix,) = mixes(bot, [game.episode_of()])
    slot = int(mix[strengths.argmax()].argmax())
    assert slot > 1
    episode.choose(slot)
    found = posterior(episode, 1, 0, bot)
    clear = game.hands_possible(episode.hand_parts(0))
    is_strong = strengths[clear] >= 0.8
    np.testing.assert_allclose(found.weights, is_strong / is_strong.sum(), rtol=1e-12)
    assert found.last_mix is not None
    np.testing.assert_array_equal(found.last_mix[:, slot], is_strong)
    assert found.answers.keys() == {
        s for s, legal in enumerate(episode.legal) if legal and s > 1
    }  # a call ends the round, and the next card is not known


def test_ranges_that_are_too_large() -> None:
    game = load_game("plo4")
    with pytest.raises(
        InputError, match=r"^plo4: a range of 194,580 hands, .* is too large to show$"
    ):
        posterior(game.episode(seed=1), 1, 0, UniformPolicy())


# Exact values of those who are no tables.


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize(("bot", "action"), [("caller", 1), ("raiser", 2), ("random", None)])
def test_open_spiel_agrees_on_bots(name: str, bot: str, action: int | None) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = load_game(name), pyspiel.load_game(f"{name}_poker")
    policy = pyspiel.UniformRandomPolicy(theirs)
    if action is not None:
        # In Kuhn poker the second of two actions is both to bet and to call.
        table = {}
        for key, rows in pyspiel.GetRandomPolicy(theirs, 1).policy_table().items():
            legal = [each for each, _ in rows]
            wanted = spiel_action(key, legal, action, name)
            table[key] = [(each, float(each == wanted)) for each in legal]
        policy = pyspiel.TabularPolicy(table)
    found = exact_values(game, BOTS[bot](game))
    assert found.exploitability == pytest.approx(pyspiel.exploitability(theirs, policy), abs=1e-6)


def spiel_action(key: str, legal: list[int], action: int, name: str) -> int:
    if name == "leduc":
        return action if action in legal else 1
    faces_bet = key.endswith("b")
    return 1 if faces_bet or action == 2 else 0


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice-1x3f"])
def test_exact_values_of_any_policy(name: str) -> None:
    """Against best response over the explicit tree, to what the policy answers in self-play."""
    game, answers = answers_in_play(name)
    evaluator, tree = TableEvaluator(game), enumerate_tree(NativeGame(game))
    keys = dict(zip(evaluator.names, evaluator.keys.tolist(), strict=True))
    for policy, told in answers:
        strategy = np.zeros((tree.num_infosets, tree.max_actions))
        rows = zip(strategy, tree.infoset_names, tree.infoset_action_names, strict=True)
        for row, infoset, slots in rows:
            row[: len(slots)] = told[keys[infoset]][[int(slot) for slot in slots]]
        expected, found = exploitability(tree, strategy), exact_values(game, policy)
        assert found.exploitability == pytest.approx(expected.exploitability, abs=1e-6)
        assert found.values == pytest.approx(expected.values, abs=1e-6)


def test_a_mixture_of_tables_is_measured_exactly() -> None:
    game = load_game("leduc")
    first, second = random_table(game, 1), random_table(game, 2)
    mixed = MixedPolicy([TablePolicy(first), TablePolicy(second)], [3, 1])
    table = StrategyTable(first.keys, (3 * first.probabilities + second.probabilities) / 4)
    assert exact_values(game, mixed).values == pytest.approx(
        TableEvaluator(game).evaluate(table).values, abs=1e-13
    )

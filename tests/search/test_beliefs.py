# SPDX-License-Identifier: MIT
"""Public belief states against all deals enumerated, and what must hold of any belief."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from regretless import _native
from regretless.errors import InputError
from regretless.explicit.native_adapter import NativeGame
from regretless.explicit.python_game import CHANCE
from regretless.games import Game, load_game
from regretless.policies.beliefs import BeliefTracker, PublicBelief
from regretless.policies.policy import TablePolicy, UniformPolicy
from regretless.policies.strategy_table import TableEvaluator

Line = tuple[Any, ...]  # slots, and (card,) for a public card
NAMES = ("kuhn", "leduc", "liars-dice-1x3f")


def random_rows(game: Game, *, zeros: bool = False) -> dict[str, np.ndarray]:
    """A random strategy by name of infoset; with zeros, some actions are never taken."""
    random, evaluator = np.random.default_rng(8), TableEvaluator(game)
    rows = random.exponential(size=evaluator.legal.shape) * evaluator.legal
    if zeros:
        rows *= random.random(rows.shape) < 0.6
        rows[rows.sum(axis=1) == 0] = evaluator.legal[rows.sum(axis=1) == 0]
        for name, row, legal in zip(evaluator.names, rows, evaluator.legal, strict=True):
            if name.endswith((":c", "[1x3]")):  # whatever the hand, it is the first legal slot
                row[:] = np.arange(len(row)) == legal.argmax()
    rows /= rows.sum(axis=1, keepdims=True)
    return dict(zip(evaluator.names, rows, strict=True))


@cache
def enumerated(name: str, *, zeros: bool = False) -> dict[Line, np.ndarray]:
    """For every line of play how likely it is with each pair of hands, deal by deal."""
    game = load_game(name)
    rules, rows = NativeGame(game), random_rows(game, zeros=zeros)
    likely: dict[Line, np.ndarray] = defaultdict(lambda: np.zeros((game.num_hands,) * 2))

    def walk(state: Any, line: Line, hands: tuple[int, ...], probability: float) -> None:
        if len(hands) == 2:
            likely[line][hands] += probability
            if state.is_terminal:
                return
        if rules.actor(state) == CHANCE:
            for outcome, chance in rules.chance(state):
                after = rules.next(state, outcome)
                if len(hands) < 2:
                    walk(after, line, (*hands, outcome), probability * chance)
                else:
                    walk(after, (*line, (outcome,)), hands, probability * chance)
        else:
            row = rows[rules.infoset(state)]
            for slot in rules.actions(state):
                walk(rules.next(state, slot), (*line, slot), hands, probability * row[slot])

    walk(rules.root(), (), (), 1.0)
    return dict(likely)


def ends_of(lines: dict[Line, np.ndarray]) -> list[Line]:
    inner = {line[:-1] for line in lines if line}
    return [line for line in lines if line not in inner]


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_play_agrees_with_all_deals(name: str) -> None:
    game, likely = load_game(name), enumerated(name)
    policy = TablePolicy(TableEvaluator(game).table(random_rows(game)))
    seen = set()
    for end in ends_of(likely):
        for length, belief in enumerate(BeliefTracker(game, policy).follow(end), start=1):
            line = end[:length]
            if line in seen:
                continue
            seen.add(line)
            joint = likely[line] / likely[line].sum()
            np.testing.assert_allclose(belief.joint(), joint, rtol=0, atol=1e-12)
            marginals = np.stack([joint.sum(axis=1), joint.sum(axis=0)])
            np.testing.assert_allclose(belief.marginals(), marginals, rtol=0, atol=1e-12)
            back = PublicBelief.from_joint(belief.states, belief.state, joint)
            np.testing.assert_allclose(back.joint(), joint, rtol=0, atol=1e-12)
            if belief.actor == CHANCE:
                check_public_cards(belief, line, likely)
    assert len(seen) == len(likely) - 1


def check_public_cards(belief: PublicBelief, line: Line, likely: dict[Line, np.ndarray]) -> None:
    expected = np.zeros(belief.game.num_hands)
    for card in range(len(expected)):
        expected[card] = likely.get((*line, (card,)), np.zeros(1)).sum() / likely[line].sum()
    np.testing.assert_allclose(belief.card_probabilities(), expected, rtol=0, atol=1e-12)
    one_by_one = [belief.cards_probability([card]) for card in range(len(expected))]
    np.testing.assert_allclose(one_by_one, expected, rtol=0, atol=1e-12)
    assert np.ptp(expected) > 1e-3  # not drawn uniformly


@pytest.mark.parametrize("name", NAMES)
def test_lines_that_are_never_played(name: str) -> None:
    """Ranges stay ranges where an action has no probability; before that all is exact."""
    game, likely = load_game(name), enumerated(name, zeros=True)
    policy = TablePolicy(TableEvaluator(game).table(random_rows(game, zeros=True)))
    num_impossible = 0
    for end in ends_of(likely):
        for length, belief in enumerate(BeliefTracker(game, policy).follow(end), start=1):
            total = likely[end[:length]].sum()
            np.testing.assert_allclose(belief.ranges.sum(axis=1), 1, atol=1e-12)
            assert belief.joint().sum() == pytest.approx(1)
            assert not belief.ranges[:, ~belief.possible].any()
            if total > 0:
                joint = likely[end[:length]] / total
                np.testing.assert_allclose(belief.joint(), joint, rtol=0, atol=1e-12)
            num_impossible += total == 0
    assert num_impossible > 0


def test_a_tracker_refuses_what_cannot_happen_and_goes_on() -> None:
    tracker = BeliefTracker(load_game("leduc"), UniformPolicy())
    for event in (0, -1, 99, [3]):
        with pytest.raises(InputError):
            tracker.step(event)
    for event in (1, 1):
        tracker.step(event)
    for event in (1, [77], [], [1, 2]):
        with pytest.raises(InputError):
            tracker.step(event)
    belief = tracker.step([3])
    assert belief.board == [3]
    assert belief.ranges[0].tolist() == pytest.approx([0.2, 0.2, 0.2, 0, 0.2, 0.2])
    np.testing.assert_allclose(tracker.strategy()[:, 1:].sum(axis=1), [1, 1, 1, 0, 1, 1])


def test_holdem_ranges() -> None:
    """1,326 hands: sizes, card removal, and public cards by the belief."""
    game = load_game("turn-endgame")
    belief = PublicBelief.root(game).deal([0, 5, 10, 15])
    joint = belief.joint()
    assert joint.shape == (1326, 1326)
    assert (joint > 0).sum() == (48 * 47 // 2) * (46 * 45 // 2)
    rivers = belief.card_probabilities()
    assert rivers[[0, 5, 10, 15]].tolist() == [0, 0, 0, 0]
    assert rivers.sum() == pytest.approx(1)
    # A player who has an ace of spades half of the time makes it the less likely on the river.
    cards = _native.hand_cards(game.rules.deck, 2)
    holds = (cards == 51).any(axis=1)
    slot = next(slot for slot, legal in enumerate(belief.legal) if legal)
    after = belief.act(slot, np.where(holds, 1.0, holds.sum() / (~holds).sum()))
    assert after.card_probabilities()[51] < 0.6 * rivers[51]
    assert after.card_probabilities().sum() == pytest.approx(1)
    back = PublicBelief.from_joint(after.states, after.state, after.joint())
    np.testing.assert_allclose(back.ranges, after.ranges, rtol=1e-9)


def test_three_cards_at_once() -> None:
    game = load_game("nlhe", menu="a")
    belief = PublicBelief.root(game)
    assert belief.cards_probability([0, 1, 2]) == pytest.approx(1 / 22_100)
    assert belief.cards_probability([0, 1, 1]) == 0


# Any belief.

GAMES = {name: load_game(name) for name in NAMES}
LEDUC_BOARD = 2


@st.composite
def beliefs(draw: st.DrawFn) -> PublicBelief:
    game = GAMES[draw(st.sampled_from(NAMES))]
    weights = st.one_of(st.just(0.0), st.floats(1e-3, 1.0))
    ranges = draw(arrays(np.float64, (2, game.num_hands), elements=weights))
    belief = replace(PublicBelief.root(game), ranges=ranges)
    if game.name == "leduc" and draw(st.booleans()):
        everything = np.ones(game.num_hands)
        belief = belief.act(1, everything).act(1, everything).deal([LEDUC_BOARD])
    return belief


@settings(max_examples=150, deadline=None)
@given(belief=beliefs())
def test_a_joint_is_a_distribution_and_comes_back(belief: PublicBelief) -> None:
    joint = belief.joint()
    assert joint.sum() == pytest.approx(1)
    assert (joint >= 0).all()
    assert not joint[~belief.possible].any() and not joint[:, ~belief.possible].any()
    if isinstance(belief.game, _native.Poker):
        assert not joint.diagonal().any()
    np.testing.assert_allclose(belief.marginals().sum(axis=1), 1)
    back = PublicBelief.from_joint(belief.states, belief.state, joint)
    np.testing.assert_allclose(back.joint(), joint, rtol=0, atol=1e-12)
    if (belief.ranges[:, belief.possible] > 0).all():
        np.testing.assert_allclose(back.ranges, belief.ranges, rtol=1e-9)


@settings(max_examples=100, deadline=None)
@given(belief=beliefs(), seed=st.integers(0, 1 << 30))
def test_actions_are_bayes_rule_and_never_revive_a_hand(belief: PublicBelief, seed: int) -> None:
    if belief.actor < 0:
        return
    random = np.random.default_rng(seed)
    actor, slot = belief.actor, int(belief.legal.argmax())
    strategy = random.random(belief.game.num_hands) * (random.random(belief.game.num_hands) < 0.5)
    after = belief.act(slot, strategy)
    assert not after.ranges[:, ~after.possible].any()
    np.testing.assert_allclose(after.ranges[1 - actor], belief.ranges[1 - actor], rtol=1e-15)
    if belief.ranges[actor] @ strategy > 0:
        assert not after.ranges[actor][belief.ranges[actor] == 0].any()
    weights = belief.joint() * (strategy[:, None] if actor == 0 else strategy)
    pairs = np.outer(*belief.ranges) * (belief.joint() > 0)
    if weights.sum() > 0 and pairs.sum() > 0:
        np.testing.assert_allclose(after.joint(), weights / weights.sum(), rtol=0, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(belief=beliefs(), row=st.integers(0, 2), column=st.integers(0, 2))
def test_what_is_no_product_is_refused(belief: PublicBelief, row: int, column: int) -> None:
    """Twice the weight of one pair, wherever the ratio of four pairs tells it."""
    joint = belief.joint()
    rows, columns = np.delete(np.arange(len(joint)), row), np.delete(np.arange(len(joint)), column)
    square = (
        (joint[rows][:, [column]] > 0) & (joint[row, columns] > 0) & (joint[rows][:, columns] > 0)
    )
    if joint[row, column] == 0 or not square.any():
        return
    joint[row, column] *= 2
    with pytest.raises(InputError, match="no product"):
        PublicBelief.from_joint(belief.states, belief.state, joint)


def test_bad_input_is_one_line() -> None:
    belief = PublicBelief.root(GAMES["leduc"])
    pairs = belief.joint()
    wrong: list[Any] = [np.ones((2, 5)), np.ones(6), -np.ones((2, 6)), np.full((2, 6), np.nan)]
    for ranges in wrong:
        with pytest.raises(InputError, match=r"^ranges: [^\n]*$"):
            replace(belief, ranges=ranges)
    wrong = [np.ones((6, 5)), -pairs, np.zeros((6, 6)), np.full((6, 6), np.inf), np.ones((6, 6))]
    for joint in wrong:
        with pytest.raises(InputError, match=r"^joint: [^\n]*$"):
            PublicBelief.from_joint(belief.states, belief.state, joint)
    with pytest.raises(InputError, match=r"strategy: must be \[6\]"):
        belief.act(1, np.ones(5))
    with pytest.raises(InputError, match="slot 0"):
        belief.act(0, np.ones(6))
    with pytest.raises(InputError, match="at most 2,000 hands"):
        PublicBelief.root(load_game("plo4"))
    with pytest.raises(InputError, match="two players"):
        PublicBelief.root(load_game("kuhn", players=3))
    dice = PublicBelief.root(GAMES["liars-dice-1x3f"])
    for ask in (
        dice.card_probabilities,
        lambda: dice.deal([1]),
        lambda: dice.cards_probability([1]),
    ):
        with pytest.raises(InputError, match="no public cards"):
            ask()

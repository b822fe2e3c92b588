# SPDX-License-Identifier: MIT
"""Subgames: the same numbers as a plain-Python search that shares no code."""

import numpy as np
import pytest

from regretless import _native
from regretless.games import load_game
from regretless.search.subgames import number_roots
from subgame_problems import (
    ITERATIONS,
    NO_SEEDS,
    NONE,
    PROBLEMS,
    Job,
    make_job,
    random_ranges,
)
from subgame_reference import (
    BOARD,
    LEAF,
    LeafFunction,
    Line,
    Node,
    Reference,
    Rules,
    other_suit,
    smoothed,
    with_suits_alike,
)


class Leaves:
    """A fixed random network: any smooth function of a public state and its ranges will do."""

    def __init__(self, num_hands: int) -> None:
        random = np.random.default_rng(1)
        self.first = random.normal(size=(20 + 2 * num_hands, 16))
        self.second = random.normal(size=(16, 2 * num_hands))

    def __call__(self, features: np.ndarray, ranges: np.ndarray) -> np.ndarray:
        shown = np.concatenate([features, 5 * ranges.astype(np.float32).ravel()])
        values = np.tanh(shown @ self.first) @ self.second
        return values.reshape(ranges.shape).astype(np.float32)


class Pairing:
    """The numbered states and subgames of a job beside those of the reference."""

    def __init__(self, job: Job, rules: Rules, depth: int | str) -> None:
        self.job, self.rules, self.depth = job, rules, depth
        self.lines: dict[int, Line] = {0: ()}  # one that leads to each root, in the order met
        self.trees: dict[int, Node] = {}
        self.nodes: dict[int, list[Node]] = {}  # of the outlines
        for state in (roots := [0]):
            self.pair(state)
            roots += [known for known in self.lines if known not in roots]

    def pair(self, state: int) -> None:
        tree = self.rules.tree(self.lines[state], self.depth)
        outline = self.job.outline(state)
        nodes: list[Node] = [tree] * len(outline)
        for n, (first, count, actor, leaf_state, *_) in enumerate(outline):
            node = nodes[n]
            assert actor == node.actor
            assert count == len(node.children)
            nodes[first : first + count] = node.children
            if actor == LEAF:
                mine, first_seen = node.line, self.lines.setdefault(int(leaf_state), node.line)
                np.testing.assert_array_equal(
                    self.rules.features(mine), self.rules.features(first_seen)
                )
        self.trees[state] = tree
        self.nodes[state] = nodes

    def is_first_of_its_kind(self, leaf: Node) -> bool:
        """Whether no state with the other suits on the board has a lower number."""
        features = self.rules.features(leaf.line)
        exchanged = features.copy()
        exchanged[BOARD] = other_suit(features[BOARD])
        known = [self.rules.features(line) for line in self.lines.values()]
        mine = next(n for n, each in enumerate(known) if (each == features).all())
        return not any((each == exchanged).all() for each in known[:mine])

    def leaves(self, state: int) -> list[Node]:
        return [node for node in self.nodes[state] if node.actor == LEAF]

    def check_strategies(
        self, state: int, found: np.ndarray, tables: dict[Line, np.ndarray]
    ) -> None:
        """Strategies as the job lays them out; those of hands that cannot be do not matter."""
        decisions = [node for node in self.nodes[state] if node.actor >= 0]
        for node, offset in zip(decisions, self.offsets(state), strict=True):
            expected = tables[node.line]
            table = found[offset : offset + expected.size].reshape(expected.shape)
            close(table[:, node.possible], expected[:, node.possible])

    def offsets(self, state: int) -> list[int]:
        return [row[4] for row in self.job.outline(state) if row[2] >= 0]


def close(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def answer_by(job: Job, pairing: Pairing, leaves: LeafFunction) -> list[np.ndarray]:
    """Answer all; the ranges [rows, 2, hands] of every question."""
    twins = job.states.twins()
    features = {root: pairing.rules.features(line) for root, line in pairing.lines.items()}
    asked = []
    while (questions := job.ask()) is not None:
        asked.append(questions[1].copy())
        assert (twins[questions[0]] == questions[0]).all()
        rows = zip(*questions, strict=True)
        job.answer(np.stack([leaves(features[state], ranges) for state, ranges in rows]))
    return asked


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("name", ["cfr", "linear", "dcfr", "cfr+"])
@pytest.mark.parametrize(("game_name", "depth"), PROBLEMS)
def test_as_one_at_a_time(game_name: str, depth: int | str, name: str, alternating: bool) -> None:
    game = load_game(game_name)
    rules, hands = Rules(game), game.num_hands
    job = make_job(game, depth, name, alternating=alternating)
    pairing, leaves = Pairing(job, rules, depth), with_suits_alike(Leaves(hands))
    random = np.random.default_rng(5)
    roots = list(pairing.trees)
    with_leaves = [root for root in roots if pairing.leaves(root)]
    states = np.concatenate([[0], random.choice(with_leaves, 4), random.choice(roots, 3)])
    ranges = random_ranges(random, len(states), hands)
    stops = np.repeat(np.arange(len(states), dtype=np.int32), ITERATIONS)
    stop_iterations = np.tile(np.arange(1, ITERATIONS + 1, dtype=np.int32), len(states))
    order = random.permutation(len(stops))
    stops, stop_iterations = stops[order], stop_iterations[order]
    seeds = np.arange(len(stops), dtype=np.uint64)
    job.begin(
        states.astype(np.int32), ranges, stops, stop_iterations, seeds,
        exploration=0.5, keeps_strategies=True,
    )  # fmt: skip
    asked = answer_by(job, pairing, leaves)
    assert len(asked) == ITERATIONS * (2 if alternating else 1)

    first_row = 0
    for s, state in enumerate(states):
        reference = Reference(
            rules, pairing.trees[state], ranges[s], leaves, name, alternating=alternating
        )
        for _ in range(ITERATIONS):
            reference.iterate()
        close(job.ranges()[s], reference.ranges)
        close(job.root_values()[s], reference.root_values())
        pairing.check_strategies(state, job.average_strategies(s), reference.average())
        leaf_nodes = pairing.leaves(state)
        for question, expected in zip(asked, reference.questions, strict=True):
            for row, leaf in enumerate(leaf_nodes, start=first_row):
                is_twin = game_name == "leduc" and not pairing.is_first_of_its_kind(leaf)
                wanted = expected[leaf.line]
                close(question[row], other_suit(wanted) if is_twin else wanted)
        first_row += len(leaf_nodes)
        for stop in np.flatnonzero(stops == s):
            check_stop(job, pairing, reference, int(stop), state, int(stop_iterations[stop]))


def check_stop(
    job: Job, pairing: Pairing, reference: Reference, stop: int, state: int, iteration: int
) -> None:
    """The strategies there, and the ranges of one of the leaves that have the number reached."""
    found = job.stop_strategies(stop)
    if not reference.leaves:
        pairing.check_strategies(state, found, reference.average())
        assert job.next_states()[stop] == -1
        return
    strategy = reference.strategies[iteration - 1]
    pairing.check_strategies(state, found, strategy)
    reached = job.next_states()[stop]
    if reached < 0:
        return
    reaches = reference.reaches(strategy)
    features = pairing.rules.features(pairing.lines[reached])
    candidates = [
        np.stack([smoothed(row, leaf.possible) for row in reaches[leaf.line]])
        for leaf in reference.leaves
        if (reference.features[leaf.line] == features).all()
    ]
    assert any(np.allclose(job.next_ranges()[stop], each, atol=1e-6) for each in candidates)


@pytest.mark.parametrize(
    ("game_name", "depth", "fewer"), [("kuhn", 1, 1), ("leduc", "round", 2), ("leduc", 2, 2)]
)
def test_states_that_renamed_suits_make_equal_are_asked_about_once(
    game_name: str, depth: int | str, fewer: int
) -> None:
    job = make_job(load_game(game_name), depth)
    number_roots(job)
    states = job.states
    twins, names, possible = states.twins(), states.twin_hands(), states.possible()
    with_board = np.flatnonzero(possible.min(axis=1) == 0)
    assert len(np.unique(twins[with_board])) == len(with_board) // fewer
    assert (twins <= np.arange(len(states))).all()
    assert (twins[twins] == twins).all()
    assert (states.stakes()[twins] == states.stakes()).all()
    renamed = np.take_along_axis(possible[twins], names, axis=1)
    np.testing.assert_array_equal(renamed, possible)
    np.testing.assert_array_equal(
        np.sort(names, axis=1), np.arange(job.num_hands)[None] + 0 * names
    )


@pytest.mark.parametrize("name", ["cfr", "cfr+", "linear", "dcfr", "pcfr+", "pdcfr+"])
def test_a_single_choice_is_uniform_once_and_then_the_better_one(name: str) -> None:
    """Which is how the job gets around most of its iterations."""
    iterations, random = 50, np.random.default_rng(3)
    job = make_job(load_game("kuhn"), 1, name, iterations=iterations)
    ends = [s for s in number_roots(job) if not (job.outline(s)[:, 2] == LEAF).any()]
    single = [s for s in ends if s != 0]
    assert len(single) == 2  # a bet is to be called
    states = np.repeat(np.array(single, np.int32), 20)
    job.begin(states, random.dirichlet(np.ones(3), (40, 2)), NONE, NONE, NO_SEEDS)
    assert job.ask() is None
    weights = np.arange(1, iterations + 1.0) ** _native.Discounts(name).gamma
    rare = weights[0] / weights.sum() / 2
    for s in range(40):
        rows = job.average_strategies(s).reshape(2, 3)
        assert np.isclose(rows.min(axis=0), rare, atol=1e-9).all(), rows
        jack, king = rows[:, 0], rows[:, 2]  # folds, and calls
        assert jack[0] > 0.9 and king[1] > 0.9


# Where walks through a subgame lead.


@pytest.mark.parametrize("exploration", [0.0, 0.5])
def test_paths_are_drawn_by_the_belief(exploration: float) -> None:
    """Leaves are reached as often as both hands, both strategies and the cards make likely."""
    game = load_game("leduc")
    rules, random, count = Rules(game), np.random.default_rng(2), 40_000
    job = make_job(game, "round")
    pairing = Pairing(job, rules, "round")
    ranges = random.dirichlet(np.full(6, 0.3), (1, 2))
    job.begin(
        np.zeros(1, np.int32), ranges, np.zeros(count, np.int32), np.full(count, 3, np.int32),
        np.arange(count, dtype=np.uint64), exploration=exploration,
    )  # fmt: skip
    leaves = with_suits_alike(Leaves(6))
    answer_by(job, pairing, leaves)
    found = np.bincount(job.next_states() + 1, minlength=len(job.states) + 1) / count

    reference = Reference(rules, pairing.trees[0], ranges[0], leaves, "linear", alternating=True)
    for _ in range(3):
        reference.iterate()
    strategy, expected = reference.strategies[2], np.zeros(len(found))
    for explorer in range(2):
        mixed = dict(strategy)
        for node in reference.nodes:
            if node.actor == explorer:
                table = strategy[node.line]
                mixed[node.line] = (1 - exploration) * table + exploration / len(table)
        for (leaf, state), reach in leaf_reaches(pairing, reference, mixed):
            pairs = np.outer(*reach) * (1 - np.eye(6))
            expected[state + 1] += pairs.sum() / 4 / 2  # one of the four cards left
            assert leaf.possible.sum() == 5
    expected /= (np.outer(*reference.ranges) * (1 - np.eye(6))).sum()
    expected[0] = 1 - expected.sum()
    assert np.abs(found - expected).max() < 5 * 0.5 / np.sqrt(count)
    spread = np.sqrt(expected * (1 - expected) / count)
    assert (np.abs(found - expected) <= 5 * spread + 1e-12).all()


def leaf_reaches(
    pairing: Pairing, reference: Reference, strategy: dict[Line, np.ndarray]
) -> list[tuple[tuple[Node, int], np.ndarray]]:
    reaches = reference.reaches(strategy)
    states = pairing.job.outline(0)[:, 3]
    nodes = zip(pairing.nodes[0], states, strict=True)
    return [((node, int(state)), reaches[node.line]) for node, state in nodes if node.actor == LEAF]

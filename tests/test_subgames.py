# SPDX-License-Identifier: MIT
"""Subgames in lockstep: the same numbers as one at a time in plain Python, whatever the batch."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless import _native
from regretless.games import Game, load_game
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

Job = _native.Subgames
NONE = np.zeros(0, np.int32)
NO_SEEDS = np.zeros(0, np.uint64)
PROBLEMS = [("kuhn", 1), ("leduc", "round"), ("leduc", 2), ("liars-dice-1x3f", 2)]
ITERATIONS = 7


def make_job(
    game: Game,
    depth: int | str,
    name: str = "linear",
    *,
    alternating: bool = True,
    iterations: int = ITERATIONS,
    **options: Any,
) -> Job:
    discounts = _native.Discounts(name)
    discounts.alternates = alternating
    cut = {"ends_with_round": True} if depth == "round" else {"max_decisions": depth}
    return Job(game, discounts, iterations=iterations, **cut, **options)  # type: ignore[arg-type]


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
        self.lines: list[Line] = [()]  # [states]: one that leads there
        self.trees: list[Node] = []
        self.nodes: list[list[Node]] = []  # [states][outline]
        while len(self.trees) < job.num_states:
            self.pair(len(self.trees))

    def pair(self, state: int) -> None:
        tree = self.rules.tree(self.lines[state], self.depth)
        outline = self.job.outline(state)
        nodes: list[Node] = [tree] * len(outline)
        for n, (first, count, actor, leaf_state, _) in enumerate(outline):
            node = nodes[n]
            assert actor == node.actor
            assert count == len(node.children)
            nodes[first : first + count] = node.children
            if actor == LEAF:
                if leaf_state == len(self.lines):
                    self.lines.append(node.line)
                mine, first_seen = node.line, self.lines[leaf_state]
                np.testing.assert_array_equal(
                    self.rules.features(mine), self.rules.features(first_seen)
                )
        self.trees.append(tree)
        self.nodes.append(nodes)

    def is_first_of_its_kind(self, leaf: Node) -> bool:
        """Whether no state with the other suits on the board has a lower number."""
        features = self.rules.features(leaf.line)
        exchanged = features.copy()
        exchanged[BOARD] = other_suit(features[BOARD])
        known = [self.rules.features(line) for line in self.lines]
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
        return [offset for _, _, actor, _, offset in self.job.outline(state) if actor >= 0]


def close(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def random_ranges(random: np.random.Generator, count: int, hands: int) -> np.ndarray:
    """With zeros here and there, and now and then without any mass."""
    ranges = random.exponential(size=(count, 2, hands)) * (random.random((count, 2, hands)) < 0.7)
    ranges[::9, 0] = 0
    return ranges


def answer_by(job: Job, pairing: Pairing, leaves: LeafFunction) -> list[np.ndarray]:
    """Answer all; the ranges [rows, 2, hands] of every question."""
    twins = job.twins()
    features = [pairing.rules.features(line) for line in pairing.lines]
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
    with_leaves = np.flatnonzero(job.num_leaves() > 0)
    states = np.concatenate([[0], random.choice(with_leaves, 4), random.choice(job.num_states, 3)])
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
    number_all(job)
    twins, names, possible = job.twins(), job.twin_hands(), job.possible()
    with_board = np.flatnonzero(possible.min(axis=1) == 0)
    assert len(np.unique(twins[with_board])) == len(with_board) // fewer
    assert (twins <= np.arange(job.num_states)).all()
    assert (twins[twins] == twins).all()
    assert (job.stakes()[twins] == job.stakes()).all()
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
    number_all(job)
    single = [s for s in range(1, job.num_states) if job.num_leaves()[s] == 0]
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
    found = np.bincount(job.next_states() + 1, minlength=job.num_states + 1) / count

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
    return [((node, int(state)), reaches[node.line]) for node, state in nodes if state >= 0]


# Batches and threads.


def run_by_rows(
    job: Job, states: np.ndarray, ranges: np.ndarray, stops: np.ndarray
) -> tuple[Any, ...]:
    """Everything that comes out; each answer depends on its own row alone, to the bit."""
    count = len(states)
    job.begin(
        states, ranges, np.arange(count, dtype=np.int32), stops[:, 0].astype(np.int32),
        stops[:, 1].astype(np.uint64), exploration=0.25, keeps_strategies=True,
    )  # fmt: skip
    asked = []
    while (questions := job.ask()) is not None:
        numbers, shown = questions[0].astype(np.float32)[:, None, None], questions[1]
        asked.append(shown.copy())
        job.answer((shown - shown[:, ::-1]) * numbers + (shown[:, :, ::-1] - np.float32(0.1)))
    strategies = [job.stop_strategies(s) for s in range(count)]
    averages = [job.average_strategies(s) for s in range(count)]
    return (job.root_values(), job.next_states(), job.next_ranges(), strategies, averages, asked)


def batch_of(job: Job, count: int, hands: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    number_all(job)
    random = np.random.default_rng(4)
    states = random.integers(0, job.num_states, count).astype(np.int32)
    stops = np.stack(
        [random.integers(1, job.iterations + 1, count), random.integers(0, 1 << 60, count)]
    )
    return states, random_ranges(random, count, hands), stops.T


def number_all(job: Job) -> None:
    state = 0
    while state < job.num_states:
        job.outline(state)
        state += 1


@pytest.mark.parametrize(("game_name", "depth"), PROBLEMS)
@pytest.mark.parametrize("name", ["dcfr", "pcfr+"])
def test_a_batch_is_the_same_as_one_at_a_time(game_name: str, depth: int | str, name: str) -> None:
    game = load_game(game_name)
    alternating = name == "dcfr"
    job = make_job(game, depth, name, iterations=4, alternating=alternating)
    count = 2000 if name == "dcfr" else 200
    states, ranges, stops = batch_of(job, count, game.num_hands)
    whole = run_by_rows(job, states, ranges, stops)
    rows = np.concatenate([[0], np.cumsum(np.maximum(job.num_leaves(), 0)[states])])
    for s in range(count):
        part = slice(s, s + 1)
        one = run_by_rows(job, states[part], ranges[part], stops[part])
        for i in range(5):
            assert same_bits(np.asarray(one[i][0]), np.asarray(whole[i][s])), (s, i)
        for question, mine in zip(whole[5], one[5], strict=False):
            assert same_bits(question[rows[s] : rows[s + 1]], mine)


@pytest.mark.parametrize(("game_name", "depth"), PROBLEMS)
def test_threads_change_nothing(game_name: str, depth: int | str) -> None:
    game = load_game(game_name)
    results = []
    for threads in (1, 2):
        job = make_job(game, depth, threads=threads)
        results.append(run_by_rows(job, *batch_of(job, 300, game.num_hands)))
    for first, second in zip(*results, strict=True):
        parts = zip(first, second, strict=True)
        assert all(same_bits(np.asarray(a), np.asarray(b)) for a, b in parts)


def same_bits(first: np.ndarray, second: np.ndarray) -> bool:
    return first.dtype == second.dtype and first.tobytes() == second.tobytes()


def test_the_average_is_optional() -> None:
    game = load_game("leduc")
    jobs = [make_job(game, "round", keeps_average=keeps) for keeps in (True, False)]
    results = []
    for job in jobs:
        states, ranges, _ = batch_of(job, 50, 6)
        job.begin(states, ranges, NONE, NONE, NO_SEEDS)
        while (questions := job.ask()) is not None:
            job.answer(questions[1] - np.float32(0.2))
        results.append(job.root_values())
    assert same_bits(*results)
    with pytest.raises(ValueError, match="no average of subgame 0 was kept"):
        jobs[1].average_strategies(0)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 30), power=st.integers(-30, 30), problem=st.sampled_from(PROBLEMS))
def test_only_the_shape_of_ranges_counts(seed: int, power: int, problem: tuple[str, Any]) -> None:
    """Ranges of any sum; what comes out are ranges over possible hands, and strategies."""
    game = load_game(problem[0])
    job = make_job(game, problem[1], iterations=3)
    number_all(job)
    random = np.random.default_rng(seed)
    states = random.integers(0, job.num_states, 5).astype(np.int32)
    ranges = random_ranges(random, 5, game.num_hands)
    results = []
    for factor in (1.0, 2.0**power):  # exact, so that not even ties change
        job.begin(
            states, ranges * factor, np.arange(5, dtype=np.int32), np.full(5, 2, np.int32),
            np.arange(5, dtype=np.uint64), exploration=0.5, keeps_strategies=True,
        )  # fmt: skip
        while (questions := job.ask()) is not None:
            np.testing.assert_allclose(questions[1].sum(axis=2), 1, atol=1e-5)
            assert not questions[1][np.repeat(job.possible()[questions[0], None] == 0, 2, 1)].any()
            job.answer(np.cos(7 * questions[1]))
        results.append(job.root_values())
    assert same_bits(*results)
    np.testing.assert_allclose(job.ranges().sum(axis=2), 1)
    assert not job.ranges()[np.repeat(job.possible()[states, None] == 0, 2, 1)].any()
    assert not job.root_values()[np.repeat(job.possible()[states, None] == 0, 2, 1)].any()
    reached = job.next_states() >= 0
    np.testing.assert_allclose(job.next_ranges()[reached].sum(axis=2), 1)
    assert not job.next_ranges()[~reached].any()
    for s in range(5):
        for _, count, actor, _, offset in job.outline(int(states[s])):
            if actor >= 0:
                table = job.stop_strategies(s)[offset:][: count * game.num_hands]
                np.testing.assert_allclose(table.reshape(count, -1).sum(axis=0), 1)


# Bad input.


def test_bad_input_is_one_line_and_leaves_the_job_as_it_was() -> None:
    game = load_game("leduc")
    job, undisturbed = make_job(game, "round"), make_job(game, "round")
    states, ranges = np.array([0, 1], np.int32), np.random.default_rng(0).random((2, 2, 6))
    one, seed = np.ones(1, np.int32), np.ones(1, np.uint64)
    holes = ranges.copy()
    holes[1, 0, 3] = np.nan
    refused: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        (r"ranges: must be \[2, 2, 6\]", (states, ranges[:1], NONE, NONE, NO_SEEDS), {}),
        (r"ranges: must be \[2, 2, 6\]", (states, ranges[:, :1], NONE, NONE, NO_SEEDS), {}),
        (r"ranges: must be \[2, 2, 6\]", (states, ranges[:, :, :5], NONE, NONE, NO_SEEDS), {}),
        ("ranges: must be finite and not", (states, -ranges, NONE, NONE, NO_SEEDS), {}),
        ("ranges: must be finite and not", (states, holes, NONE, NONE, NO_SEEDS), {}),
        ("ranges: must be finite and not", (states, ranges + np.inf, NONE, NONE, NO_SEEDS), {}),
        ("no public state 999", (np.array([0, 999], np.int32), ranges, NONE, NONE, NO_SEEDS), {}),
        ("no public state -1", (np.array([0, -1], np.int32), ranges, NONE, NONE, NO_SEEDS), {}),
        ("a stop is at no subgame", (states, ranges, 2 * one, one, seed), {}),
        ("a stop is at no subgame", (states, ranges, -one, one, seed), {}),
        ("at no iteration", (states, ranges, one, 0 * one, seed), {}),
        ("at no iteration", (states, ranges, one, (ITERATIONS + 1) * one, seed), {}),
        ("must be equally many", (states, ranges, one, one, NO_SEEDS), {}),
        ("exploration: must be from 0", (states, ranges, one, one, seed), {"exploration": 1.5}),
        ("exploration: must be from 0", (states, ranges, one, one, seed), {"exploration": np.nan}),
    ]
    with pytest.raises(ValueError, match="nothing was asked"):
        job.answer(np.zeros((0, 2, 6), np.float32))
    assert job.ask() is None
    job.outline(0)
    undisturbed.outline(0)
    for each in (job, undisturbed):
        each.begin(states, ranges, one, one, seed, keeps_strategies=True)
    for match, arguments, options in refused:
        with pytest.raises(ValueError, match=match) as error:
            job.begin(*arguments, **options)
        assert "\n" not in str(error.value)
    with pytest.raises(RuntimeError, match="not solved yet"):
        job.root_values()
    while (questions := undisturbed.ask()) is not None:
        mine = job.ask()
        assert mine is not None
        values = questions[1] * np.float32(2) - np.float32(0.3)
        spoiled = values.copy()
        spoiled[-1, 1, 5] = np.nan
        for bad in (spoiled, -np.inf * np.ones_like(values), values[1:], values[:, :, 1:]):
            with pytest.raises(
                ValueError, match=r"values: must be finite|expected shape \[\d+, 2, 6"
            ):
                job.answer(bad)
        assert same_bits(mine[1], questions[1])
        job.answer(values)
        undisturbed.answer(values)
    assert job.ask() is None
    assert same_bits(job.root_values(), undisturbed.root_values())
    assert same_bits(job.stop_strategies(0), undisturbed.stop_strategies(0))
    for what in (job.stop_strategies, job.average_strategies, job.outline):
        for number in (-1, 999):
            with pytest.raises(ValueError, match=rf"^no [^\n]*{number}[^\n]*$"):
                what(number)


def test_options_that_make_no_sense() -> None:
    leduc = load_game("leduc")
    with pytest.raises(ValueError, match="iterations: must be at least 1"):
        make_job(leduc, 1, iterations=0)
    with pytest.raises(ValueError, match="threads"):
        make_job(leduc, 1, threads=0)
    with pytest.raises(ValueError, match="max_decisions"):
        make_job(leduc, -1)
    with pytest.raises(ValueError, match="two players, not 3"):
        make_job(load_game("leduc3"), 1)
    with pytest.raises(ValueError, match="too many private hands"):
        make_job(load_game("plo4"), 1)
    with pytest.raises(ValueError, match="board"):
        make_job(leduc, 1, board=[3])


def test_no_subgames_at_all() -> None:
    job = make_job(load_game("leduc"), "round")
    job.begin(NONE, np.zeros((0, 2, 6)), NONE, NONE, NO_SEEDS)
    assert job.ask() is None
    assert job.root_values().shape == (0, 2, 6)

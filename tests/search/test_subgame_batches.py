# SPDX-License-Identifier: MIT
"""Subgames in lockstep: the batch and the threads change nothing, and bad input is refused."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    roots = np.array(number_roots(job), np.int32)
    random = np.random.default_rng(4)
    states = roots[random.integers(0, len(roots), count)]
    stops = np.stack(
        [random.integers(1, job.iterations + 1, count), random.integers(0, 1 << 60, count)]
    )
    return states, random_ranges(random, count, hands), stops.T


@pytest.mark.parametrize(("game_name", "depth"), PROBLEMS)
@pytest.mark.parametrize("name", ["dcfr", "pcfr+"])
def test_a_batch_is_the_same_as_one_at_a_time(game_name: str, depth: int | str, name: str) -> None:
    game = load_game(game_name)
    alternating = name == "dcfr"
    job = make_job(game, depth, name, iterations=4, alternating=alternating)
    count = 2000 if name == "dcfr" else 200
    states, ranges, stops = batch_of(job, count, game.num_hands)
    whole = run_by_rows(job, states, ranges, stops)
    leaves = {state: (job.outline(state)[:, 2] == _native.LEAF).sum() for state in set(states)}
    rows = np.concatenate([[0], np.cumsum([leaves[state] for state in states])])
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
    roots = np.array(number_roots(job), np.int32)
    random = np.random.default_rng(seed)
    states = roots[random.integers(0, len(roots), 5)]
    possible = job.states.possible()
    ranges = random_ranges(random, 5, game.num_hands)
    results = []
    for factor in (1.0, 2.0**power):  # exact, so that not even ties change
        job.begin(
            states, ranges * factor, np.arange(5, dtype=np.int32), np.full(5, 2, np.int32),
            np.arange(5, dtype=np.uint64), exploration=0.5, keeps_strategies=True,
        )  # fmt: skip
        while (questions := job.ask()) is not None:
            np.testing.assert_allclose(questions[1].sum(axis=2), 1, atol=1e-5)
            assert not questions[1][np.repeat(possible[questions[0], None] == 0, 2, 1)].any()
            job.answer(np.cos(7 * questions[1]))
        results.append(job.root_values())
    assert same_bits(*results)
    np.testing.assert_allclose(job.ranges().sum(axis=2), 1)
    assert not job.ranges()[np.repeat(possible[states, None] == 0, 2, 1)].any()
    assert not job.root_values()[np.repeat(possible[states, None] == 0, 2, 1)].any()
    reached = job.next_states() >= 0
    np.testing.assert_allclose(job.next_ranges()[reached].sum(axis=2), 1)
    assert not job.next_ranges()[~reached].any()
    for s in range(5):
        for _, count, actor, _, offset, _ in job.outline(int(states[s])):
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
    with pytest.raises(ValueError, match="at most 2,000 hands"):
        make_job(load_game("plo4"), 1)
    with pytest.raises(ValueError, match="board"):
        make_job(leduc, 1, board=[3])


def test_no_subgames_at_all() -> None:
    job = make_job(load_game("leduc"), "round")
    job.begin(NONE, np.zeros((0, 2, 6)), NONE, NONE, NO_SEEDS)
    assert job.ask() is None
    assert job.root_values().shape == (0, 2, 6)


@pytest.mark.parametrize(("game_name", "depth"), PROBLEMS)
def test_examples_are_the_roots_as_their_twins(game_name: str, depth: int | str) -> None:
    game = load_game(game_name)
    job = make_job(game, depth)
    roots, ranges, stops = batch_of(job, 100, game.num_hands)
    run_by_rows(job, roots, ranges, stops)
    states, shown, values = job.value_examples()
    np.testing.assert_array_equal(states, job.states.twins()[roots])
    for found, expected in (
        (shown, job.ranges()),
        (values, job.root_values() / job.states.stakes()[roots][:, None, None]),
    ):
        names = np.broadcast_to(job.states.twin_hands()[roots][:, None], expected.shape)
        back = np.take_along_axis(found, names, axis=2)
        np.testing.assert_array_equal(back, expected.astype(np.float32))
    assert (states != roots).any() == (game_name == "leduc")

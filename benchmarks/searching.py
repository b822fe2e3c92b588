# SPDX-License-Identifier: MIT
"""Measures of search with a value network: examples for ReBeL on Leduc poker.

An example is the first betting round of Leduc, solved at its own random ranges by 512 iterations
that update one player after the other, 1,024 updates in all. Each update asks the network for all
30 leaves. The network is on a CUDA device where PyTorch finds one, else on the processor.
"""

import statistics
import time
from collections.abc import Callable

import numpy as np

from benchmarks.measure import Measure, rate
from regretless.games import load_game

EXAMPLE_ITERATIONS = 512
ITERATIONS = {"cpu": 32, "cuda": 64}  # of one call; fewer count as a part of an example
FLIGHTS = {"cpu": 2, "cuda": 16}  # each on a thread of its own
NUM_SUBGAMES = {"cpu": 256, "cuda": 1024}  # in each flight; see docs/benchmarks.md


def _solver(flights: int, count: int, device: str) -> Callable[[], int]:
    """A call that solves so many subgames in each flight, and how many iterations that took."""
    import torch

    from regretless.networks.belief_network import ValueNetwork
    from regretless.networks.beliefs import BeliefValuesShape
    from regretless.search.network_answers import NetworkLeaves
    from regretless.search.subgames import SearchConfig, answer_all, make_subgames, on_threads

    iterations = ITERATIONS[device]
    config = SearchConfig(iterations=iterations, depth="round", cfr="dcfr", alternating=True)
    game = load_game("leduc")
    jobs = [make_subgames(game, config, keeps_average=False) for _ in range(flights)]
    shape = BeliefValuesShape(
        features=jobs[0].states.num_features, hands=game.num_hands, width=128, hidden=3
    )
    network = ValueNetwork(shape, torch.Generator().manual_seed(0)).to(device)
    leaves = [NetworkLeaves(network, torch.device(device)) for _ in jobs]
    randoms = [np.random.default_rng(number) for number in range(flights)]

    def solve(number: int) -> None:
        ranges = randoms[number].dirichlet(np.ones(game.num_hands), (count, 2))
        roots, stops = np.zeros(count, np.int32), np.full(count, iterations, np.int32)
        seeds = randoms[number].integers(0, 1 << 63, count, dtype=np.uint64)
        jobs[number].begin(roots, ranges, np.arange(count, dtype=np.int32), stops, seeds)
        answer_all(jobs[number], leaves[number])
        jobs[number].root_values()

    def work() -> int:
        on_threads(solve, flights, flights)
        return flights * count * iterations

    return work


def _examples(is_single: bool, seconds: float) -> float:
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    flights, count = (1, 1) if is_single else (FLIGHTS[device], NUM_SUBGAMES[device])
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        work = _solver(flights, count, device)
        return rate(work, seconds, time.perf_counter) / EXAMPLE_ITERATIONS
    finally:
        torch.set_num_threads(threads)


def _together(seconds: float) -> float:
    return _examples(False, seconds)


def _one_at_a_time(seconds: float) -> float:
    return _examples(True, seconds)


def _batching(seconds: float) -> float:
    return _together(seconds / 2) / _one_at_a_time(seconds / 2)


SEARCHING = (
    Measure(
        name="rebel_examples",
        description="Examples of Leduc poker for ReBeL, many subgames at once",
        unit="examples/s",
        run=_together,
        cores=None,
    ),
    Measure(
        name="rebel_single",
        description="The same, one subgame at a time",
        unit="examples/s",
        run=_one_at_a_time,
        cores=None,
    ),
    Measure(
        name="rebel_batching",
        description="Examples for ReBeL: many subgames at once over one at a time",
        unit="ratio",
        run=_batching,
        floor=50,
        cores=None,
        summary=statistics.median,
    ),
)

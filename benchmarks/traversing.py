# SPDX-License-Identifier: MIT
"""Measures of sampled traversals in bulk, and of Deep CFR, in heads-up no-limit hold'em.

The game is `hunl-100bb`, the networks are those of `configs/hunl_deep_cfr.yaml`: four layers of 512
with normalisation, a network for each seat, drawn and not trained, on the processor.
"""

import functools
import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.measure import Measure, rate, torch_threads
from regretless import _native
from regretless.games import load_game
from regretless.games.encoders import load_encoder

GAME, ENCODER = "hunl-100bb", "canonical24"
WIDTHS = (512, 512, 512, 512)
NUM_TRAVERSALS = 256  # begun at once
IN_FLIGHT = 2048
SCALE = 50  # what traversals and minibatches of the recipe are divided by

Answer = Callable[[_native.Questions], npt.NDArray[np.float32]]


def _uniform(questions: _native.Questions) -> npt.NDArray[np.float32]:
    return questions.legal.astype(np.float32)


def _traversing(
    answer: Answer, *, count: int = NUM_TRAVERSALS, in_flight: int = IN_FLIGHT, threads: int = 1
) -> Callable[[], int]:
    """A call that does so many traversals and returns how many questions were answered."""
    job = _native.Traversals(
        load_game(GAME), ENCODER, in_flight=in_flight, threads=threads, kept_answers=0, seed=1
    )
    iterations = itertools.count(1)

    def work() -> int:
        iteration, before = next(iterations), job.num_questions
        job.begin(iteration, iteration % 2, 0, count)
        while (questions := job.ask()) is not None:
            job.answer(answer(questions))
        job.take_samples()
        return job.num_questions - before

    return work


def _questions(seconds: float) -> float:
    return rate(_traversing(_uniform), seconds)


def _traversals(seconds: float) -> float:
    work = _traversing(_uniform)

    def counted() -> int:
        work()
        return NUM_TRAVERSALS

    return rate(counted, seconds)


def _threads(seconds: float) -> float:
    """Two threads over one, in wall time, taking turns so that noise meets both."""
    rates = {1: 0.0, 2: 0.0}
    for _, threads in itertools.product(range(3), rates):
        work = _traversing(_uniform, threads=threads)
        rates[threads] = max(rates[threads], rate(work, seconds / 6, time.perf_counter))
    return rates[2] / rates[1]


def _networks() -> Any:
    """Those that answer, by seat."""
    import torch

    from regretless.inference.seat_networks import SeatNetworks
    from regretless.networks.mlp import MlpShape
    from regretless.networks.network import Network

    game = load_game(GAME)
    encoder = load_encoder(ENCODER, game)
    shape = MlpShape(
        inputs=encoder.num_features,
        widths=WIDTHS,
        outputs=game.num_actions,
        head="advantages",
        layer_norm=True,
    )
    draws = torch.Generator().manual_seed(0)
    return SeatNetworks([Network(shape, draws) for _ in range(game.num_players)], encoder)


def _answered(threads: int, seconds: float, clock: Callable[[], float]) -> float:
    """Questions per second in batches, the networks included."""
    networks = _networks()
    with torch_threads(threads):
        return rate(_traversing(_in_batches(networks), threads=threads), seconds, clock)


def _in_batches(networks: Any) -> Answer:
    return lambda asked: networks.begin(asked.rows(ENCODER), asked.legal, asked.actors)


def _one_by_one(networks: Any) -> Answer:
    """The reference: a forward pass for every question."""
    import torch

    from regretless.networks.network import shares

    encoder = load_encoder(ENCODER, load_game(GAME))

    def answer(questions: _native.Questions) -> npt.NDArray[np.float32]:
        rows, legal = questions.rows(ENCODER), questions.legal
        found = np.empty(legal.shape, np.float32)
        with torch.inference_mode():
            for number, actor in enumerate(questions.actors):
                features = torch.from_numpy(encoder.expand(rows[number : number + 1]))
                mask = torch.from_numpy(legal[number : number + 1].copy())
                found[number] = shares("advantages", networks.networks[actor](features), mask)[0]
        return found

    return answer


def _answered_one_by_one(seconds: float) -> float:
    """Questions per second of that, with one traversal at a time."""
    answer = _one_by_one(_networks())
    with torch_threads(1):  # two would only wait for each other over one row
        return rate(_traversing(answer, count=1, in_flight=1), seconds, time.perf_counter)


def _batching(seconds: float) -> float:
    return _answered(2, seconds / 2, time.perf_counter) / _answered_one_by_one(seconds / 2)


def _sigma(seconds: float) -> float:
    return _answered(1, seconds, time.process_time)


def _iteration(seconds: float) -> float:
    """Seconds of one more iteration, which takes as long as it takes."""
    del seconds
    learner = _learner()
    with torch_threads(1):
        begun = time.process_time()
        learner.step()
        return time.process_time() - begun


@functools.cache
def _learner() -> Any:
    """After an iteration, so that all memory is at hand."""
    from regretless.algorithms.deep_cfr import DeepCFR, DeepCFRConfig

    config = DeepCFRConfig(
        encoder=ENCODER,
        traversals=10_000 // SCALE,
        in_flight=IN_FLIGHT,
        kept_answers=0,
        runouts=64,
        widths=WIDTHS,
        layer_norm=True,
        capacity=500_000,
        steps=800 // SCALE,
        batch=4096,
        strategy_capacity=500_000,
        strategy_steps=1_000 // SCALE,
        strategy_batch=4096,
        value_capacity=200_000,
        value_steps=500 // SCALE,
        value_batch=4096,
    )
    learner = DeepCFR(load_game(GAME), config)
    with torch_threads(1):
        learner.step()
    return learner


TRAVERSING = (
    Measure(
        name="traversals",
        description="Traversals for Deep CFR in heads-up no-limit hold'em, all play at random",
        unit="traversals/s",
        run=_traversals,
    ),
    Measure(
        name="traversal_questions",
        description="Questions of these, about one decision each",
        unit="questions/s",
        run=_questions,
    ),
    Measure(
        name="traversal_threads",
        description="The same: two threads over one",
        unit="ratio",
        run=_threads,
        cores=2,
        summary=statistics.median,
    ),
    Measure(
        name="sigma_questions",
        description="Questions answered by networks of 4 x 512 on the processor",
        unit="questions/s",
        run=_sigma,
    ),
    Measure(
        name="traversal_batching",
        description="The same on two cores over one traversal and one question at a time",
        unit="ratio",
        run=_batching,
        goal=20,
        cores=2,
        summary=statistics.median,
    ),
    Measure(
        name="deep_cfr_iteration",
        description=f"An iteration of Deep CFR with 1/{SCALE} of the recipe's work: less is better",
        unit="s/iteration",
        run=_iteration,
        summary=min,
    ),
)

# SPDX-License-Identifier: MIT
"""Measures of the cards and the engine."""

import functools
import itertools
import statistics
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from benchmarks.measure import Measure, Peer, Work, rate
from regretless import _native
from regretless.games import Game, load_game
from regretless.games.encoders import load_encoder
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_match
from regretless.seats.strategies import find_strategy

# Sized so that one native call takes some tens of milliseconds.
NUM_HANDS = 1 << 18
NUM_EPISODES = {2: 200_000, 6: 60_000}
NUM_LEDUC_EPISODES = 50_000
NUM_MATCH_HANDS = 50_000
NUM_NETWORK_HANDS = 1 << 14
NUM_ROUNDS = 20  # of questions and answers
NUM_ROWS = 1 << 15


def _evaluate7(seconds: float) -> float:
    hands = _random_hands()  # [NUM_HANDS, 7]

    def evaluate() -> int:
        _native.strengths(_native.Showdown.HOLDEM, _native.Deck(), hands, 2)
        return NUM_HANDS

    return rate(evaluate, seconds)


def _holdem(num_players: int, seconds: float) -> float:
    game = load_game("nlhe", players=num_players)
    return rate(_play(game, NUM_EPISODES[num_players], "episodes"), seconds)


def _leduc_selfplay(seconds: float) -> float:
    """Through the same questions and answers that a network would give, rows included."""
    game = load_game("leduc")
    seeds = itertools.count()

    def play() -> int:
        job = _native.SelfPlay(
            game, NUM_LEDUC_EPISODES, seed=next(seeds), record=False, encoders=["slots12"]
        )
        while (questions := job.ask()) is not None:
            job.answer(questions.legal.astype(np.float32))
        return job.num_decisions

    return rate(play, seconds)


def _questions(num_players: int, as_floats: bool, seconds: float) -> float:
    """With rows, or with all their features made natively at every question as well."""
    game = load_game("nlhe", players=num_players)
    encoder = load_encoder("slots12", game)
    job = _native.SelfPlay(game, record=False, encoders=["slots12"])  # without an end

    def play() -> int:
        before = job.num_decisions
        for _ in range(NUM_ROUNDS):
            questions = job.ask()
            assert questions is not None
            if as_floats:
                encoder.expand(questions.rows("slots12"))
            job.answer(questions.legal.astype(np.float32))
        return job.num_decisions - before

    return rate(play, seconds)


def _rows_over_floats(num_players: int, seconds: float) -> float:
    """Taking turns so that noise meets both."""
    rates = {True: 0.0, False: 0.0}
    for _, as_floats in itertools.product(range(3), rates):
        found = _questions(num_players, as_floats, seconds / 6)
        rates[as_floats] = max(rates[as_floats], found)
    return rates[False] / rates[True]


def _expand(seconds: float) -> float:
    game = load_game("nlhe")
    encoder = load_encoder("slots12", game)
    questions = _native.SelfPlay(game, NUM_ROWS, tables=NUM_ROWS, encoders=["slots12"]).ask()
    assert questions is not None
    rows = questions.rows("slots12")

    def expand() -> int:
        return len(encoder.expand(rows))

    return rate(expand, seconds)


def _match(seconds: float) -> float:
    """Two bots that look at their cards, from the deal to intervals and styles."""
    game = load_game("nlhe")
    policies = [BOTS[name](game) for name in ("tight-aggressive", "pot-odds")]
    seeds = itertools.count()

    def play() -> int:
        return play_match(game, policies, MatchConfig(NUM_MATCH_HANDS, seed=next(seeds))).hands

    return rate(play, seconds)


def _network_match(seconds: float) -> float:
    """The networks of 4 x 512 that ship, against themselves."""
    found = find_strategy("hunl-deep-cfr")
    seeds = itertools.count()

    def play() -> int:
        config = MatchConfig(NUM_NETWORK_HANDS, seed=next(seeds))
        return play_match(found.game, [found.policy] * 2, config).hands

    return rate(play, seconds)


def _threads(seconds: float) -> float:
    """Two threads over one, in wall time, taking turns so that noise meets both."""
    game = load_game("nlhe")
    rates: dict[int, float] = {1: 0.0, 2: 0.0}
    for _, threads in itertools.product(range(3), rates):
        play = _play(game, 2 * NUM_EPISODES[2], "episodes", threads)
        rates[threads] = max(rates[threads], rate(play, seconds / 6, time.perf_counter))
    return rates[2] / rates[1]


def _play(game: Game, num_episodes: int, counted: str, threads: int = 1) -> Callable[[], int]:
    """A call that plays random episodes and returns how many of what is `counted` it did."""
    seeds = itertools.count()

    def play() -> int:
        return int(_native.play_random(game, num_episodes, next(seeds), threads)[counted])

    return play


@functools.cache
def _random_hands() -> npt.NDArray[np.uint8]:
    decks = np.tile(np.arange(52, dtype=np.uint8), (NUM_HANDS, 1))  # [NUM_HANDS, 52]
    return np.ascontiguousarray(np.random.default_rng(0).permuted(decks, axis=1)[:, :7])


def _holdem_peers(measure: str) -> tuple[Peer, ...]:
    return (
        Peer("pokers", measure, target=4),
        Peer("rlcard", measure, target=60),
        Peer("pokerkit", measure, target=300),
        Peer("open_spiel", measure),
    )


PLAYING = (
    Measure(
        name="evaluate7",
        description="Strengths of random seven-card hands",
        unit="evaluations/s",
        run=_evaluate7,
        work=lambda: Work(7 + 4, NUM_HANDS * (7 + 4)),  # cards in, strengths out
        peers=(Peer("phevaluator", "evaluate7", target=50),),
        floor=150e6,
        goal=500e6,
    ),
    Measure(
        name="holdem2",
        description="Random no-limit hold'em for two, from deal to payoff",
        unit="episodes/s",
        run=functools.partial(_holdem, 2),
        peers=_holdem_peers("holdem2"),
        floor=500e3,
        goal=10e6,
    ),
    Measure(
        name="holdem6",
        description="Random no-limit hold'em for six, from deal to payoff",
        unit="episodes/s",
        run=functools.partial(_holdem, 6),
        peers=_holdem_peers("holdem6"),
        floor=150e3,
        goal=3e6,
    ),
    Measure(
        name="leduc_selfplay",
        description="Random decisions in Leduc poker through SelfPlay, 2,048 tables",
        unit="decisions/s",
        run=_leduc_selfplay,
        peers=(Peer("pgx", "leduc_selfplay", target=2),),
    ),
    *(
        Measure(
            name=f"questions{players}",
            description=f"Random decisions in no-limit hold'em for {players} through SelfPlay",
            unit="decisions/s",
            run=functools.partial(_questions, players, False),
        )
        for players in (2, 6)
    ),
    *(
        Measure(
            name=f"rows_over_floats{players}",
            description=f"The same for {players} over making all features at every question",
            unit="ratio",
            run=functools.partial(_rows_over_floats, players),
        )
        for players in (2, 6)
    ),
    Measure(
        name="expand",
        description="Rows of no-limit hold'em for two to 700 floats each, natively",
        unit="rows/s",
        run=_expand,
    ),
    Measure(
        name="match",
        description="Hands of a match in no-limit hold'em for two: tight-aggressive v pot-odds",
        unit="hands/s",
        run=_match,
        floor=1e6,
    ),
    Measure(
        name="network_match",
        description="Hands of a match in hunl-100bb between networks of 4 x 512",
        unit="hands/s",
        run=_network_match,
        goal=20e3,
    ),
    Measure(
        name="threads",
        description="Random no-limit hold'em for two: two threads over one",
        unit="ratio",
        run=_threads,
        floor=1.7,
        cores=2,
        summary=statistics.median,
    ),
)

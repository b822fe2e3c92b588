# SPDX-License-Identifier: MIT
"""Two lines that change only if results do: fixed small pieces of work, hashed.

The first line is the same on every processor: numbers are written with eight digits, and PyTorch,
whose rounding depends on the processor, takes no part. The second line is a short training of every
learner; it is the same on equal processors with the same release of PyTorch.
"""

import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.solving import RIVER_BOARD, RIVER_MENU, TURN_BOARD, TURN_MENU
from regretless import _native
from regretless.algorithms import make_algorithm, make_solver
from regretless.equities import equity
from regretless.evaluation.lbr import LbrConfig, local_best_response
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.matches.bots import BOTS
from regretless.matches.match import MatchConfig, play_match
from regretless.policies.asking import policy_table
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import SearchConfig, solved_leaves


@dataclass(frozen=True)
class Learning:
    """A short training of a learner: its game, its options, and the number of steps."""

    game: str
    options: dict[str, Any]
    steps: int = 2


def signature() -> dict[str, str]:
    """For each piece of work the hash of its results, and `all` for all of them."""
    parts = {name: _hash(work()) for name, work in PARTS.items()}
    return parts | {"all": _hash(f"{name} {part}" for name, part in parts.items())}


def _episodes() -> Iterable[str]:
    """Cards, actions and payoffs of random play."""
    for name, players in (
        *(("kuhn", 2), ("leduc", 2), ("nlhe", 2), ("nlhe", 6), ("plo5", 2)),
        *(("short-deck", 3), ("liars-dice-2x3f", 2)),
    ):
        options = {} if name.startswith("liars") else {"players": players}
        job = _native.SelfPlay(load_game(name, **options), 200, seed=7)
        while (questions := job.ask()) is not None:
            yield f"{questions.infosets.tobytes().hex()}"
            job.answer(questions.legal.astype(np.float32))
        steps = job.take_steps()
        for column, values in (
            *(("payoffs", steps.payoffs), ("hands", steps.hands), ("boards", steps.boards)),
            *(("offsets", steps.offsets), ("actors", steps.actors), ("slots", steps.slots)),
            ("streets", steps.streets),
        ):
            yield f"{name} {column} {values.astype('<i8').tobytes().hex()}"


def _equities() -> Iterable[str]:
    """Exact and sampled."""
    for hands, board, rule, method in (
        (["AsAh", "KsKh"], "", "holdem", "exact"),
        (["22+,A2s+", "KQs,T9o", "random"], "Td9d6h", "holdem", "monte-carlo"),
        (["AsKsQhJh", "TcTd9c8d"], "2s7h8s", "omaha", "exact"),
        (["JsTs", "AhKd"], "", "short-deck", "exact"),
    ):
        found = equity(hands, board, rule=rule, method=method, samples=20_000, threads=1)  # type: ignore[arg-type]
        yield from map(_digits, found.equities)


def _solves() -> Iterable[str]:
    """Exploitability and value of every member of the CFR family, and of the sampling ones."""
    for game, names, steps in (
        ("kuhn", ("cfr", "cfr+", "linear", "dcfr", "pcfr+", "pdcfr+", "fictitious-play"), 50),
        ("leduc", ("cfr+", "dcfr", "pcfr+"), 50),
        ("liars-dice-1x4f", ("cfr+", "dcfr"), 20),
    ):
        for name in names:
            yield from _solved(game, name, steps)


def _sampling() -> Iterable[str]:
    """One training of each algorithm that samples."""
    for game, name, steps in (
        ("leduc", "mccfr", 2),
        ("leduc", "mccfr-outcome", 2),
        ("kuhn", "rl-cfr", 2),
        ("kuhn", "q-learning", 3),
    ):
        yield from _solved(game, name, steps)


def _solved(game: str, name: str, steps: int) -> Iterable[str]:
    solver = make_solver(name, load_game(game), seed=5)
    solver.step(steps)
    figures = (solver.exploitability(), *solver.values())
    yield f"{game} {name} {' '.join(map(_digits, figures))}"


def _spots() -> Iterable[str]:
    """Hold'em spots in single precision and in 16 bits."""
    for board, menu, ranges, precision, steps in (
        (RIVER_BOARD, RIVER_MENU, ("random", "random"), 32, 20),
        (RIVER_BOARD, RIVER_MENU, ("random", "random"), 16, 20),
        (TURN_BOARD, TURN_MENU, ("AA,KQs,T9s,76s", "QQ,AJs,98s"), 32, 4),
    ):
        spot = make_spot(board, 200, 900, *ranges, menu)
        solver = make_solver("dcfr", spot.game, precision=precision)
        solver.step(steps)
        figures = (solver.exploitability(), *solver.values())
        yield f"{board} {precision} {' '.join(_digits(each, 6) for each in figures)}"


def _search() -> Iterable[str]:
    """A player who searches Leduc with exact leaves."""
    game = load_game("leduc")
    exact = solved_leaves(game, SearchConfig(60, "round", "cfr+"))
    player = SearchProfileTable(game, SearchConfig(16, "round", "linear"), exact)
    yield _digits(player.exploitability(), 6)


def _matches() -> Iterable[str]:
    """Bots against each other, and local best response."""
    game = load_game("nlhe", players=2)
    bots = {name: make(game) for name, make in BOTS.items()}
    config = MatchConfig(2_000, seed=3)
    for name, bot in bots.items():
        result = play_match(game, [bot, bots["random"]], config)
        yield f"{name} {_digits(result.players[0].won.mean)}"
    leduc = load_game("leduc")
    found = local_best_response(leduc, BOTS["random"](leduc), 2_000, LbrConfig(seed=3))
    yield _digits(found.value)


PARTS: dict[str, Callable[[], Iterable[str]]] = {
    "episodes": _episodes,
    "equities": _equities,
    "solves": _solves,
    "sampling": _sampling,
    "spots": _spots,
    "search": _search,
    "matches": _matches,
}


_CFR = {"traversals": 60, "steps": 8, "batch": 64, "widths": [16, 16]}
_DEEP = _CFR | {"strategy_steps": 8, "strategy_batch": 64}
_REBEL = {"iterations": 16, "games": 16, "examples": 64, "width": 16, "layers": 2}
_REBEL |= {"minibatches": 8, "batch": 32, "play_iterations": 16, "validation": 8}
_NFSP = {"episodes": 128, "batch": 64, "widths": [16, 16], "min_transitions": 64}
LEARNINGS: dict[str, tuple[str, Learning]] = {
    "deep-cfr": ("deep-cfr", Learning("leduc", _DEEP)),
    "deep-cfr/pdcfr+": ("deep-cfr", Learning("leduc", _DEEP | {"rule": "pdcfr+"})),
    "deep-cfr/hold'em": (
        "deep-cfr",
        Learning(
            "nlhe",
            _DEEP
            | {"traversals": 20, "encoder": "composition", "runouts": 4, "stake_power": 1.0}
            | {"layer_norm": True, "residual": True},
        ),
    ),
    "sd-cfr": ("sd-cfr", Learning("leduc", _CFR)),
    "nfsp": ("nfsp", Learning("leduc", _NFSP | {"average_tau": 0.01, "temperature": 0.3}, 4)),
    "nfsp/hold'em": (
        "nfsp",
        Learning(
            "nlhe",
            _NFSP
            | {"encoder": "table30", "rename_suits": True, "dueling": True, "stake_power": 1.0}
            | {"history_layers": 1, "history_width": 16, "history_outputs": 16},
        ),
    ),
    "rebel": ("rebel", Learning("leduc", _REBEL | {"average": 0.9})),
    "rebel/warm": ("rebel", Learning("kuhn", _REBEL | {"depth": 1, "warm_start": 4})),
}


def learner_signature() -> dict[str, str]:
    """For each short training the hash of its figures, at full precision."""
    return {
        name: _hash(f"{key} {value!r}" for key, value in learner_figures(name).items())
        for name in LEARNINGS
    }


def learner_figures(name: str) -> dict[str, float]:
    """The metrics after a short training, and sums over the policy that was learned."""
    import torch

    algorithm, learning = LEARNINGS[name]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        game = load_game(learning.game)
        made = make_algorithm(algorithm, game, seed=5, **learning.options)
        found = dict(made.step(learning.steps))
        if learning.game != "nlhe":
            table = policy_table(game, made.policy())
            numbers = np.arange(1, table.probabilities.size + 1) / table.probabilities.size
            found["policy"] = float(np.sort(table.probabilities.ravel()) @ numbers)
            found["policy/squares"] = float(np.square(table.probabilities).sum())
    finally:
        torch.set_num_threads(threads)
    return {key: float(found[key]) for key in sorted(found)}


def _digits(value: float, digits: int = 8) -> str:
    """As many as agree on every processor; a sum that is 0 up to rounding is 0."""
    return "0" if math.isclose(value, 0, abs_tol=1e-12) else f"{value:.{digits - 1}e}"


def _hash(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()[:12]

# SPDX-License-Identifier: MIT
"""Subgames as a search sets them up, and the loop that answers their questions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game, with_public_view
from regretless.notation.cards import parse_cards
from regretless.search.leaf_values import LeafValues
from regretless.solvers.problem import CFRConfig, make_discounts
from regretless.watch import UNWATCHED, Watch

_MOST_STATES = 200_000


@dataclass(frozen=True)
class SearchConfig:
    """How a subgame is cut off and solved."""

    iterations: int = 512
    """Each updates both players once; papers that count updates of either count twice as many."""
    depth: int | str = "round"
    """Decisions on any path of a subgame, or "round": until the next betting round begins."""
    cfr: str = "dcfr"
    """One of cfr, cfr+, linear, dcfr, pcfr+, pdcfr+."""
    alternating: bool = True
    """The second player answers the first one's new strategy; else both answer the old ones."""
    warm_start: int = 0
    """Iterations that strategies given beforehand count for; 0: begin with uniform ones."""
    threads: int = 1
    """Subgames are shared out among them; the number does not change the result."""
    board: tuple[int, ...] | str = ()
    """Public cards of the root, for games that begin with some: numbers, or text as `Ks 7d 3h`."""
    max_bytes: int = 1 << 33
    """Refuse subgames that would take more memory."""


def search_discounts(config: SearchConfig) -> _native.Discounts:
    """The member of the CFR family."""
    return make_discounts(CFRConfig(config.cfr, alternating=config.alternating))


def read_board(game: Game, board: tuple[int, ...] | str) -> list[int]:
    """The cards by number."""
    if not isinstance(board, str):
        return list(board)
    if game.deck is None:
        raise InputError(f"board: {game.name} has none")
    return list(parse_cards(board, game.deck))


def make_subgames(
    game: Game, config: SearchConfig, *, keeps_average: bool = True
) -> _native.Subgames:
    """A job whose public states are all numbered, so equal configs give equal numbers."""
    depth = config.depth
    if not (depth == "round" or (isinstance(depth, int) and depth >= 1)):
        raise InputError(f"depth: must be a number of decisions or 'round', not {depth!r}")
    if isinstance(game, _native.Poker) and game.weights:
        raise InputError(f"{game.name}: a search begins with every hand alike, not with ranges")
    try:
        job = _native.Subgames(
            with_public_view(game, "search"),
            search_discounts(config),
            iterations=config.iterations,
            max_decisions=depth if isinstance(depth, int) else 0,
            ends_with_round=depth == "round",
            keeps_average=keeps_average,
            warm_start=config.warm_start,
            threads=config.threads,
            board=read_board(game, config.board),
            max_bytes=config.max_bytes,
        )
        state = 0
        while state < job.num_states:
            job.outline(state)
            state += 1
            if job.num_states > _MOST_STATES:
                raise InputError(f"{game.name}: more than {_MOST_STATES:,} public states to search")
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None
    return job


Strategies = Callable[[NDArray[np.int32], NDArray[np.float32]], NDArray[np.float32]]
"""Decisions [rows] and ranges [rows, 2, hands] in, probabilities [rows, slots, hands] out."""


def answer_all(
    job: _native.Subgames | _native.SearchProfile,
    leaves: LeafValues,
    strategies: Strategies | None = None,
    watch: Watch = UNWATCHED,
) -> None:
    """Answer until the job asks no more; a warm start needs `strategies`."""
    known = np.full(1, -1, np.int32)
    while True:
        watch.look("searching")
        if (begins := job.ask_strategies()) is not None:
            if strategies is None:
                raise InputError("warm_start: needs strategies to begin with")
            answers = strategies(*begins)
            begins = None  # the job writes to the same memory again if nobody keeps the questions
            job.answer_strategies(answers)
        elif (questions := job.ask()) is not None:
            if not np.array_equal(questions[0], known):
                known = np.array(questions[0])
                leaves.prepare(known)
            values = leaves(questions[1])
            questions = None
            job.answer(values)
        else:
            return


def on_threads(work: Callable[[int], None], count: int, threads: int) -> None:
    """Do work(0) ... work(count - 1), so many at once."""
    if threads == 1 or count == 1:
        for number in range(count):
            work(number)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(count)))

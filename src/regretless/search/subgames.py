# SPDX-License-Identifier: MIT
"""Subgames of a search, and the loop that answers their questions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games import Game, with_public_view
from regretless.notation.cards import parse_cards
from regretless.search.leaf_values import LeafValues, SolvedLeaves
from regretless.solvers.problem import FamilyConfig, make_discounts
from regretless.watch import UNWATCHED, Watch

_MOST_ROOTS = 200_000


@dataclass(frozen=True)
class SearchConfig:
    """Depth and solver of the subgames."""

    iterations: int = 512
    """Each updates both players once; papers that count updates of either count twice as many."""
    depth: int | str = "round"
    """Decisions on any path of a subgame; or "round": until the next betting round begins; or
    "end": to the end of the game."""
    cfr: str = "dcfr"
    """One of cfr, cfr+, linear, dcfr, pcfr+, pdcfr+."""
    alternating: bool = True
    """The second player answers the first one's new strategy; else both answer the old ones."""
    warm_start: int = 0
    """Iterations that the strategies of a policy network count for, which the search begins with;
    0: it begins with uniform strategies."""
    threads: int = 1
    """Subgames are shared out among them; the number does not change the result."""
    board: tuple[int, ...] | str = ()
    """Public cards of the root, for games that begin with some: numbers, or text as `Ks 7d 3h`."""
    max_bytes: int = 1 << 33
    """Refuse subgames that would take more memory."""


def search_discounts(config: SearchConfig) -> _native.Discounts:
    """Returns the weights of the member of the CFR family."""
    return make_discounts(FamilyConfig(config.cfr, alternating=config.alternating))


def read_board(game: Game, board: tuple[int, ...] | str) -> list[int]:
    """Returns the cards by number."""
    if not isinstance(board, str):
        return list(board)
    if game.deck is None:
        raise InputError(f"board: {game.name} has none")
    return list(parse_cards(board, game.deck))


def make_states(game: Game, board: tuple[int, ...] | str = ()) -> _native.PublicStates:
    """Returns the catalogue of a game's public states, which numbers them on demand."""
    with refusing(game.name):
        return _native.PublicStates(with_public_view(game, "search"), board=read_board(game, board))


def make_subgames(
    game: Game,
    config: SearchConfig,
    *,
    keeps_average: bool = True,
    states: _native.PublicStates | None = None,
) -> _native.Subgames:
    """Returns a solver of subgames, over the catalogue `states` or over one of its own."""
    depth = config.depth
    if not (depth in ("round", "end") or (isinstance(depth, int) and depth >= 1)):
        raise InputError(f"depth: must be a number of decisions, 'round' or 'end', not {depth!r}")
    with refusing(game.name):
        return _native.Subgames(
            states or make_states(game, config.board),
            search_discounts(config),
            iterations=config.iterations,
            max_decisions=depth if isinstance(depth, int) else 0,
            ends_with_round=depth == "round",
            keeps_average=keeps_average,
            warm_start=config.warm_start,
            threads=config.threads,
            max_bytes=config.max_bytes,
        )


def solved_leaves(game: Game, config: SearchConfig) -> Callable[[_native.Subgames], SolvedLeaves]:
    """Returns leaf values for any search of a game: leaves solved by `config`."""

    def make(job: _native.Subgames) -> SolvedLeaves:
        return SolvedLeaves(make_subgames(game, config, keeps_average=False, states=job.states))

    return make


def number_roots(job: _native.Subgames, watch: Watch = UNWATCHED) -> list[int]:
    """Numbers the roots of all subgames that follow each other from the root of the game.

    Equal searches number them alike, in any process. InputError where they are too many to list.
    """
    roots, known = [0], {0}
    for root in roots:
        watch.look("listing subgames")
        with refusing():
            outline = job.outline(root)
        for leaf in outline[outline[:, 2] == _native.LEAF, 3].tolist():
            if leaf not in known:
                known.add(leaf)
                roots.append(leaf)
        if len(roots) > _MOST_ROOTS:
            raise InputError(f"more than {_MOST_ROOTS:,} subgames to list")
    return roots


Strategies = Callable[
    [NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]], NDArray[np.float32]
]
"""Features [rows, features], legal slots [rows, slots] and ranges [rows, 2, hands] of decisions
in, probabilities [rows, slots, hands] out."""


def answer_all(
    job: _native.Subgames | _native.SearchProfile,
    leaves: LeafValues | None,
    strategies: Strategies | None = None,
    watch: Watch = UNWATCHED,
) -> None:
    """Answers until the job asks no more; a warm start needs `strategies`, leaves need `leaves`."""
    known = np.full(1, -1, np.int32)
    while True:
        watch.look("searching")
        if (begins := job.ask_strategies()) is not None:
            if strategies is None:
                raise InputError("warm_start: needs strategies to begin with")
            features, legal = job.states.features(begins[0]), job.states.legal(begins[0])
            answers = strategies(features, legal, begins[1])
            begins = None  # lets the job write to the same memory again
            job.answer_strategies(answers)
        elif (questions := job.ask()) is not None:
            if leaves is None:
                raise InputError("depth: subgames with leaves need leaf values")
            if not np.array_equal(questions[0], known):
                known = np.array(questions[0])
                states = job.states
                leaves.prepare(states.features(known), states.stakes(known), states.possible(known))
            values = leaves(questions[1])
            questions = None
            job.answer(values)
        else:
            return


def on_threads(work: Callable[[int], None], count: int, threads: int) -> None:
    """Calls work(0) ... work(count - 1) on some threads."""
    if threads == 1 or count == 1:
        for number in range(count):
            work(number)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(count)))

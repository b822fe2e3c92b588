# SPDX-License-Identifier: MIT
"""Hands that are heads-up after the flop, solved on demand with the bets that were made in them.

The tree begins on the first street that fits the budget. Its sizes are those of the hand and one
usual size beside them; ranges are given, or those of a strategy after its actions so far.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless import _native
from regretless.database.strategy_hands import SeenDecision
from regretless.errors import InputError
from regretless.explorer.nodes import SolvedTree
from regretless.games.episodes import legal_slots
from regretless.games.face import view
from regretless.games.spots import Spot, make_spot
from regretless.games.translation import CALL, FOLD, action_kind, pot_percent, raise_slots
from regretless.histories.lines import Step, format_line
from regretless.notation.cards import STREETS, format_cards, parse_cards
from regretless.solving.forecast import forecast_solve
from regretless.solving.solution import Problem

_USUAL = {"open": 50.0, "raise": 100.0}  # % of the pot
_NEAR = 20.0  # a usual size so near to one of the hand is left out
_LEAST_ITERATIONS = 100  # that must fit the budget by the forecast
_MOST_BYTES = 2 << 30
_TARGET = 0.5  # % of the pot
_WORST = 3.0  # % of the pot; values of a tree that is further off are not shown
_FORCE_ALL_IN = 0.2

Ranges = tuple[str, str]
FindRanges = Callable[[list[SeenDecision], tuple[int, int]], Ranges]
"""Ranges out of and in position, from the decisions before the spot and the two seats."""


@dataclass(frozen=True)
class SolvedHand:
    """The values of one hand's decisions, and what was assumed for them."""

    street: str
    """The street that the tree begins on."""
    ranges: Ranges
    exploitability: float
    """% of the pot."""
    iterations: int
    seconds: float
    lost: dict[int, float]
    """Chips lost by each decision of the player, by its place in the hand."""
    best: dict[int, str]
    """The best action at each of them, in big blinds."""


def solve_hand(
    decisions: list[SeenDecision], hero: int, find_ranges: FindRanges, seconds: float
) -> SolvedHand | None:
    """Solves the hand from the first street that fits; None if it has no spot for the player.

    InputError if no street fits the budget.
    """
    problem, end = "", time.monotonic() + seconds
    for first in spot_starts(decisions, hero):
        root = decisions[first].real
        pair = tuple(seat for seat, is_live in enumerate(root.live) if is_live)
        seats = (pair[0], pair[1])
        ranges = find_ranges(decisions[:first], seats)
        later = [each for each in decisions[first:] if each.seat in seats]
        try:
            spot = _spot(root, seats, ranges, later)
            left = max(0.1, end - time.monotonic())
            options = _options(spot, left)
        except InputError as error:
            problem = str(error)
            continue
        solved = _solved(spot, options, decisions, first, hero, ranges, left)
        if solved.exploitability <= _WORST:
            return solved
        reached = f"{solved.exploitability:.2g} % of the pot after {seconds:g} s"
        problem = f"the {solved.street} was solved to {reached} only: give more --seconds"
    if problem:
        raise InputError(problem)
    return None


def spot_starts(decisions: list[SeenDecision], hero: int) -> list[int]:
    """The first decisions of streets after the flop that two players with chips begin."""
    found, street = [], 0
    for place, each in enumerate(decisions):
        real = each.real
        if real.street == street:
            continue
        street = real.street
        live = [seat for seat, is_live in enumerate(real.live) if is_live]
        is_there = any(later.seat == hero for later in decisions[place:])
        if len(live) == 2 and is_there and all(real.stacks[seat] for seat in live):
            found.append(place)
    return found


def _spot(
    root: _native.PokerEpisode, seats: tuple[int, int], ranges: Ranges, later: list[SeenDecision]
) -> Spot:
    sizes: dict[str, dict[str, list[float]]] = {
        street: {kind: [] for kind in _USUAL} for street in STREETS[root.street :]
    }
    for each in later:
        if each.action > CALL:
            kind = "raise" if max(each.real.bets) else "open"
            sizes[STREETS[each.real.street]][kind].append(pot_percent(each.real, each.action))
    menu: dict[str, Any] = {
        street: {kind: _sizes(found, _USUAL[kind]) for kind, found in rows.items()}
        for street, rows in sizes.items()
    }
    board = format_cards(root.board, root.game.rules.deck)
    return make_spot(
        board,
        root.pot,
        min(root.stacks[seat] for seat in seats),
        *ranges,
        {**menu, "force_all_in": _FORCE_ALL_IN},
        min_bet=root.game.rules.bets[0],
    )


def _sizes(found: list[float], usual: float) -> list[str]:
    sizes = sorted(set(found))
    if all(abs(each - usual) > _NEAR for each in sizes):
        sizes.append(usual)
    return list(dict.fromkeys(f"{each:.2f}%" for each in sizes))


def _options(spot: Spot, seconds: float) -> dict[str, Any]:
    """The precision; InputError if memory or time do not suffice."""
    for precision in (32, 16):
        forecast = forecast_solve("dcfr", spot.game, {"precision": precision})
        if forecast.memory_bytes <= _MOST_BYTES:
            break
    else:
        raise InputError("the tree needs more than 2 GiB")
    if forecast.iteration_seconds * _LEAST_ITERATIONS > seconds:
        due = forecast.iteration_seconds * _LEAST_ITERATIONS
        raise InputError(
            f"{_LEAST_ITERATIONS} iterations take about {due:.0f} s: give more --seconds"
        )
    return {"precision": precision}


def _solved(
    spot: Spot,
    options: dict[str, Any],
    decisions: list[SeenDecision],
    first: int,
    hero: int,
    ranges: Ranges,
    seconds: float,
) -> SolvedHand:
    problem = Problem.make(spot, **options)
    solution = problem.solve(problem.budget(None, _TARGET, seconds))
    tree, now = problem.tree(), spot.game.episode_of()
    steps: list[Step] = []
    lost, best = dict[int, float](), dict[int, str]()
    for place in range(first, len(decisions)):
        each = decisions[place]
        _deal(now, each.real, steps)
        if now.is_terminal or now.actor < 0:
            break
        slot = _slot(now, each)
        if each.seat == hero:
            hole = set(each.real.hole(hero))
            lost[place], best[place] = _loss(tree, steps, hole, slot, now)
        steps.append(Step(slot, (), view(now).slot_word(slot)))
        now.choose(slot)
    return SolvedHand(
        STREETS[decisions[first].real.street],
        ranges,
        float("nan") if solution.exploitability is None else solution.exploitability,
        solution.iterations,
        solution.progress.seconds,
        lost,
        best,
    )


def _deal(now: Any, real: _native.PokerEpisode, steps: list[Step]) -> None:
    """Deals the public cards that the real hand has by now."""
    while not now.is_terminal and now.actor == _native.CHANCE and len(real.board) > len(now.board):
        card = real.board[len(now.board)]
        steps.append(Step(None, (card,), format_cards([card], real.game.rules.deck)))
        now.deal_board([card])


def _slot(now: Any, decision: SeenDecision) -> int:
    """The slot of the spot nearest to a real action."""
    offer = now.offer
    if decision.action == FOLD and offer[0] is not None:
        return 0
    raises = raise_slots(now)
    if decision.action <= CALL or not raises:
        return int(offer.index(0))
    return raises[min(raises, key=lambda amount: abs(amount - decision.action))]


def _loss(
    tree: SolvedTree, steps: list[Step], hole: set[int], slot: int, now: Any
) -> tuple[float, str]:
    """Chips lost by a slot with this hand, and the best action's text."""
    node = tree.node(format_line(steps), equities=False)
    deck = now.game.rules.deck
    names = node.acting.hands
    index = next(i for i, name in enumerate(names) if set(parse_cards(name, deck)) == hole)
    values = np.array([choice.values[index] for choice in node.choices])
    if np.isnan(values).all():
        return float("nan"), ""
    word = view(now).slot_word(slot)
    chosen = next(i for i, choice in enumerate(node.choices) if choice.word == word)
    top = int(np.nanargmax(values))
    action = now.offer[_slot_of(now, node.choices[top].word)]
    return float(values[top] - values[chosen]), bet_text(now, action, now.game.rules.bets[0])


def _slot_of(now: Any, word: str) -> int:
    return next(slot for slot in legal_slots(now) if view(now).slot_word(slot) == word)


def bet_text(episode: _native.PokerEpisode, action: int, big: int) -> str:
    """An action with its amount in big blinds: `raise to 7.5`."""
    kind = action_kind(episode, action)
    if kind in ("fold", "check"):
        return kind
    chips = episode.to_call if action == CALL else action
    return f"{kind}{' to' if kind == 'raise' else ''} {chips / big:.4g}"

# SPDX-License-Identifier: MIT
"""A strategy over a public tree by names of infosets: `K:cr` or `Kc:cc/Jd:`, hand and history."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.games.loading import Game
from regretless.notation.cards import format_cards


def named_strategy(
    game: Game,
    solver: _native.VectorSolver,
    strategy_at: Callable[[int], NDArray[np.float64]],
) -> dict[str, NDArray[np.float64]]:
    """Every infoset with the probabilities of all slots, from [actions, hands] of each node.

    A node that stands for several public cards is listed under each of them.
    """
    actors, first, count = solver.actors, solver.first_children, solver.num_children
    events = solver.events
    hands = [[_hand_name(game, int(h)) for h in solver.hands(p)] for p in range(2)]
    letters = _action_letters(game)
    here = [np.arange(len(hands[p]), dtype=np.int32) for p in range(2)]
    stack: list[tuple[int, str, list[NDArray[np.int32]]]] = [(0, "", here)]
    strategy: dict[str, NDArray[np.float64]] = {}
    while stack:
        node, history, places = stack.pop()
        actor, children = actors[node], range(first[node], first[node] + count[node])
        if actor == _native.CHANCE:
            for child in children:
                stack.extend(_below_chance(game, solver, child, history, places))
        elif actor >= 0:
            table = np.zeros((game.num_actions, len(hands[actor])))
            table[events[children.start : children.stop]] = strategy_at(node)
            possible = solver.hands_possible(node, int(actor))
            for h, place in enumerate(places[actor]):
                if possible[place]:
                    strategy[f"{hands[actor][h]}:{history}"] = table[:, place]
            for child in children:
                stack.append((child, history + letters[events[child]], places))
    return strategy


def _below_chance(
    game: Game,
    solver: _native.VectorSolver,
    child: int,
    history: str,
    places: list[NDArray[np.int32]],
) -> Iterator[tuple[int, str, list[NDArray[np.int32]]]]:
    """A kept public card under its own name and under the names of those it stands for."""
    for member, outcome in enumerate(solver.outcomes(child)):
        moved = [solver.renamed_hands(child, member, p)[places[p]] for p in range(2)]
        yield child, f"{history}/{_outcome_name(game, outcome)}:", moved


def _hand_name(game: Game, hand: int) -> str:
    if isinstance(game, _native.LiarsDice):
        digits = []
        for _ in range(game.num_dice):
            hand, digit = divmod(hand, game.num_faces)
            digits.append(str(digit + 1))
        return "".join(reversed(digits))
    deck = game.rules.deck
    return format_cards(_native.hand_cards(deck, game.rules.num_hole_cards)[hand].tolist(), deck)


def _outcome_name(game: Game, outcome: int) -> str:
    assert isinstance(game, _native.Poker) and game.rules.num_board_cards == 1
    return format_cards([outcome], game.rules.deck)


def _action_letters(game: Game) -> list[str]:
    if isinstance(game, _native.LiarsDice):
        return [f"[{name.replace(' ', '')}]" for name in game.action_names]
    names = game.action_names
    return ["f", "c", *(["r"] if len(names) == 3 else [f"[{name}]" for name in names[2:]])]

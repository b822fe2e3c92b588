# SPDX-License-Identifier: MIT
"""The CFR family on native two-player games, over the public tree with vectors of hands.

Counterfactual regret minimisation (Zinkevich et al. 2007), CFR+ (Tammelin 2014), linear and
discounted CFR (Brown and Sandholm 2019), PCFR+ (Farina et al. 2021) and PDCFR+ (Xu et al. 2024).
One iteration updates both players once, by default one after the other (alternating).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.cards import format_cards
from regretless.options import read_options
from regretless.policy import TablePolicy
from regretless.strategy_table import TableEvaluator

NAMES = tuple(_native.cfr_family())


@dataclass(frozen=True)
class CFRConfig:
    """Which member of the family, and on what."""

    name: str = "cfr+"
    """One of cfr, cfr+, linear, dcfr, pcfr+, pdcfr+."""
    alpha: float | None = None
    """After iteration t a positive regret is multiplied by t^alpha / (t^alpha + 1)."""
    beta: float | None = None
    """The same for a negative regret."""
    gamma: float | None = None
    """Iteration t counts t^gamma in the average strategy."""
    alternating: bool = True
    """The second player answers the first one's new strategy; else both answer the old ones."""
    threads: int = 1
    """Used below public chance nodes; the number does not change the result."""
    merge_suits: bool = True
    """Solve public cards that a renaming of suits makes equal only once."""
    max_bytes: int = 1 << 36
    """Refuse problems that would take more memory."""
    board: tuple[int, ...] = ()
    """Public cards of the root, for games that begin with some."""
    weights: tuple[Sequence[float], Sequence[float]] | None = None
    """Weight of every hand of each player at the root; none: all equal."""


class CFR:
    """A solver of the CFR family; implements `Algorithm`."""

    def __init__(self, game: Game, config: CFRConfig | None = None) -> None:
        self.game = game
        self.config = config if config is not None else CFRConfig()
        weights = self.config.weights or ((), ())
        try:
            self.solver = _native.VectorSolver(
                game,
                _discounts(self.config),
                threads=self.config.threads,
                board=list(self.config.board),
                weights=[list(weights[0]), list(weights[1])],
                merges_suits=self.config.merge_suits,
                max_bytes=self.config.max_bytes,
            )
        except ValueError as error:
            raise InputError(f"{game.name}: {error}") from None

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    def step(self, count: int = 1) -> Metrics:
        self.solver.step(count)
        return {"iteration": self.solver.iteration}

    def values(self) -> list[float]:
        return [self.solver.value(player) / self.game.unit for player in range(2)]

    def best_response_gains(self) -> list[float]:
        best = [self.solver.best_value(player) / self.game.unit for player in range(2)]
        return [b - value for b, value in zip(best, self.values(), strict=True)]

    def exploitability(self) -> float:
        return sum(self.best_response_gains()) / 2

    def num_infosets(self) -> int:
        return self.solver.size.infosets

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return dict(_list_strategy(self.game, self.solver))

    def policy(self) -> TablePolicy:
        return TablePolicy(TableEvaluator(self.game).table(self.strategy()), self.config.name)

    def state(self) -> Arrays:
        return {"iteration": np.array([self.iteration]), "tables": self.solver.state()}

    def restore(self, state: Arrays) -> None:
        self.solver.restore(int(state["iteration"][0]), state["tables"])


def _discounts(config: CFRConfig) -> _native.Discounts:
    if config.name not in NAMES:
        raise InputError(f"unknown member {config.name!r} of the CFR family; there are {NAMES}")
    discounts = _native.Discounts(config.name)
    for key in ("alpha", "beta", "gamma"):
        exponent = getattr(config, key)
        if exponent is None:
            continue
        if math.isnan(exponent):
            raise InputError(f"{key}: must be a number, not {exponent}")
        setattr(discounts, key, exponent)
    discounts.alternates = config.alternating
    return discounts


def _list_strategy(
    game: Game, solver: _native.VectorSolver
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Every infoset by name, `K:cr` or `Kc:cc/Jd:`, with the probabilities of all slots."""
    actors, first, count = solver.actors, solver.first_children, solver.num_children
    events = solver.events
    hands = [[_hand_name(game, int(h)) for h in solver.hands(p)] for p in range(2)]
    letters = _action_letters(game)
    here = [np.arange(len(hands[p]), dtype=np.int32) for p in range(2)]
    stack: list[tuple[int, str, list[NDArray[np.int32]]]] = [(0, "", here)]
    while stack:
        node, history, places = stack.pop()
        actor, children = actors[node], range(first[node], first[node] + count[node])
        if actor == _native.CHANCE:
            for child in children:
                stack.extend(_below_chance(game, solver, child, history, places))
        elif actor >= 0:
            table = np.zeros((game.num_actions, len(hands[actor])))
            table[events[children.start : children.stop]] = solver.strategy(node)
            possible = solver.hands_possible(node, int(actor))
            for h, place in enumerate(places[actor]):
                if possible[place]:
                    yield f"{hands[actor][h]}:{history}", table[:, place]
            for child in children:
                stack.append((child, history + letters[events[child]], places))


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


def make(name: str, game: Game, /, *, seed: int = 0, **options: Any) -> CFR:
    """For the table of algorithms; nothing is random here, so the seed is not used."""
    return CFR(game, read_options(CFRConfig, name, options, name=name))

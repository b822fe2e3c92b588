# SPDX-License-Identifier: MIT
"""Strategies as tables by infoset key, and their exact values in games that are small enough."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regretless import _native
from regretless.errors import InputError, TooLargeError, refusing
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.explicit_tree import ExplicitTree, checked_strategy
from regretless.games import Game
from regretless.games.face import face, with_hands

Keys = NDArray[np.uint64]
Probabilities = NDArray[np.float64]


@dataclass(frozen=True)
class StrategyTable:
    """Probabilities of the slots at each infoset; an infoset that is not listed plays uniformly."""

    keys: Keys  # [infosets], ascending
    probabilities: Probabilities  # [infosets, actions]
    values: NDArray[np.float64] | None = None  # [infosets], what the actor expects to win, in units
    reaches: NDArray[np.float64] | None = None  # [infosets], the actor's own

    def __post_init__(self) -> None:
        if not np.isfinite(np.sum(self.probabilities)):
            raise InputError("probabilities: must be finite numbers")

    def lookup(self, keys: Keys, legal: NDArray[np.bool_]) -> Probabilities:
        """The rows [batch, actions] of some infosets, uniform over `legal` where unlisted."""
        found, places = self.find(keys)
        rows = np.where(legal, 1.0 / legal.sum(axis=1, keepdims=True), 0.0)
        rows[found] = self.probabilities[places[found]]
        return rows

    def find(self, keys: Keys) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """For each key whether it is listed, and its row if it is."""
        places = np.searchsorted(self.keys, keys)
        found = np.zeros(len(keys), np.bool_)
        inside = places < len(self.keys)
        found[inside] = self.keys[places[inside]] == keys[inside]
        return found, places


Rows = tuple[Keys, Probabilities, NDArray[np.float64], NDArray[np.float64]]


def solution_table(rows: Callable[[int], Rows], game: Game, most_bytes: int) -> StrategyTable:
    """The strategy of a solver by infoset; TooLargeError if it takes more than `most_bytes`.

    `rows` are those of a native solver, or of its problem with a profile.
    """
    try:
        return StrategyTable(*rows(most_bytes))
    except ValueError as error:
        raise TooLargeError(
            f"{game.name}: {error}; a later street, fewer sizes or narrower ranges make it smaller"
        ) from None


def named_rows(problem: _native.VectorProblem, table: StrategyTable) -> dict[str, Probabilities]:
    """The rows of a solution by infoset name."""
    _, places = table.find(problem.keys())
    return dict(zip(problem.names(), table.probabilities[places], strict=True))


@dataclass(frozen=True)
class ProfileValues:
    """Values of a strategy profile, in units of the game or of the payoffs of a tree."""

    values: list[float]  # [players]
    best_values: list[float]  # [players], of the best answer to the others

    @property
    def gains(self) -> list[float]:
        """Gains of best responses to the others: [players]."""
        return [best - value for best, value in zip(self.best_values, self.values, strict=True)]

    @property
    def nash_conv(self) -> float:
        """The sum of the gains: 0 in a Nash equilibrium and only there."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean gain, `nash_conv` over the number of players."""
        return self.nash_conv / len(self.gains)


def exploitability(tree: ExplicitTree, strategy: ArrayLike) -> ProfileValues:
    """The values of `strategy` [infosets, max_actions] and of best responses, in payoff units.

    Needs perfect recall, and raises an `InputError` without it.
    """
    probabilities = checked_strategy(tree, strategy)
    values = _native.explicit_values(tree.sequence_form, probabilities)
    best_values, _ = _native.explicit_best_response(tree.sequence_form, probabilities)
    return ProfileValues(values.tolist(), best_values.tolist())


def no_listing(game: Game) -> str | None:
    """Why the infosets of a game cannot be listed, in one line; None: they can."""
    try:
        TableEvaluator(game)
    except TooLargeError as error:
        return str(error)
    return None


class _ExplicitEvaluation:
    """The counterpart of `_native.TableEvaluation` for explicit games."""

    def __init__(self, game: ExplicitGame) -> None:
        self.game = game
        self.keys, self.actors, self.legal = game.infoset_keys, game.tree.infoset_actors, game.legal
        self.names = game.tree.distinct_names

    def evaluate(self, probabilities: Probabilities) -> tuple[list[float], list[float]]:
        found = exploitability(self.game.tree, self.game.tree_rows(probabilities))
        return found.values, found.best_values


class TableEvaluator:
    """Exact values of tables in one game; TooLargeError if it cannot be listed."""

    def __init__(self, game: Game) -> None:
        with refusing(f"{game.name}: no exact evaluation", TooLargeError):
            explicit = face(game).explicit
            self._native = (
                _native.TableEvaluation(with_hands(game, "a listing"))
                if explicit is None
                else _ExplicitEvaluation(explicit)
            )
        self.keys: Keys = np.asarray(self._native.keys)  # [infosets]
        self.actors: NDArray[np.int8] = np.asarray(self._native.actors)  # [infosets]
        self.legal: NDArray[np.bool_] = np.asarray(self._native.legal)  # [infosets, actions]

    @cached_property
    def names(self) -> list[str]:
        """[infosets], such as `Qd:cc/Kd:r`."""
        return self._native.names

    def table(self, rows: Mapping[str, Any]) -> StrategyTable:
        """From infoset names to probabilities [actions]; names that are missing play uniformly."""
        numbers = {name: number for number, name in enumerate(self.names)}
        unknown = next((name for name in rows if name not in numbers), None)
        if unknown is not None:
            raise InputError(f"no infoset is called {unknown!r}; there are {self.names[0]!r} ...")
        chosen = np.array([numbers[name] for name in rows], np.intp)
        num_actions = self.legal.shape[1]
        if any(len(row) != num_actions for row in rows.values()):
            raise InputError(f"every infoset needs {num_actions} probabilities, one for each slot")
        probabilities = np.array(list(rows.values()), np.float64).reshape(len(rows), num_actions)
        order = np.argsort(self.keys[chosen])
        return StrategyTable(self.keys[chosen][order], probabilities[order])

    def profile(self, tables: StrategyTable | list[StrategyTable]) -> Probabilities:
        """Probabilities [infosets, actions] of one table for all players, or of one for each."""
        if isinstance(tables, StrategyTable):
            return tables.lookup(self.keys, self.legal)
        rows = np.zeros(self.legal.shape)
        for player, table in enumerate(tables):
            mine = self.actors == player
            rows[mine] = table.lookup(self.keys[mine], self.legal[mine])
        return rows

    def evaluate(self, tables: StrategyTable | list[StrategyTable]) -> ProfileValues:
        with refusing():
            return ProfileValues(*self._native.evaluate(self.profile(tables)))

    def value(self, profile: Probabilities, player: int) -> float:
        """The expected payoff of a player under a profile [infosets, actions], in units."""
        values, _ = self._native.evaluate(profile)
        return values[player]

    def strategy(self, table: StrategyTable) -> dict[str, Probabilities]:
        """The rows of a table by infoset name, as far as it has them."""
        found, places = table.find(self.keys)
        return {self.names[row]: table.probabilities[places[row]] for row in np.flatnonzero(found)}

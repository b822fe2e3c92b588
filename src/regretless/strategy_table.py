# SPDX-License-Identifier: MIT
"""Strategies as tables by infoset key, and their exact values in games that are small enough."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, TooLargeError
from regretless.games import Game

Keys = NDArray[np.uint64]
Probabilities = NDArray[np.float64]


@dataclass(frozen=True)
class StrategyTable:
    """Probabilities of the slots at each infoset; an infoset that is not listed plays uniformly."""

    keys: Keys  # [infosets], ascending
    probabilities: Probabilities  # [infosets, actions]

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


@dataclass(frozen=True)
class ProfileValues:
    """What a strategy for every player is worth, in units of the game, or of a tree's payoffs."""

    values: list[float]  # [players]
    best_values: list[float]  # [players], of the best answer to the others

    @property
    def gains(self) -> list[float]:
        """What the best answer to the others gains: [players]."""
        return [best - value for best, value in zip(self.best_values, self.values, strict=True)]

    @property
    def nash_conv(self) -> float:
        """The sum of the gains: 0 in a Nash equilibrium and only there."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean gain, `nash_conv` over the number of players."""
        return self.nash_conv / len(self.gains)


def no_table(game: Game) -> str | None:
    """Why the infosets of a game cannot be listed, in one line; None: they can."""
    try:
        TableEvaluator(game)
    except TooLargeError as error:
        return str(error)
    return None


class TableEvaluator:
    """Exact values of tables in one game; TooLargeError if it cannot be listed."""

    def __init__(self, game: Game) -> None:
        try:
            self._native = _native.TableEvaluation(game)
        except ValueError as error:
            raise TooLargeError(f"{game.name}: no exact evaluation: {error}") from None
        self.names: list[str] = self._native.names  # [infosets]
        self.keys: Keys = np.asarray(self._native.keys)  # [infosets]
        self.actors: NDArray[np.int8] = np.asarray(self._native.actors)  # [infosets]
        self.legal: NDArray[np.bool_] = np.asarray(self._native.legal)  # [infosets, actions]

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
        values, best_values = self._native.evaluate(self.profile(tables))
        return ProfileValues(values, best_values)

    def strategy(self, table: StrategyTable) -> dict[str, Probabilities]:
        """The rows of a table by infoset name, as far as it has them."""
        found, places = table.find(self.keys)
        return {self.names[row]: table.probabilities[places[row]] for row in np.flatnonzero(found)}

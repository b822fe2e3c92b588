# SPDX-License-Identifier: MIT
"""Tabular Q-learning over infosets: learns to beat a given opponent, or plays against itself.

Watkins and Dayan, "Q-learning" (1992). Against an opponent that does not change, a player who
forgets nothing faces a Markov decision process whose states are its own infosets, and Q-learning
finds the best response. In self-play there is no such promise. One step plays `episodes_per_step`
episodes with the same epsilon-greedy policy and then learns from all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless import _native
from regretless.algorithm import Arrays, EvaluatesProfile, Metrics, Takes
from regretless.errors import InputError
from regretless.games import Game
from regretless.options import Count, Options, Positive, Share
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import ProfileValues, StrategyTable, TableEvaluator
from regretless.watch import UNWATCHED, Watch

Opponent = StrategyTable | Callable[["_native.Questions"], NDArray[np.float64]]
"""A table, or a function from questions to probabilities [batch, actions]."""


@dataclass(frozen=True)
class QLearningConfig(Options):
    """Options of exploration and learning."""

    episodes_per_step: Count = 2000
    """Episodes that are played with the same policy before learning from them."""
    learning_rate: Positive = 1.5
    """The n-th sample moves an estimate by about rate / n: 1 is the mean, more forgets the past."""
    final_learning_rate: Share = 0.0
    """The least rate, for opponents that change."""
    epsilon: Share = 1.0
    """The uniform share of the learner's first actions."""
    final_epsilon: Share = 0.1
    """The uniform share in the end."""
    epsilon_decay: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 20_000.0
    """The episode by which the uniform share has fallen half way."""


@dataclass(frozen=True)
class Exploitation:
    """Winnings of the greedy policy against the opponent: units per episode, mean over seats."""

    value: float
    best_value: float  # of the exact best response

    @property
    def share(self) -> float:
        return self.value / self.best_value


class QLearning(EvaluatesProfile):
    """Implements `Solver`; the strategy it yields is the greedy policy."""

    Config = QLearningConfig

    def __init__(
        self,
        game: Game,
        config: QLearningConfig | None = None,
        *,
        opponent: Opponent | None = None,
        seed: int = 0,
    ) -> None:
        """Without an opponent all seats learn; with one, the learner changes seat every episode."""
        self.game = game
        self.config = config or QLearningConfig()
        self.opponent = opponent
        self._answer = TablePolicy(opponent) if isinstance(opponent, StrategyTable) else opponent
        self.seed = seed
        self.exact = TableEvaluator(game)
        self._order = np.argsort(self.exact.keys)
        self._keys = self.exact.keys[self._order]  # [infosets], ascending
        self._legal = self.exact.legal[self._order]  # [infosets, actions]
        self.values_of_slots = np.zeros(self._legal.shape)  # [infosets, actions], units
        self.visits = np.zeros(self._legal.shape)  # [infosets, actions]
        self.episodes = 0
        self.nodes = 0  # decisions and endings

    @property
    def steps_done(self) -> int:
        return self.episodes // self.config.episodes_per_step

    def takes(self) -> Takes:
        return Takes(self.values_of_slots.nbytes + self.visits.nbytes)

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        won = 0.0
        for _ in watch.pieces(count, 1):
            steps = self._play()
            self._learn(steps)
            self.nodes += len(steps) + steps.num_episodes
            won = float(self._seat_payoffs(steps).mean())
            self.episodes += self.config.episodes_per_step
        return {
            "episodes": float(self.episodes),
            "nodes": float(self.nodes),
            "won": won,
            "epsilon": self.epsilon(),
        }

    def epsilon(self) -> float:
        config = self.config
        fraction = config.epsilon_decay / (config.epsilon_decay + self.episodes)
        return config.final_epsilon + (config.epsilon - config.final_epsilon) * fraction

    def greedy(self) -> StrategyTable:
        """The slot of the highest value at every infoset."""
        best = np.argmax(np.where(self._legal, self.values_of_slots, -np.inf), axis=1)
        return StrategyTable(self._keys, np.eye(self._legal.shape[1])[best])

    def exploitation(self) -> Exploitation:
        """Exactly what the greedy policy wins from the opponent, who must be a table."""
        if not isinstance(self.opponent, StrategyTable):
            raise InputError("q_learning: exact values need an opponent that is a table")
        value = best_value = 0.0
        num_seats = self.game.num_players
        for seat in range(num_seats):
            tables = [self.opponent] * num_seats
            tables[seat] = self.greedy()
            result = self.exact.evaluate(tables)
            value += result.values[seat] / num_seats
            best_value += result.best_values[seat] / num_seats
        return Exploitation(value, best_value)

    def evaluate(self) -> ProfileValues:
        """Exact values of the greedy policy in all seats."""
        return self.exact.evaluate(self.greedy())

    def num_infosets(self) -> int:
        return len(self._keys)

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return self.exact.strategy(self.greedy())

    def policy(self) -> TablePolicy:
        return TablePolicy(self.greedy(), "q-learning")

    def state(self) -> Arrays:
        return {
            "episodes": np.array([self.episodes], np.int64),
            "nodes": np.array([self.nodes], np.int64),
            "values": self.values_of_slots.copy(),
            "visits": self.visits.copy(),
        }

    def restore(self, state: Arrays) -> None:
        if any(state[name].shape != self.visits.shape for name in ("values", "visits")):
            raise InputError("q_learning: the state is of another game")
        self.episodes = int(state["episodes"][0])
        self.nodes = int(state["nodes"][0])
        self.values_of_slots = state["values"].astype(np.float64)
        self.visits = state["visits"].astype(np.float64)

    def _play(self) -> _native.Steps:
        job = _native.SelfPlay(
            self.game,
            self.config.episodes_per_step,
            seed=self.seed,
            first_episode=self.episodes,
        )
        policy = self._exploring_policy()
        while (questions := job.ask()) is not None:
            answers = policy[np.searchsorted(self._keys, questions.infosets)]
            if self._answer is not None:
                theirs = questions.actors != self._seats(questions.episodes)
                answers[theirs] = self._answer(questions)[theirs]
            job.answer(answers.astype(np.float32))
        return job.take_steps()

    def _exploring_policy(self) -> NDArray[np.float64]:
        """[infosets, actions]"""
        uniform: NDArray[np.float64] = self._legal / self._legal.sum(axis=1, keepdims=True)
        epsilon = self.epsilon()
        return epsilon * uniform + (1 - epsilon) * self.greedy().probabilities

    def _seats(self, episodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The learner's seat in each episode, counted from the first one ever."""
        return episodes % self.game.num_players

    def _seat_payoffs(self, steps: _native.Steps) -> NDArray[np.float64]:
        """In the learner's seat, or against itself in one seat after the other.  [episodes]"""
        seats = self._seats(steps.first_episode + np.arange(steps.num_episodes))
        won: NDArray[np.float64] = steps.payoffs[np.arange(len(seats)), seats] / self.game.unit
        return won

    def _learn(self, steps: _native.Steps) -> None:
        """Move the value of each slot chosen towards the next infoset's best, or the payoff."""
        rows = np.searchsorted(self._keys, steps.infosets)
        best = np.where(self._legal, self.values_of_slots, -np.inf).max(axis=1)
        payoffs = steps.payoffs[steps.episodes - steps.first_episode, steps.actors]
        targets = np.where(steps.next >= 0, best[rows[steps.next]], payoffs / self.game.unit)
        entries = rows * self._legal.shape[1] + steps.slots
        if self.opponent is not None:
            mine = steps.actors == self._seats(steps.episodes)
            entries, targets = entries[mine], targets[mine]
        self._move(entries, targets)

    def _move(self, entries: NDArray[np.intp], targets: NDArray[np.float64]) -> None:
        """All samples of an entry as if one after the other, each as their mean."""
        counts = np.bincount(entries, minlength=self.visits.size)
        sums = np.bincount(entries, targets, minlength=self.visits.size)
        moved = np.flatnonzero(counts)
        new, before = counts[moved], self.visits.ravel()[moved]
        rate = 1 - (before / (before + new)) ** self.config.learning_rate
        rate = np.maximum(rate, 1 - (1 - self.config.final_learning_rate) ** new)
        values = self.values_of_slots.ravel()
        values[moved] += rate * (sums[moved] / new - values[moved])
        self.visits.ravel()[moved] += new

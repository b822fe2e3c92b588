# SPDX-License-Identifier: MIT
"""ReBeL: self-play by search at public belief states, with a value network at the leaves.

Brown, Bakhtin, Lerer and Gong, "Combining Deep Reinforcement Learning and Search for
Imperfect-Information Games" (2020), Algorithm 1. One step is one epoch: new examples from
self-play (`generation/subgames.py`), then minibatches. docs/algorithms/rebel.md lists the
differences from the paper, and what each choice costs or brings.
"""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer, Column, Ring
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.spots import begin_at
from regretless.generation.makers import MakeMakers, Makers, MakersOnThreads
from regretless.generation.subgames import GameShard, SubgameConfig, SubgameGenerator
from regretless.learning.fit import Fit, FitConfig
from regretless.learning.minibatches import indexed_minibatches
from regretless.networks.belief_network import BeliefNetwork, PolicyNetwork, ValueNetwork
from regretless.networks.beliefs import BeliefWeights
from regretless.options import Count
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import TableEvaluator, no_listing
from regretless.search.belief_losses import Holdouts, strategy_loss, value_loss
from regretless.search.network_answers import NetworkLeaves, NetworkStrategies
from regretless.search.profile_table import SearchProfileTable, longest_search
from regretless.search.subgames import read_board
from regretless.watch import UNWATCHED, Stopped, Watch

_FITS, _WEIGHTS, _POLICY_FITS, _POLICY_WEIGHTS = range(1, 5)  # streams of randomness
_CLIP = 5.0  # largest norm of a gradient
_REPLAY_BYTES = 1 << 40  # runs check their room before they begin


@dataclass(frozen=True)
class ReBeLConfig(SubgameConfig):
    """Search, self-play, fits and the player of ReBeL."""

    games: Count = 512
    """Games that are played at once."""
    flights: Count = 1
    """Groups of games, each played by one thread at a time."""
    examples: Count = 4096
    """New examples of an epoch, at least."""
    validation: int = 512
    """Examples of each frozen validation set (of the epochs 1, 4, 16, 64 ...); 0: none."""
    replay: Count = 1_000_000
    """Capacity of the replay buffer; minibatches are drawn from it uniformly."""
    batch: Count = 512
    """Examples of a minibatch."""
    minibatches: int = 200
    """Minibatches of an epoch."""
    learning_rate: float = 1e-3
    halve_every: int = 100
    """Epochs after which the learning rate is halved ..."""
    halvings: int = 5
    """... so many times at most."""
    average: float = 0.0
    """Decay of a Polyak average of the weights, which plays; self-play has the newest weights."""

    play_iterations: Count = 512
    """Iterations of the search when playing; the player that is measured."""
    play_alternating: bool = True
    playthroughs: int = 0
    """Seeds that the player draws from (see SearchProfileTable); 0: every stop of every subgame."""

    threads: int = 1
    """Flights played at once, or of the search in the only one; does not change the result."""

    def flight(self) -> "ReBeLConfig":
        """Returns the config of one flight: several are threads themselves."""
        return replace(self, flights=1, threads=1) if self.flights > 1 else self

    def set_up_process(self) -> None:
        super(ReBeLConfig, self.flight()).set_up_process()


class ReBeL:
    """Implements `Solver`."""

    Config = ReBeLConfig

    def __init__(self, game: Game, config: ReBeLConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or ReBeLConfig()
        self.game = game = begin_at(game, read_board(game, config.board))
        self.seed, self.steps_done = seed, 0  # epochs
        self._subgames = 0  # of the present epoch
        self._rounds = self._nodes = 0
        flight = config.flight()
        generators = [SubgameGenerator(game, flight, seed=seed) for _ in range(config.flights)]
        first = self._generator = generators[0]
        self._makers: Makers = MakersOnThreads(generators, config.threads)
        self.device, self.states = first.device, first.states
        self._games = _flights(config.flights, *first.first_games(config.games))
        flights = len(self._games)
        self.shards_per_step = (flights * -(-config.examples // config.games), flights)
        hands, slots = self.states.num_hands, self.states.num_slots
        network = first.make_value_network(_draws(seed, _WEIGHTS))
        self.value_fit: Fit[ValueNetwork] = _make_fit("values", network, config, self.device)
        self.replay = _make_ring(self.states, config, Column("values", "float32", (2, hands)))
        self.policy_fit: Fit[PolicyNetwork] | None = None
        if config.warm_start:
            policy = first.make_policy_network(_draws(seed, _POLICY_WEIGHTS))
            self.policy_fit = _make_fit("strategies", policy, config, self.device)
            legal = Column("legal", "uint8", (slots,))
            strategies = Column("strategies", "float32", (slots, hands))
            self._policy_replay = _make_ring(self.states, config, legal, strategies)
        self.holdouts = Holdouts(min(config.validation, config.examples // 8))
        self._weights: dict[str, Arrays] | None = None  # of self-play, until the next fit
        self._examples: list[Arrays] = []
        self._plays = True
        self._player: SearchProfileTable | None = None

    # Algorithm 1 of the paper.

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """If stopped, the next call goes on from the last subgame of all games, or fits again."""
        self._examples = []
        metrics: Metrics = {}
        try:
            for _ in range(count):
                while self._plays and self._subgames < self.config.examples:
                    watch.tell("playing", self._subgames / self.config.examples)
                    for number, columns in enumerate(self._play(watch)):
                        self._games[number] = columns["games/states"], columns["games/ranges"]
                        self._nodes += int(columns["nodes"][0])
                        self._subgames += len(columns["values/features"])
                        self._keep(_part(columns, "values"), _part(columns, "strategies"))
                    self._rounds += 1
                metrics = self._fit(watch)
                self._subgames, self._weights, self._player = 0, None, None
                self.steps_done += 1
        except Stopped:
            return {}
        return metrics

    def _play(self, watch: Watch) -> list[Arrays]:
        """Plays all games through one subgame; if stopped, none of them moves."""
        if self._weights is None:
            self._weights = {fit.name: fit.network.arrays() for fit in self._fits()}
        shards = [
            GameShard(number, self._rounds, *games) for number, games in enumerate(self._games)
        ]
        making = self._makers.begin(self._weights, shards)
        with closing(making):
            return [making.take(watch) for _ in shards]

    def work_on(self, make_makers: MakeMakers) -> None:
        """Plays on a cluster from now on; the shards are the flights."""
        self._makers = make_makers(self._generator, len(self._games[0][0]))

    def _keep(self, examples: Arrays, decisions: Arrays) -> None:
        self._examples.append(examples)
        self.replay.add(self.holdouts.take(self.steps_done + 1, examples))
        if decisions:
            self._policy_replay.add(decisions)

    def _fit(self, watch: Watch) -> Metrics:
        """Fits the networks; if stopped, both are as before."""
        config = self.config
        rate = 0.5 ** min(self.steps_done // config.halve_every, config.halvings)
        before = {} if watch is UNWATCHED else self.value_fit.state()
        seed = _fit_seed(self.seed, _FITS, self._rounds)
        metrics = {
            "loss": self.value_fit.fit(value_loss, self.replay, seed, rate=rate, watch=watch)
        }
        if self.policy_fit is not None and self._plays:
            seed = _fit_seed(self.seed, _POLICY_FITS, self._rounds)
            try:
                metrics["policy_loss"] = self.policy_fit.fit(
                    strategy_loss, self._policy_replay, seed, rate=rate, watch=watch
                )
            except Stopped:
                self.value_fit.undo(before)
                raise
        return {
            **metrics,
            "learning_rate": config.learning_rate * rate,
            "subgames": float(self._subgames),
            "nodes": float(self._nodes),
            "buffer/size": float(self.replay.size),
            "buffer/added": float(self.replay.num_added),
            **self.holdouts.losses(self.value_fit.network, self.device),
        }

    # Recorded examples.

    def take_examples(self) -> Arrays:
        """Returns public states by their features, with ranges and values, in stakes."""
        taken, self._examples = self._examples, []
        return {name: np.concatenate([each[name] for each in taken]) for name in taken[0]}

    def give_examples(self, examples: Arrays) -> None:
        expected = {column.name: column.shape for column in self.replay.columns}
        if {name: rows.shape[1:] for name, rows in examples.items()} != expected:
            raise InputError("the examples are of another game or of another search")
        self._keep(examples, {})
        self._plays = False

    # Playing and measuring.

    def player(self, watch: Watch = UNWATCHED) -> SearchProfileTable:
        """Returns the strategy of the player who searches with the network at the leaves.

        The player searches less where the time of `watch` does not suffice.
        """
        config, policy = self.config, self.policy_fit

        def search(iterations: int) -> SearchProfileTable:
            return SearchProfileTable(
                self.game,
                replace(
                    config, iterations=iterations, alternating=config.play_alternating, threads=1
                ),
                lambda _: self.leaves(),
                config.playthroughs,
                strategies=NetworkStrategies(policy.target, self.device) if policy else None,
                threads=config.threads,
                watch=watch,
            )

        if self._player is None:
            self._player = longest_search(search, config.play_iterations, watch.end)
        return self._player

    def short_search(self) -> str | None:
        asked = self.config.play_iterations
        found = asked if self._player is None else self._player.config.iterations
        return None if found == asked else f"a search of {found:,} iterations, not of {asked:,}"

    def leaves(self) -> NetworkLeaves:
        """Returns the leaf values of the network that plays."""
        return NetworkLeaves(self.value_fit.target, self.device)

    def value_weights(self) -> BeliefWeights:
        """Returns the value network that plays, for a bundle."""
        network = self.value_fit.target
        return BeliefWeights(network.shape, network.arrays())

    def no_exact(self) -> str | None:
        return None

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        return sum(self.player(watch).gains()) / 2

    def values(self) -> list[float]:
        return self.player().values()

    def num_infosets(self) -> int:
        if self._player is None:  # a search may take long
            return len(TableEvaluator(self.game).keys)
        return self._player.num_infosets()

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return self.player().strategy()

    def no_policy(self) -> str | None:
        return no_listing(self.game)

    def policy(self) -> TablePolicy:
        """Returns the player, whose name has the iterations of the search."""
        player = self.player()
        return player.policy(f"rebel, {player.config.iterations:,} iterations")

    # Saving.

    def takes(self) -> Takes:
        return Takes(size_of(self._networks()))

    def buffers(self) -> Mapping[str, Buffer]:
        policy = {} if self.policy_fit is None else {"strategies": self._policy_replay}
        return {"values": self.replay, **policy}

    def state(self) -> Arrays:
        counts = [self.steps_done, self._subgames, self._rounds, self._nodes]
        return {
            "counts": np.array(counts),
            "games/states": np.concatenate([states for states, _ in self._games]),
            "games/ranges": np.concatenate([ranges for _, ranges in self._games]),
            **self._networks(),
        }

    def _networks(self) -> Arrays:
        """Returns the state without the games and the replay."""
        arrays = self.holdouts.state()
        for fit in self._fits():
            arrays |= fit.state()
        return arrays

    def restore(self, state: Arrays) -> None:
        states, ranges = state["games/states"], state["games/ranges"]
        if ranges.shape != (self.config.games, 2, self.states.num_hands):
            raise InputError("the state is of another game or of another number of games")
        self.steps_done, self._subgames, self._rounds, self._nodes = map(int, state["counts"])
        self._games = _flights(self.config.flights, states, ranges)
        for fit in self._fits():
            fit.restore(state)
        self.holdouts.restore(state)
        if self.replay.num_added == 0:
            self._subgames = 0  # the examples of this epoch are gone
        self._weights = self._player = None

    def _fits(self) -> list[Fit[Any]]:
        return [self.value_fit] if self.policy_fit is None else [self.value_fit, self.policy_fit]


def _flights(count: int, *games: NDArray[Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Returns copies of the states and ranges of games, for each flight."""
    states, ranges = (np.array_split(each, count) for each in games)
    return [(mine.copy(), theirs.copy()) for mine, theirs in zip(states, ranges, strict=True)]


def _make_fit(
    name: str, network: BeliefNetwork, config: ReBeLConfig, device: torch.device
) -> Fit[Any]:
    steps = FitConfig(config.minibatches, config.batch, config.learning_rate, 1.0, _CLIP)
    tau = 1 - config.average if config.average else None
    return Fit(name, network, steps, device, minibatches=indexed_minibatches, tau=tau)


def _make_ring(states: _native.PublicStates, config: ReBeLConfig, *columns: Column) -> Ring:
    features = Column("features", "float32", (states.num_features,))
    possible = Column("possible", "uint8", (states.num_hands,))
    ranges = Column("ranges", "float32", (2, states.num_hands))
    return Ring([features, possible, ranges, *columns], config.replay, max_bytes=_REPLAY_BYTES)


# Randomness is numbered: no state of it needs saving.


def _fit_seed(seed: int, stream: int, rounds: int) -> int:
    words = np.random.SeedSequence([seed, stream, rounds]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))


def _draws(seed: int, stream: int) -> torch.Generator:
    return torch.Generator().manual_seed(_fit_seed(seed, stream, 0))


def _part(columns: Arrays, place: str) -> Arrays:
    """Returns the columns `place/...` by the rest of their names."""
    start = f"{place}/"
    return {key[len(start) :]: rows for key, rows in columns.items() if key.startswith(start)}

# SPDX-License-Identifier: MIT
"""ReBeL: self-play by search at public belief states, with a value network at the leaves.

Brown, Bakhtin, Lerer and Gong, "Combining Deep Reinforcement Learning and Search for
Imperfect-Information Games" (2020), Algorithm 1. Many games are played at once: their subgames are
solved in lockstep, and the network answers for all leaves of all of them in one pass an iteration.
One step is one epoch: so many new examples, then so many minibatches. docs/algorithms/rebel.md says
what differs from the paper, and what each choice costs or brings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.spots import begin_at
from regretless.learning.fitting import Fitting
from regretless.learning.replay import Replay
from regretless.networks.belief_network import BeliefNetwork, PolicyNetwork, value_weights
from regretless.networks.beliefs import BeliefPolicyShape, BeliefValuesShape, BeliefWeights
from regretless.networks.placement import find_placement, set_up_torch
from regretless.options import read_options
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import TableEvaluator, no_listing
from regretless.search.belief_losses import strategy_loss, value_loss
from regretless.search.flight import Flight
from regretless.search.holdouts import Holdouts
from regretless.search.network_leaves import NetworkLeaves
from regretless.search.network_strategies import NetworkStrategies
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import (
    SearchConfig,
    answer_all,
    make_subgames,
    on_threads,
    read_board,
)
from regretless.watch import UNWATCHED, Stopped, Watch

_PATHS, _FITS, _WEIGHTS, _POLICY_FITS, _POLICY_WEIGHTS = range(5)  # streams of randomness


@dataclass(frozen=True)
class ReBeLConfig:
    """How ReBeL searches, plays, learns, and is measured."""

    depth: int | str = "round"
    """Decisions on any path of a subgame, or "round": until the next betting round begins."""
    iterations: int = 512
    """Of the search while training; each updates both players once."""
    cfr: str = "dcfr"
    """Member of the CFR family that solves the subgames while training."""
    alternating: bool = True
    """The second player answers the first one's new strategy (two questions an iteration)."""
    warm_start: int = 0
    """Iterations that the strategies of a policy network count for, which every search then begins
    with; 0: there is no policy network, and searches begin with uniform strategies."""
    board: tuple[int, ...] | str = ()
    """Public cards of the root, for games that begin with some: numbers, or text as `Ks 7d 3h`."""
    max_bytes: int = 1 << 33
    """Refuse searches that would take more memory; the replay is not counted."""

    games: int = 512
    """Games that are played at once."""
    flights: int = 1
    """Groups of games, each played by one thread at a time."""
    examples: int = 4096
    """New examples of an epoch, at least."""
    exploration: float = 0.25
    """How often the exploring player of a subgame acts at random."""

    width: int = 128
    """Units of each hidden layer."""
    layers: int = 3
    """Hidden layers."""
    activation: Literal["relu", "gelu"] = "relu"
    layer_norm: bool = False
    """Whether each hidden layer is normalised."""

    validation: int = 512
    """Examples of each frozen validation set (of the epochs 1, 4, 16, 64 ...); 0: none."""
    replay: int = 1_000_000
    """Examples kept; minibatches are drawn from them uniformly."""
    batch: int = 512
    """Examples of a minibatch."""
    minibatches: int = 200
    """Of an epoch."""
    learning_rate: float = 1e-3
    halve_every: int = 100
    """Epochs after which the learning rate is halved ..."""
    halvings: int = 5
    """... so many times at most."""
    clip: float = 5.0
    """Largest norm of a gradient."""
    average: float = 0.0
    """Decay of a moving average of the weights, which plays; self-play has the newest weights."""

    play_iterations: int = 512
    """Of the search when playing; the player that is measured."""
    play_cfr: str = "dcfr"
    """Member of the CFR family when playing."""
    play_alternating: bool = True
    playthroughs: int = 0
    """Seeds that the player draws from (see SearchProfileTable); 0: every stop of every subgame."""

    device: str = "cpu"
    """Where the networks are: cpu, cuda or mps."""
    precision: Literal["float32", "tf32", "bfloat16"] = "float32"
    """Of the products in the networks; weights and everything else are float32. tf32 is for CUDA
    devices, and a setting of the whole process: `train` sets it."""
    threads: int = 1
    """Flights played at once, or of the search in the only one; does not change the result."""


@dataclass(frozen=True)
class PolicyLearner:
    """The policy network of a warm start: how it answers, is fitted, and what from."""

    strategies: NetworkStrategies
    fitting: Fitting[PolicyNetwork]
    replay: Replay


class ReBeL:
    """Implements `Solver`."""

    def __init__(self, game: Game, config: ReBeLConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or ReBeLConfig()
        self.steps_done = 0  # epochs
        self._subgames = 0  # of the epoch at hand
        self.game = game = begin_at(game, read_board(game, config.board))
        self.seed = seed
        self._rounds = 0
        self._nodes = 0
        _check(config)
        self.device = find_placement(config.device, "float32").device
        self._search = SearchConfig(
            iterations=config.iterations,
            depth=config.depth,
            cfr=config.cfr,
            alternating=config.alternating,
            warm_start=config.warm_start,
            threads=config.threads if config.flights == 1 else 1,
            board=config.board,
            max_bytes=config.max_bytes,
        )
        keeps_average = config.warm_start > 0
        self.flights = [
            Flight(make_subgames(game, self._search, keeps_average=keeps_average), games)
            for games in _shares(config.games, config.flights)
        ]
        self.job = self.flights[0].job
        features, hands = self.job.states.num_features, self.job.num_hands
        options = self._network_options(features, hands)
        network = BeliefValuesShape(**options).build(self._generator(_WEIGHTS))
        self._place(network)
        self._leaves = [NetworkLeaves(network, self.device) for _ in self.flights]
        self.fitting = Fitting("values", network, value_loss, config, self.device)
        ranges = torch.zeros((1, 2, hands), device=self.device)
        public = {
            "features": torch.zeros((1, features), device=self.device),
            "possible": torch.zeros((1, hands), dtype=torch.uint8, device=self.device),
            "ranges": ranges,
        }
        self.replay = Replay(config.replay, {**public, "values": ranges})
        self.policy_learner = None
        if config.warm_start:
            slots = self.job.num_slots
            policy = BeliefPolicyShape(**options, slots=slots).build(
                self._generator(_POLICY_WEIGHTS)
            )
            self._place(policy)
            legal = torch.zeros((1, slots), dtype=torch.uint8, device=self.device)
            strategies = torch.zeros((1, slots, hands), device=self.device)
            columns = {**public, "legal": legal, "strategies": strategies}
            self.policy_learner = PolicyLearner(
                NetworkStrategies(policy, self.device),
                Fitting("strategies", policy, strategy_loss, config, self.device),
                Replay(config.replay, columns),
            )
        self.holdouts = Holdouts(min(config.validation, config.examples // 8))
        self._examples: list[Arrays] = []
        self._plays = True
        self._player: SearchProfileTable | None = None

    # Algorithm 1 of the paper.

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """Stopped early, it plays on next time from the last subgame that all games are through;
        fitting is not interrupted."""
        self._examples = []
        for _ in range(count):
            while self._plays and self._subgames < self.config.examples:
                watch.tell("playing", self._subgames / self.config.examples)
                try:
                    self._subgames += self._play_on(watch)
                except Stopped:
                    return {}
            watch.tell("fitting", None)
            self._player = None
            draws = self._generator(_FITS)
            loss = self.fitting.epoch(self.steps_done, self.replay, draws)
            policy_loss = self._fit_policy()
            subgames, self._subgames = self._subgames, 0
            self.steps_done += 1
        return {
            "loss": loss,
            "learning_rate": self.fitting.learning_rate(self.steps_done - 1),
            "subgames": float(subgames),
            "nodes": float(self._nodes),
            "buffer/size": float(len(self.replay)),
            "buffer/added": float(self.replay.num_added),
            **policy_loss,
            **self.holdouts.losses(self.fitting.network),
        }

    def _play_on(self, watch: Watch) -> int:
        """Every game through one subgame; the number of examples. If stopped, none moves on."""
        solve = partial(self._solve, watch=replace(watch, tell=lambda what, share: None))
        on_threads(solve, len(self.flights), self.config.threads)
        for flight in self.flights:
            self._learn_from(flight.examples())
            self._learn_strategies(flight)
            flight.go_on()
        self._rounds += 1
        self._nodes += sum(flight.num_nodes() for flight in self.flights)
        return sum(len(flight.roots) for flight in self.flights)

    def _solve(self, number: int, watch: Watch) -> None:
        """The subgames of one flight, with the network at their leaves."""
        flight = self.flights[number]
        learner = self.policy_learner
        begins = None if learner is None else learner.strategies
        with watch.over("searching"):  # subgames without leaves are solved where they begin
            flight.begin(self._random(_PATHS, number), self.config.exploration)
            answer_all(flight.job, self._leaves[number], begins, watch)

    def _learn_from(self, examples: Arrays) -> None:
        self._examples.append(examples)
        rows = {
            name: torch.as_tensor(examples[name]).to(column.device, column.dtype)
            for name, column in self.replay.tensors.items()
        }
        self.replay.add(self.holdouts.take(self.steps_done + 1, rows))

    def _learn_strategies(self, flight: Flight) -> None:
        """From one decision of each subgame, for the policy network."""
        if self.policy_learner is not None:
            arrays = flight.strategy_examples(self._rounds)
            rows = {name: torch.as_tensor(each).to(self.device) for name, each in arrays.items()}
            self.policy_learner.replay.add(rows)

    def _fit_policy(self) -> Metrics:
        learner = self.policy_learner
        if learner is None or not self._plays:
            return {}
        draws = self._generator(_POLICY_FITS)
        return {"policy_loss": learner.fitting.epoch(self.steps_done, learner.replay, draws)}

    def take_examples(self) -> Arrays:
        """Returns public states by their features, with ranges and values, in stakes."""
        taken, self._examples = self._examples, []
        return {name: np.concatenate([each[name] for each in taken]) for name in taken[0]}

    def give_examples(self, examples: Arrays) -> None:
        expected = {column.name: column.shape for column in self.replay.columns}
        if {name: rows.shape[1:] for name, rows in examples.items()} != expected:
            raise InputError("the examples are of another game or of another search")
        self._learn_from(examples)
        self._plays = False

    def value_weights(self) -> BeliefWeights:
        """The value network that plays, as a bundle keeps it."""
        return value_weights(self.fitting.average)

    # Playing and measuring.

    def player(self, watch: Watch = UNWATCHED) -> SearchProfileTable:
        """The player who searches with the network at the leaves."""
        if self._player is None:
            config = self.config
            search = replace(
                self._search,
                iterations=config.play_iterations,
                cfr=config.play_cfr,
                alternating=config.play_alternating,
                threads=1,
            )
            self._player = SearchProfileTable(
                self.game,
                search,
                lambda _: self.leaves(),
                config.playthroughs,
                strategies=self._player_strategies(),
                threads=config.threads,
                watch=watch,
            )
        return self._player

    def leaves(self) -> NetworkLeaves:
        """Returns the leaf values of the network that plays."""
        return NetworkLeaves(self.fitting.average, self.device)

    def no_exact(self) -> str | None:
        return None

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        return sum(self.player(watch).gains()) / 2

    def best_response_gains(self) -> list[float]:
        return self.player().gains()

    def values(self) -> list[float]:
        return self.player().values()

    def num_infosets(self) -> int:
        if self._player is None:  # which may take long to make
            return len(TableEvaluator(self.game).keys)
        return self._player.num_infosets()

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return self.player().strategy()

    def no_policy(self) -> str | None:
        return no_listing(self.game)

    def policy(self) -> TablePolicy:
        """Of the player, whose name tells how long he searches."""
        return self.player().policy(f"rebel, {self.config.play_iterations:,} iterations")

    # Saving.

    def takes(self) -> Takes:
        return Takes(size_of(self._networks()))

    def buffers(self) -> Mapping[str, Buffer]:
        learner = self.policy_learner
        policy = {} if learner is None else {"strategies": learner.replay}
        return {"values": self.replay, **policy}

    def state(self) -> Arrays:
        counts = [self.steps_done, self._subgames, self._rounds, self._nodes]
        return {
            "counts": np.array(counts),
            "games/states": np.concatenate([flight.states for flight in self.flights]),
            "games/ranges": np.concatenate([flight.ranges for flight in self.flights]),
            **self._networks(),
        }

    def _networks(self) -> Arrays:
        """All but the games that are going on and the replay."""
        learner = self.policy_learner
        return {
            **self.fitting.state(),
            **self.holdouts.state(),
            **(learner.fitting.state() if learner else {}),
        }

    def restore(self, state: Arrays) -> None:
        states, ranges = state["games/states"], state["games/ranges"]
        if ranges.shape != (self.config.games, 2, self.game.num_hands):
            raise InputError("the state is of another game or of another number of games")
        self.steps_done, self._subgames, self._rounds, self._nodes = map(int, state["counts"])
        ends = np.cumsum([len(flight.states) for flight in self.flights])
        for flight, end in zip(self.flights, ends, strict=True):
            flight.states = states[end - len(flight.states) : end].copy()
            flight.ranges = ranges[end - len(flight.ranges) : end].copy()
        self.fitting.restore(state)
        self.holdouts.restore(state, self.device)
        if self.replay.num_added == 0:
            self._subgames = 0  # what this epoch had learned from is gone
        if self.policy_learner is not None:
            self.policy_learner.fitting.restore(state)
        self._player = None

    def _player_strategies(self) -> NetworkStrategies | None:
        learner = self.policy_learner
        return NetworkStrategies(learner.fitting.average, self.device) if learner else None

    def _network_options(self, features: int, hands: int) -> dict[str, Any]:
        config = self.config
        return {
            "features": features,
            "hands": hands,
            "width": config.width,
            "hidden": config.layers,
            "activation": config.activation,
            "layer_norm": config.layer_norm,
        }

    def _place(self, network: BeliefNetwork) -> None:
        """Moves a network to the device; its matrix products get the config's precision."""
        network.to(self.device)
        if self.config.precision == "bfloat16":
            network.products = torch.bfloat16

    # Randomness is numbered: no state of it needs saving.

    def _random(self, stream: int, number: int) -> np.random.Generator:
        counter = [0, 0, number, self._rounds]
        return np.random.Generator(np.random.Philox(key=[self.seed, stream], counter=counter))

    def _generator(self, stream: int) -> torch.Generator:
        words = np.random.SeedSequence([self.seed, stream, self._rounds]).generate_state(
            1, np.uint64
        )
        return torch.Generator().manual_seed(int(words[0] >> np.uint64(1)))


def _shares(total: int, count: int) -> list[int]:
    return [total // count + (number < total % count) for number in range(count)]


def _check(config: ReBeLConfig) -> None:
    for key in (
        "iterations",
        "games",
        "flights",
        "examples",
        "width",
        "layers",
        "replay",
        "batch",
        "play_iterations",
    ):
        if (value := vars(config)[key]) < 1:
            raise InputError(f"{key}: must be at least 1, not {value}")
    if not 0 <= config.exploration <= 1:
        raise InputError(f"exploration: must be from 0 to 1, not {config.exploration}")


def make(name: str, game: Game, /, *, seed: int = 0, **options: Any) -> ReBeL:
    """For the table of algorithms."""
    config = read_options(ReBeLConfig, f"algorithm {name!r}", options)
    return ReBeL(game, config, seed=seed)


def set_up_process(name: str, /, *, seed: int = 0, **options: Any) -> None:
    """Products in TF32 if asked for; on the CPU the threads are torch's, one for each flight."""
    config = read_options(ReBeLConfig, f"algorithm {name!r}", options)
    threads = 1 if config.flights > 1 else config.threads
    set_up_torch(config.precision, config.device, threads)

# SPDX-License-Identifier: MIT
"""ReBeL's self-play: games that go from subgame to subgame, with a value network at the leaves.

Brown, Bakhtin, Lerer and Gong, "Combining Deep Reinforcement Learning and Search for
Imperfect-Information Games" (2020), Algorithm 1 but for its fits. Many games are played at once:
their subgames are solved in lockstep, and the network answers for all leaves in one pass an
iteration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays
from regretless.games import Game
from regretless.generation.generator import ConfiguredGenerator
from regretless.networks.belief_network import BeliefNetwork, PolicyNetwork, ValueNetwork
from regretless.networks.beliefs import BeliefPolicyShape, BeliefValuesShape
from regretless.networks.placement import DeviceConfig, find_placement
from regretless.options import Count, Share
from regretless.search.network_answers import NetworkLeaves, NetworkStrategies
from regretless.search.subgames import SearchConfig, answer_all, make_subgames, number_roots
from regretless.watch import UNWATCHED, Watch

_PATHS = 0  # stream of randomness
_NODE_BYTES = 64  # of a hand at a node of a subgame
_Network = TypeVar("_Network", bound=BeliefNetwork)


@dataclass(frozen=True)
class SubgameConfig(SearchConfig, DeviceConfig):
    """Search, self-play and networks."""

    exploration: Share = 0.25
    """Probability that the exploring player of a subgame acts at random."""
    width: Count = 128
    """Units of each hidden layer."""
    layers: Count = 3
    """Hidden layers."""
    layer_norm: bool = False
    """Whether each hidden layer is normalised."""


@dataclass(frozen=True)
class GameShard:
    """Games that play one more subgame each."""

    number: int
    """The number of the shard among those of an iteration."""
    iteration: int
    states: NDArray[np.int32]  # [games]: public states by number
    ranges: NDArray[np.float64]  # [games, 2, hands]

    def head(self, count: int) -> "GameShard":
        """Returns the first games, at most `count`."""
        return replace(self, states=self.states[:count], ranges=self.ranges[:count])


class SubgameGenerator(ConfiguredGenerator):
    """Implements `Generator`.

    `weights["values"]` are the parameters of the value network; with a warm start
    `weights["strategies"]` are those of the policy network that searches begin with.
    """

    Config = SubgameConfig
    config: SubgameConfig

    def __init__(self, game: Game, config: SubgameConfig, *, seed: int) -> None:
        super().__init__(game, config, seed=seed)
        self.seed = seed
        self.device = find_placement(config.device, "float32").device
        has_policy = config.warm_start > 0
        self.job = make_subgames(game, config, keeps_average=has_policy)
        self.states = self.job.states
        self._sizes = {root: _num_nodes(self.job.outline(root)) for root in number_roots(self.job)}
        self._values = self.make_value_network()
        self._policy = self.make_policy_network() if has_policy else None
        self._leaves = NetworkLeaves(self._values, self.device)
        self._strategies = (
            None if self._policy is None else NetworkStrategies(self._policy, self.device)
        )
        self._loaded: Mapping[str, Arrays] | None = None

    def first_games(self, count: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Returns the states and ranges of games at the root."""
        return np.zeros(count, np.int32), np.tile(self.states.root_ranges(), (count, 1, 1))

    def make(
        self, weights: Mapping[str, Arrays], shard: GameShard, watch: Watch = UNWATCHED
    ) -> Arrays:
        """Returns examples and the games after one more subgame.

        `values/...` are the roots of all subgames: features, possible hands, ranges, and values in
        stakes. With a warm start `strategies/...` are a random decision of each. `games/...` are
        the public states and ranges at which the games go on; `nodes` [1] counts touched nodes.
        """
        self._load(weights)
        roots = self._begin(shard, watch)
        next_states = self.job.next_states()
        return {
            **{f"values/{name}": rows for name, rows in self._value_examples().items()},
            **{f"strategies/{name}": rows for name, rows in self._decisions(shard).items()},
            "games/states": np.maximum(next_states, 0),  # a game that is over begins again
            "games/ranges": self.job.next_ranges(),
            "nodes": np.array([self._count_nodes(roots)]),
        }

    def forecast_bytes(self, count: int) -> int:
        """Returns the memory of `count` subgames: tables of regrets, sums, values and reaches."""
        return count * max(self._sizes.values()) * self.job.num_hands * _NODE_BYTES

    def make_value_network(self, draws: torch.Generator | None = None) -> ValueNetwork:
        """Returns a new value network, drawn from a generator."""
        return self._placed(ValueNetwork(BeliefValuesShape(**self._shape()), draws))

    def make_policy_network(self, draws: torch.Generator | None = None) -> PolicyNetwork:
        shape = BeliefPolicyShape(**self._shape(), slots=self.states.num_slots)
        return self._placed(PolicyNetwork(shape, draws))

    def _shape(self) -> dict[str, Any]:
        return {
            "features": self.states.num_features,
            "hands": self.states.num_hands,
            "width": self.config.width,
            "hidden": self.config.layers,
            "layer_norm": self.config.layer_norm,
        }

    def _placed(self, network: _Network) -> _Network:
        if self.config.precision == "bfloat16":
            network.products = torch.bfloat16
        return network.to(self.device)

    def _load(self, weights: Mapping[str, Arrays]) -> None:
        if weights is self._loaded:
            return
        networks: dict[str, BeliefNetwork] = {"values": self._values}
        if self._policy is not None:
            networks["strategies"] = self._policy
        for name, network in networks.items():
            network.load_arrays(weights[name])
        self._loaded = weights

    def _begin(self, shard: GameShard, watch: Watch) -> NDArray[np.int32]:
        """Solves the next subgames and returns their roots.

        Games at the root share one subgame and differ in their stops, so no example comes twice.
        """
        counter = [0, 0, shard.number, shard.iteration]
        draws = np.random.Philox(key=[self.seed, _PATHS], counter=counter)
        random = np.random.Generator(draws)
        begins = shard.states == 0
        shared, others = int(begins.any()), np.flatnonzero(~begins)
        states, ranges = self.first_games(shared)
        roots = np.concatenate([states, shard.states[others]])
        ranges = np.concatenate([ranges, shard.ranges[others]])
        subgames = np.zeros(len(begins), np.int32)
        subgames[others] = shared + np.arange(len(others))
        iterations = random.integers(1, self.job.iterations + 1, len(begins), dtype=np.int32)
        seeds = random.integers(0, 1 << 63, len(begins), dtype=np.uint64)
        quiet = replace(watch, tell=lambda what, share: None)
        with quiet.over("searching"):  # subgames without leaves are solved where they begin
            exploration = self.config.exploration
            self.job.begin(roots, ranges, subgames, iterations, seeds, exploration=exploration)
            answer_all(self.job, self._leaves, self._strategies, quiet)
        return roots

    def _value_examples(self) -> Arrays:
        states, ranges, values = self.job.value_examples()
        return {**self._public(states), "ranges": ranges, "values": values}

    def _decisions(self, shard: GameShard) -> Arrays:
        if self._policy is None:
            return {}
        states, ranges, strategies = self.job.strategy_examples(shard.iteration)
        legal = self.states.legal(states)
        return {**self._public(states), "legal": legal, "ranges": ranges, "strategies": strategies}

    def _public(self, states: NDArray[np.int32]) -> Arrays:
        return {"features": self.states.features(states), "possible": self.states.possible(states)}

    def _count_nodes(self, roots: NDArray[np.int32]) -> int:
        """Returns the nodes of all iterations: each node with each hand, for both players."""
        nodes = sum(self._sizes[root] for root in roots.tolist())
        return nodes * self.job.iterations * 2 * self.job.num_hands


def _num_nodes(outline: NDArray[np.int64]) -> int:
    """Returns the number of decisions, endings and leaves; chance does not count."""
    return int((outline[:, 2] != _native.CHANCE).sum())

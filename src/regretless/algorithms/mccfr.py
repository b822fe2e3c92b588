# SPDX-License-Identifier: MIT
"""Monte Carlo CFR with external or outcome sampling, for any native game and number of players.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive
Games" (2009). One iteration is one traversal for each player in turn; one step is
`iterations_per_step` of them. The average strategy is gathered at the nodes of the players who are
not the traverser, where sampling itself weighs it by their reach. docs/algorithms/mccfr.md says
what that means for three or more players, and what a batch costs.

The option `abstraction` puts hands into buckets (docs/abstraction.md): infosets are then the slots
chosen so far and the bucket, in one array over the lines of betting.
"""

from dataclasses import dataclass
from typing import Any, Literal

from regretless import _native
from regretless.abstraction.card_abstraction import CardAbstraction
from regretless.errors import InputError
from regretless.games import Game
from regretless.options import read_options
from regretless.solvers.sampled_cfr import SampledCFR


@dataclass(frozen=True)
class MCCFRConfig:
    """Options of sampling, weighting and storage."""

    sampling: Literal["external", "outcome"] = "external"
    """External walks all actions of the traverser and samples the rest; outcome samples all."""
    epsilon: float = 0.6
    """Outcome sampling: the uniform share of the traverser's sampling."""
    weight_power: float = 0.0
    """Iteration t counts t^power in the regrets and in the average strategy; 1 is linear CFR."""
    pruning: float = 0.0
    """External sampling: 19 of 20 traversals leave out actions whose regret is below minus this
    many times the positive regrets of their infoset, in the twentieth they count twentyfold; 0
    leaves out none."""
    iterations_per_step: int = 1000
    """Iterations of one step, a multiple of `batch`."""
    batch: int = 1
    """Iterations that read the same strategy: 1 is the classical algorithm, threads need more."""
    threads: int = 1
    """Changes nothing but the time, and that only if there are several iterations in a batch."""
    storage: Literal["auto", "tree", "states"] = "auto"
    """A tree with dense infosets, or states with a hash table; `auto` takes a tree if it fits."""
    max_nodes: int = 1_000_000
    """The most public states of a tree, or lines of betting with an abstraction."""
    max_entries: int = 50_000_000
    """The most entries (infoset x action) of a tree; each takes 16 bytes, with an abstraction 8."""


class MCCFR(SampledCFR):
    """Implements `Solver`."""

    def __init__(
        self,
        game: Game,
        config: MCCFRConfig | None = None,
        *,
        seed: int = 0,
        abstraction: CardAbstraction | None = None,
    ) -> None:
        self.config = config or MCCFRConfig()
        super().__init__("mccfr", game, self.config, _options(self.config, seed), abstraction)


def _options(config: MCCFRConfig, seed: int) -> "_native.MccfrOptions":
    options = _native.MccfrOptions()
    options.sampling = _native.Sampling[config.sampling.upper()]
    options.epsilon = options.final_epsilon = config.epsilon
    options.weight_power = config.weight_power
    options.pruning = config.pruning
    options.batch = config.batch
    options.threads = config.threads
    options.storage = _native.Storage[config.storage.upper()]
    options.max_nodes = config.max_nodes
    options.max_entries = config.max_entries
    options.seed = seed
    return options


def make(name: str, game: Game, /, *, threads: int = 1, seed: int = 0, **options: Any) -> MCCFR:
    """For the table of algorithms; several threads read the same strategy for 100 iterations.

    A step is one batch unless `iterations_per_step` says more. `abstraction` is an open one.
    """
    abstraction = options.pop("abstraction", None)
    if abstraction is not None and not isinstance(abstraction, CardAbstraction):
        raise InputError(f"algorithm {name!r}: abstraction: open it first, with open_abstraction")
    sampling = "outcome" if name == "mccfr-outcome" else "external"
    batch = options.get("batch", 1 if threads == 1 else 100)
    chosen = {"batch": batch, "iterations_per_step": batch, **options, "threads": threads}
    config = read_options(MCCFRConfig, f"algorithm {name!r}", chosen, sampling=sampling)
    return MCCFR(game, config, seed=seed, abstraction=abstraction)

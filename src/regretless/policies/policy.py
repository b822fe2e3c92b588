# SPDX-License-Identifier: MIT
"""Policies: from questions to probabilities, a whole batch at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.abstraction.card_abstraction import CardAbstraction
from regretless.errors import InputError
from regretless.explicit.explicit_tree import ExplicitTree
from regretless.explicit.native_adapter import NativeGame
from regretless.games.face import face, has_face
from regretless.policies.strategy_table import StrategyTable, TableEvaluator

Probabilities = NDArray[np.floating[Any]]
"""Single precision is enough to play; tables keep theirs, so that they are measured exactly."""


@dataclass(frozen=True)
class Needs:
    """The columns of questions that are made only for those who read them."""

    encoders: tuple[str, ...] = ()
    """Names of the encoders whose rows it reads."""
    chips: bool = False
    """`pots`, `to_calls`, `stacks`, `streets` and `hand_strengths`."""
    history: bool = False
    """The steps so far: `step_offsets`, `step_actors`, `step_slots` and `step_streets`."""
    seeds: bool = False
    """A random number that is the same at all decisions of a seat in an episode, by which the
    policy may for instance draw one of several networks. At a spot that nobody plays (`asking`)
    its average is asked, if it has one (`HasAverage`), else the policy itself with one seed."""

    past: bool = False
    """The actor's own earlier decisions of the episode, as questions of their own: `past`, and
    `past_offsets` and `past_slots` of what he chose."""

    table: bool = False
    """All that the actor sees, in cards and chips: `hole_cards`, `boards`, `seat_stacks`,
    `seat_bets`, `live`, `offers`, `least_raises`, `most_raises`, and `pots`, `to_calls`, `stacks`
    and `streets`; together with `history` also `step_actions`, what each step bet."""

    buckets: tuple[_native.HandBuckets, ...] = ()
    """Those whose `bucket_infosets` it reads, or that its encoder sees."""

    @classmethod
    def of(cls, policies: Iterable["Policy"]) -> "Needs":
        """The union of the needs of several policies."""
        all_needs = [policy.needs for policy in policies]
        flags = ("chips", "history", "seeds", "past", "table")
        return cls(
            encoders=tuple(dict.fromkeys(name for needs in all_needs for name in needs.encoders)),
            buckets=tuple(
                {each.name: each for needs in all_needs for each in needs.buckets}.values()
            ),
            **{flag: any(getattr(needs, flag) for needs in all_needs) for flag in flags},
        )

    def options(self) -> dict[str, Any]:
        """As options of a job that asks."""
        return dict(vars(self))


@runtime_checkable
class Policy(Protocol):
    """Tables, networks, averages, mixtures and bots all answer the same questions."""

    @property
    def name(self) -> str:
        """The name in tables and logs."""

    @property
    def needs(self) -> Needs:
        """The columns of questions that it reads besides those that are always there."""

    def __call__(self, questions: _native.Questions) -> Probabilities:
        """Probabilities of the slots, [batch, actions]; what is not legal is ignored.

        An answer depends on its row alone, so that a policy can be asked anywhere and in any
        order.
        """


@runtime_checkable
class HasAverage(Protocol):
    """A policy that plays by a seed and has an average over seeds."""

    def average(self, networks: int | None = None) -> Policy:
        """The average as a policy without a seed; over `networks` of its networks, if given."""


@runtime_checkable
class HasStandIn(Protocol):
    """A slow policy with a quick one for pilots, whose results need not be its own."""

    @property
    def stand_in(self) -> Policy:
        """A policy of the same game that plays roughly alike."""


@runtime_checkable
class ActsInChips(Protocol):
    """A policy that answers bets of any size, on a menu or not, with bets of any size."""

    def in_chips(self, game: _native.Poker) -> "ActsInChips":
        """The player of a game that is alike."""

    def mix(self, episodes: Sequence[_native.PokerEpisode]) -> list[dict[int, float]]:
        """The probability of each amount (-1 folds, 0 calls) with the cards of the seat to act."""


def explicit(policy: Policy, networks: int | None = None) -> Policy:
    """A policy that answers at any decision: the average of a policy that plays by a seed.

    The policy itself if it needs no seed, or has no average.
    """
    if policy.needs.seeds and isinstance(policy, HasAverage):
        return policy.average(networks)
    return policy


def policy_text(policy: Policy) -> str:
    """A policy in one line, as Python shows it."""
    return f"<{type(policy).__name__} {policy.name}>"


@dataclass(frozen=True, repr=False)
class UniformPolicy:
    """Every legal slot alike."""

    needs: ClassVar[Needs] = Needs()
    __repr__ = policy_text

    name: str = "random"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        return questions.legal.astype(np.float32)


@dataclass(frozen=True, repr=False)
class TablePolicy:
    """A strategy by infoset; uniform where the table has no row.

    With an abstraction, infosets are the slots chosen and the bucket of the cards.
    """

    table: StrategyTable
    name: str = "table"
    abstraction: CardAbstraction | None = None

    def __repr__(self) -> str:
        return f"<TablePolicy {self.name}: {len(self.table.keys):,} infosets>"

    @property
    def needs(self) -> Needs:
        return Needs(buckets=(self.abstraction.buckets,) if self.abstraction else ())

    def __call__(self, questions: _native.Questions) -> Probabilities:
        buckets, keys = self.abstraction, questions.infosets
        if buckets is not None:
            keys = questions.bucket_infosets(buckets.digest)
        return self.table.lookup(keys, questions.legal)


@dataclass(frozen=True, repr=False)
class MixedPolicy:
    """At every decision one of several policies, each with its weight: their mean, row by row."""

    policies: Sequence[Policy]
    weights: Sequence[float]
    name: str = "mixture"

    def __repr__(self) -> str:
        pairs = zip(self.weights, self.policies, strict=True)
        return f"<MixedPolicy {' + '.join(f'{share:g} {each.name}' for share, each in pairs)}>"

    @property
    def needs(self) -> Needs:
        return Needs.of(self.policies)

    def __post_init__(self) -> None:
        if len(self.policies) != len(self.weights) or not self.policies:
            raise InputError("a mixture needs one weight for each of its policies")
        if min(self.weights) < 0 or not 0 < sum(self.weights) < float("inf"):
            raise InputError("the weights of a mixture must not be negative, nor all zero")

    def __call__(self, questions: _native.Questions) -> Probabilities:
        total = np.zeros(questions.legal.shape)
        for policy, weight in zip(self.policies, self.weights, strict=True):
            total += weight * normalize(policy(questions), questions.legal)
        return total


def normalize(rows: Probabilities, legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Rows of sum 1 over the legal slots; uniform where a row has no legal probability."""
    kept = np.where(legal, rows, np.float64(0))
    sums = kept.sum(axis=1, keepdims=True)
    normal: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
    np.divide(kept, sums, out=normal, where=sums > 0)
    return normal


def tree_policy(game: object, tree: ExplicitTree, strategy: NDArray[np.float64]) -> TablePolicy:
    """A strategy [infosets, max_actions] over the tree of a game that is played, as a policy."""
    explicit_game = face(game).explicit if has_face(game) else None
    if explicit_game is not None:
        order = np.argsort(explicit_game.infoset_keys)
        rows_by_key = explicit_game.slot_rows(strategy)[order]
        return TablePolicy(StrategyTable(explicit_game.infoset_keys[order], rows_by_key))
    if not isinstance(game, NativeGame):
        raise InputError("only strategies of games that load_game gives can play at a table")
    evaluator = TableEvaluator(game.game)
    rows = {}
    names = zip(tree.infoset_names, tree.infoset_action_names, strict=True)
    for infoset, (name, actions) in enumerate(names):
        row = np.zeros(game.game.num_actions)
        row[[int(slot) for slot in actions]] = strategy[infoset, : len(actions)]
        rows[name] = row
    return TablePolicy(evaluator.table(rows))

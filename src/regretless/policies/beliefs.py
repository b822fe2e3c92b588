# SPDX-License-Identifier: MIT
"""Public belief states: a public state and the ranges of both players.

A belief is factored, one range for each player. A range changes with the actions of its own player
alone. Card removal comes in only where the ranges meet: the joint probability of two hands is
r0 r1 if they can meet, else 0. So a range is no marginal of the joint (`marginals` are), and public
cards are drawn by the joint.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game, with_hands
from regretless.games.episodes import Episode
from regretless.policies.asking import mixes
from regretless.policies.policy import Policy

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Event = int | Sequence[int]
"""A slot that was chosen, or the public cards that came."""

_LEAST_MASS = 1e-30  # a range of less counts as empty
_RELATIVE, _ABSOLUTE = 1e-6, 1e-12  # how far a joint distribution may be from a product


@dataclass(frozen=True, eq=False)
class PublicBelief:
    """A public state of a catalogue, and the range of each of two players there.

    Ranges are normalised to sum 1 over the hands that the public cards leave. A range without
    mass, as after an action that its player never takes, is uniform.
    """

    states: _native.PublicStates
    state: int
    """The number of the public state in the catalogue `states`."""
    ranges: Floats  # [players, hands]

    def __post_init__(self) -> None:
        ranges, num_hands = np.array(self.ranges, np.float64), self.states.num_hands
        if ranges.shape != (2, num_hands):
            raise InputError(f"ranges: must be [2, {num_hands}], not {list(ranges.shape)}")
        if not (np.isfinite(ranges).all() and (ranges >= 0).all()):
            raise InputError("ranges: must be finite and not negative")
        object.__setattr__(self, "ranges", _normalize(ranges, self.possible))

    @classmethod
    def root(cls, game: Game) -> "PublicBelief":
        """Returns the belief before anybody acts: the ranges of the rules."""
        with _refusing():
            states = _native.PublicStates(with_hands(game, "a belief"))
        return cls(states, 0, states.root_ranges())

    @classmethod
    def from_joint(
        cls, states: _native.PublicStates, state: int, joint: NDArray[np.floating]
    ) -> "PublicBelief":
        """Returns the belief of weights [hands, hands] of pairs.

        InputError if they are no product of two ranges. A hand that no weight is on, for instance
        because it meets no hand of the other's, gets probability 0. Where weights fall into parts
        that share no hand, how much of a range lies in which part is open; both ranges then get
        the same share of each part.
        """
        uniform = cls(states, state, np.ones((2, states.num_hands)))
        weights = np.array(joint, np.float64)
        if weights.shape != (states.num_hands,) * 2:
            raise InputError(f"joint: must be [hands, hands], not {list(weights.shape)}")
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
            raise InputError("joint: must be finite, not negative and not all zero")
        weights /= weights.sum()
        can_be = uniform.joint() > 0
        if (weights[~can_be] > 0).any():
            raise InputError("joint: gives weight to hands that cannot be or cannot meet")
        ranges = _factor(weights)
        product = np.where(can_be, np.outer(*ranges), 0.0)
        if not np.allclose(product, weights, rtol=_RELATIVE, atol=_ABSOLUTE):
            raise InputError("joint: is no product of two ranges on the pairs that can meet")
        return cls(states, state, ranges)

    @property
    def game(self) -> Game:
        return cast(Game, self.states.game)

    @property
    def actor(self) -> int:
        """The player to act, CHANCE or TERMINAL."""
        return self.states.actor(self.state)

    @property
    def board(self) -> list[int]:
        """The public cards."""
        return self.states.board(self.state)

    @property
    def possible(self) -> Booleans:
        """Whether the public cards leave each hand: [hands]."""
        possible: Booleans = self.states.possible(np.array([self.state], np.int32))[0] > 0
        return possible

    @property
    def legal(self) -> Booleans:
        """Whether each slot is legal: [slots]."""
        legal: Booleans = self.states.legal(np.array([self.state], np.int32))[0] > 0
        return legal

    # What follows.

    def act(self, slot: int, strategy: NDArray[np.floating]) -> "PublicBelief":
        """Returns the belief after the actor chose `slot`, with probability strategy [hands]."""
        actor = self.actor
        if actor < 0:
            raise InputError("nobody is to act")
        if np.shape(strategy) != self.ranges[actor].shape:
            raise InputError(f"strategy: must be [{self.game.num_hands}], one for each hand")
        with _refusing():
            after = self.states.act(self.state, slot)
        ranges = self.ranges.copy()
        ranges[actor] *= strategy
        return PublicBelief(self.states, after, ranges)

    def deal(self, cards: Sequence[int]) -> "PublicBelief":
        """Returns the belief after public cards: hands that hold one of them are out."""
        with _refusing():
            after = self.states.deal(self.state, list(cards))
        return PublicBelief(self.states, after, self.ranges)

    # What is known of both hands together.

    def joint(self) -> Floats:
        """Returns the probability of every pair of hands: [hands, hands], sum 1.

        Where the ranges hold no pair that can meet, any pair that can is as likely as any other.
        """
        meets = _meets(self.game)
        pairs = np.where(meets, np.outer(*self.ranges), 0.0)
        if pairs.sum() <= _LEAST_MASS:
            pairs = np.where(meets, np.outer(self.possible, self.possible), 0.0)
        joint: Floats = pairs / pairs.sum()
        return joint

    def marginals(self) -> Floats:
        """Returns the probability of every hand of each player: [players, hands]."""
        joint = self.joint()
        return np.stack([joint.sum(axis=1), joint.sum(axis=0)])

    def card_probabilities(self) -> Floats:
        """Returns the probability of every card to be the next public one: [cards].

        A card is the less likely the likelier it is in a hand.
        """
        num_cards, cards = self._deck().num_cards, _hand_cards(self.game)
        held = np.repeat(self.marginals().sum(axis=0), cards.shape[1])
        free = 1 - np.bincount(cards.ravel(), held, minlength=num_cards)
        free[self.board] = 0
        return np.maximum(free, 0.0) / self._num_unseen()

    def cards_probability(self, cards: Sequence[int]) -> float:
        """Returns the probability that just these public cards come next, in any order."""
        num_unseen = self._num_unseen()
        dead = [*self.board, *cards]
        if len(set(dead)) < len(dead):
            return 0.0
        with _refusing():
            clear = self.game.hands_possible(dead)
        return float(self.joint()[np.ix_(clear, clear)].sum()) / math.comb(num_unseen, len(cards))

    def _deck(self) -> _native.Deck:
        if self.game.deck is None:
            raise InputError(f"{self.game.name} has no public cards")
        return self.game.deck

    def _num_unseen(self) -> int:
        """Returns the number of cards that are neither on the board nor in a hand."""
        return self._deck().num_cards - 2 * self.game.hand_size - len(self.board)


class BeliefTracker:
    """Follows a line of play of players whose policy is known.

    Seeds, for a policy that plays by them and has no average, are those of episode `number` of a
    job with this `seed`.
    """

    def __init__(self, game: Game, policy: Policy, *, seed: int = 0, number: int = 0) -> None:
        self.belief = PublicBelief.root(game)
        self.policy, self.seed, self.number = policy, seed, number
        self._episode: Episode = game.episode_of()

    def strategy(self) -> Floats:
        """Returns the actor's strategy [hands, actions]; zeros for hands that are out."""
        (mix,) = mixes(self.policy, [self._episode], seed=self.seed, number=self.number)
        rows = np.zeros((self.belief.game.num_hands, self.belief.game.num_actions))
        rows[self.belief.possible] = mix
        return rows

    def step(self, event: Event) -> PublicBelief:
        """Returns the belief after one more event; InputError, and no change, if impossible."""
        if isinstance(event, int | np.integer):
            slot, rows = int(event), self.strategy()
            if not 0 <= slot < rows.shape[1]:
                raise InputError(f"there is no slot {slot}")
            self.belief = self.belief.act(slot, rows[:, slot])
            self._episode.choose(slot)
        else:
            self.belief = self.belief.deal(event)
            self._episode.deal_board(list(event))
        return self.belief

    def follow(self, events: Iterable[Event]) -> Iterator[PublicBelief]:
        """Yields the belief after each event."""
        for event in events:
            yield self.step(event)


# Hands and cards.


@lru_cache(maxsize=4)
def _meets(game: Game) -> Booleans:
    """Returns whether two hands have no card in common: [hands, hands]."""
    cards = _hand_cards(game)
    holds = np.zeros((len(cards), game.deck.num_cards if game.deck else 0), np.float32)
    np.put_along_axis(holds, cards, 1, axis=1)
    return holds @ holds.T < 0.5


def _hand_cards(game: Game) -> NDArray[np.intp]:
    """Returns the cards of every hand, [hands, cards]; dice are no cards."""
    if game.deck is None:
        return np.empty((game.num_hands, 0), np.intp)
    return _native.hand_cards(game.deck, game.hand_size).astype(np.intp)


def _normalize(ranges: Floats, possible: Booleans) -> Floats:
    ranges = np.where(possible, ranges, 0.0)
    ranges[ranges.sum(axis=1) <= _LEAST_MASS] = possible
    normal: Floats = ranges / ranges.sum(axis=1, keepdims=True)
    return normal


def _factor(joint: Floats) -> Floats:
    """Returns factors [2, hands] of a matrix that is their product where it is not 0.

    From one hand on, the factor of each hand that is reached follows from the largest entry it
    shares with a known hand; a part that shares no hand with those before begins anew.
    """
    factors = np.zeros((2, len(joint)))
    for first in np.argsort(-joint.sum(axis=1), kind="stable"):
        if factors[0, first] > 0 or not joint[first].any():
            continue
        rows, columns = np.zeros((2, len(joint)))
        rows[first] = 1
        while _spread(joint, rows, columns) and _spread(joint.T, columns, rows):
            pass
        balance = np.sqrt(columns.sum() / rows.sum())
        factors += np.stack([rows * balance, columns / balance])
    return factors


def _spread(joint: Floats, known: Floats, factors: Floats) -> bool:
    """Fills in the column factors that follow from the known row factors; True if any is new."""
    shared = joint * (known > 0)[:, None]
    by = shared.argmax(axis=0)
    largest = shared[by, np.arange(len(by))]
    found = (largest > 0) & (factors == 0)
    factors[found] = largest[found] / known[by[found]]
    return bool(found.any())


@contextmanager
def _refusing() -> Iterator[None]:
    """Turns a ValueError of the rules into an InputError."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error)) from None

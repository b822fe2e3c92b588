# SPDX-License-Identifier: MIT
"""The range of another seat by its policy, and the loss of each choice at a decision.

A range follows from the actions of its seat (Bayes' rule). Losses are exact, in two-player games
that are small enough; both seats are assumed to continue with the strategy. The whole game is
evaluated once for each slot, with the actor's choices so far and that slot made certain: two such
values differ by the difference of the slots, times the probability that chance and the opponent
reach the decision.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError, TooLargeError
from regretless.games import with_hands
from regretless.games.episodes import Episode, actions_of, decisions, played, restarted
from regretless.games.face import Game, face
from regretless.policies.asking import Mix, mixes, policy_table
from regretless.policies.policy import Policy, TablePolicy, explicit
from regretless.policies.strategy_table import TableEvaluator

_MOST_INFOSETS = 500_000
_MOST_ROWS = 100_000  # hands, times the decisions that are asked about

Hand = tuple[int, ...]  # cards or faces


@dataclass(frozen=True)
class Posterior:
    """The range of one seat as another one must see it."""

    seat: int
    hands: list[Hand]
    weights: NDArray[np.float64]  # [hands], sum 1
    last_mix: Mix | None  # [hands, actions] at its last decision, if any
    answers: dict[int, NDArray[np.float64]]
    """The mean mix of the range after each slot of the viewer that the seat answers next."""


def posterior(episode: Episode, seat: int, viewer: int, policy: Policy) -> Posterior:
    """Bayes' rule over all hands of `seat` that the viewer's hand and the board leave possible.

    Hands of third seats are not taken into account. InputError if hands and decisions are too many,
    or after a bet that is not on the menu.
    """
    game = with_hands(episode.game, "a range")
    hands = np.flatnonzero(game.hands_possible([*episode.board, *_cards(episode, viewer)]))
    try:
        chosen = decisions(episode, seat)
    except ValueError as error:
        raise InputError(f"{error}: the range cannot be shown") from None
    spots, slots = [spot for spot, _ in chosen], [slot for _, slot in chosen]
    now = played(restarted(episode, []), [action for _, action in actions_of(episode)])
    answered = _answered(now, seat, viewer)
    num_rows = len(hands) * (len(spots) + len(answered))
    if max(num_rows, len(hands)) > _MOST_ROWS:
        raise InputError(
            f"{game.name}: a range of {len(hands):,} hands, asked about at"
            f" {len(spots) + len(answered)} decisions, is too large to show"
        )
    found = mixes(policy, [*spots, *answered.values()], hands)
    weights = game.hand_weights(seat)[hands]
    for mix, slot in zip(found, slots, strict=False):
        weights *= mix[:, slot]
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(hands), 1 / len(hands))
    return Posterior(
        seat,
        [tuple(game.hand_parts(int(hand))) for hand in hands],
        weights,
        found[len(spots) - 1] if spots else None,
        {s: weights @ mix for s, mix in zip(answered, found[len(spots) :], strict=True)},
    )


def _cards(episode: Episode, seat: int) -> list[int]:
    """The cards that a seat takes out of the deck."""
    return [] if episode.game.deck is None else episode.hand_parts(seat)


def _answered(now: Episode, seat: int, viewer: int) -> dict[int, Episode]:
    """The next decision of `seat` after each legal slot of the viewer."""
    answered = {}
    for slot, is_legal in enumerate(now.legal):
        if is_legal and now.actor == viewer:
            after = now.copy()
            after.choose(slot)
            if after.actor == seat:
                answered[slot] = after
    return answered


@dataclass(frozen=True)
class Decision:
    """A choice, and the loss of each slot at this decision (units)."""

    spot: Episode
    slot: int
    losses: dict[int, float]
    """The loss of each legal slot; 0 for the best."""

    @property
    def loss(self) -> float:
        return self.losses[self.slot]


class SlotValues:
    """Values of slots under one strategy of both seats; TooLargeError if the game is too large."""

    def __init__(self, game: Game, policy: Policy) -> None:
        if game.num_players != 2:
            raise TooLargeError(f"{game.name}: values of choices are known for two players only")
        if face(game).explicit is not None:
            raise TooLargeError(f"{game.name}: values of choices need hands kept apart")
        self.game, self.policy = game, policy
        self._evaluator = TableEvaluator(game)
        if explicit(policy).needs.seeds:
            raise TooLargeError(f"{policy.name}: plays by a seed and has no average strategy")
        if len(self._evaluator.keys) > _MOST_INFOSETS:
            raise TooLargeError(f"{game.name}: too many infosets for values of choices")
        self._order = np.argsort(self._evaluator.keys)
        if isinstance(policy, TablePolicy) and policy.abstraction is None:
            table = policy.table
        else:
            table = policy_table(game, policy)
        self._profile = self._evaluator.profile(table)

    def losses(self, spot: Episode) -> dict[int, float] | None:
        """The loss of each legal slot against the best one, in units of the game.

        The hand of the seat to act must be known; other hands do not matter. None where the
        opponent's strategy never comes here, so that his range is unknown.
        """
        seat = spot.actor
        likely = self._likely(spot, seat)
        if likely <= 0:
            return None
        certain = self._profile.copy()
        for before, slot in decisions(spot, seat, [seat]):
            self._choose(certain, before, slot)
        values = {}
        for slot, is_legal in enumerate(spot.legal):
            if is_legal:
                self._choose(certain, spot, slot)
                values[slot] = self._evaluator.value(certain, seat)
        best = max(values.values())
        return {slot: (best - value) / likely for slot, value in values.items()}

    def decisions(self, episode: Episode, seat: int) -> list[Decision]:
        """The decisions of a seat so far whose losses are known."""
        found = []
        for before, slot in decisions(episode, seat, [seat]):
            losses = self.losses(before)
            if losses is not None:
                found.append(Decision(before, slot, losses))
        return found

    def _choose(self, profile: NDArray[np.floating], spot: Episode, slot: int) -> None:
        place = np.searchsorted(self._evaluator.keys, spot.infoset, sorter=self._order)
        profile[self._order[place]] = np.arange(profile.shape[1]) == slot

    def _likely(self, spot: Episode, seat: int) -> float:
        """The probability of this hand, this board and the choices of the opponent."""
        game, other = self.game, 1 - seat
        hands = np.flatnonzero(game.hands_possible([*spot.board, *_cards(spot, seat)]))
        weights = game.hand_weights(other)[hands]
        chosen = decisions(spot, other)
        for mix, (_, slot) in zip(
            mixes(self.policy, [at for at, _ in chosen], hands), chosen, strict=True
        ):
            weights = weights * mix[:, slot]
        mine = game.hand_weights(seat)[spot.hand(seat)]
        return float(mine * weights.sum() / self._all_deals * _board_chance(spot))

    @cached_property
    def _all_deals(self) -> float:
        """The weight of all pairs of hands that can be dealt."""
        game, begins = self.game, self.game.episode_of()
        first, second = game.hand_weights(0), game.hand_weights(1)
        if game.deck is None:
            return float(first.sum() * second.sum())
        free = np.flatnonzero(game.hands_possible(begins.board) & (first > 0))
        pairs = (
            first[hand]
            * second[game.hands_possible([*begins.board, *game.hand_parts(int(hand))])].sum()
            for hand in free
        )
        return float(sum(pairs))


def _board_chance(spot: Episode) -> float:
    """The probability of the public cards since the game began, given both hands."""
    game = spot.game
    poker = face(game).poker
    if poker is None:
        return 1.0
    known = len(poker.board)
    chance, dealt = 1.0, 0
    for count in poker.rules.board_cards:
        dealt += count
        if known < dealt <= len(spot.board):
            left = poker.rules.deck.num_cards - 2 * poker.hand_size - (dealt - count)
            chance /= comb(left, count)
    return chance

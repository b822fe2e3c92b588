# SPDX-License-Identifier: MIT
"""The range of another seat, given its actions and its policy (Bayes' rule)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.games import with_hands
from regretless.games.episodes import Episode, actions_of, decisions, played, restarted
from regretless.policies.asking import Mix, mixes
from regretless.policies.policy import Policy

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

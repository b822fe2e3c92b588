# SPDX-License-Identifier: MIT
"""The strategy of a policy at a spot, for every hand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.games import with_hands
from regretless.games.episodes import Episode, legal_slots
from regretless.matches.slot_values import posterior
from regretless.notation.hand_classes import hand_name
from regretless.policies.asking import mixes
from regretless.policies.policy import Policy


@dataclass(frozen=True)
class HandAnswers:
    """The strategy of a policy at one decision, for every possible hand."""

    seat: int
    slots: list[int]  # the legal slots
    texts: list[str]  # the text of each slot
    hands: list[tuple[int, ...]]  # cards, or faces of dice
    names: list[str]  # names of the hands; in hold'em by class: `AKs`
    probabilities: NDArray[np.float64]  # [hands, slots], each row of sum 1
    weights: NDArray[np.float64]  # [hands], sum 1: how likely the seat holds it, by how it played

    def to_json(self) -> dict[str, Any]:
        numbers = {"probabilities": self.probabilities.tolist(), "weights": self.weights.tolist()}
        return vars(self) | {"hands": [list(hand) for hand in self.hands]} | numbers


def ask_every_hand(episode: Episode, policy: Policy) -> HandAnswers:
    """Returns the strategy of a policy with each hand of the seat to act.

    The seat has played the policy from the start; hidden cards and dice of `episode` are not read.
    InputError where a policy or a game does not allow it.
    """
    if episode.is_terminal or episode.actor < 0:
        raise InputError("no seat is to act here")
    seat, slots = episode.actor, legal_slots(episode)
    public = with_hands(episode.game, "asking about hands").episode_of(board=episode.board)
    for _, slot in episode.steps:
        public.choose(slot)
    found = posterior(public, seat, (seat + 1) % episode.game.num_players, policy)
    (mix,) = mixes(policy, [public])
    return HandAnswers(
        seat,
        slots,
        [episode.slot_text(slot) for slot in slots],
        found.hands,
        [hand_name(hand, episode.game.deck) for hand in found.hands],
        mix[:, slots],
        found.weights,
    )

# SPDX-License-Identifier: MIT
"""A policy that plays by a menu at a table where others bet what they like.

Beside the real episode goes one on the menu, in which every bet of the real one is a slot: mapped
pseudo-harmonically, the same slot whenever the hand is asked about again. The policy is asked
there; the slot that it draws is played for what it means in the real pot. Where the two have
parted (the one on the menu is all-in, the real one is not) it checks or calls.
"""

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.policy import Policy, normalize

FOLD, CALL = 0, 1  # slots, and below actions
_FOLDS, _CALLS = -1, 0


class OffMenuPlayer:
    """Plays a policy at real tables of its game."""

    def __init__(self, policy: Policy, game: _native.Poker, seed: int = 0) -> None:
        """The seed names the dice of mixed strategies and of the mapping."""
        self.policy, self.game, self.seed = policy, game, seed

    def act(self, episode: _native.PokerEpisode, number: int) -> int:
        """What the seat to act does in hand `number`: -1 folds, 0 calls, else it raises to that.

        Its cards must be known; those of others do not matter.
        """
        seat = episode.actor
        if seat < 0 or not episode.hole(seat):
            raise InputError("nobody is to act whose cards are known")
        beside = self._beside(episode, number)
        if beside is None:
            return _CALLS
        slot = self._drawn_slot(beside, episode.hole(seat), number)
        return _real_action(slot, beside, episode)

    def _drawn_slot(self, beside: _native.PokerEpisode, hole: list[int], number: int) -> int:
        hand = _native.hand_index(self.game.rules.deck, np.array([hole], np.uint8))
        asked = _native.ask_at(
            self.game,
            [beside],
            hand.astype(np.int32),
            numbers=[number],
            seed=self.seed,
            **self.policy.needs.options(),
        ).ask(0, 1)
        chances = normalize(self.policy(asked), asked.legal)[0]
        return int(self._dice(number, len(beside.events), 0).choice(len(chances), p=chances))

    def _beside(self, episode: _native.PokerEpisode, number: int) -> _native.PokerEpisode | None:
        """The episode on the menu; None where it has parted from the real one."""
        seats = range(self.game.num_players)
        hole = [episode.hole(seat) if seat == episode.actor else [] for seat in seats]
        real, beside = (_native.PokerEpisode(self.game, hole, episode.board) for _ in range(2))
        for place, (seat, street, action, _) in enumerate(episode.events):
            if (beside.actor, beside.street) != (seat, street):
                return None
            beside.choose(self._slot(action, real, beside, number, place))
            real.act(action)
        together = (beside.actor, beside.street) == (episode.actor, episode.street)
        return beside if together else None

    def _slot(
        self,
        action: int,
        real: _native.PokerEpisode,
        beside: _native.PokerEpisode,
        number: int,
        place: int,
    ) -> int:
        """The slot that a real action is taken for."""
        if action == _FOLDS:
            return FOLD if beside.legal[FOLD] else CALL
        if action == _CALLS:
            return CALL
        low, high, chance = real.translate(action)
        if low == CALL:  # a bet, however small, is not taken for a check
            slot = high
        else:
            slot = low if self._dice(number, place, 1).random() < chance else high
        return _nearest_raise(slot, beside.legal)

    def _dice(self, number: int, place: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, number, place, purpose])


def _real_action(slot: int, beside: _native.PokerEpisode, episode: _native.PokerEpisode) -> int:
    """What a slot means in the real episode."""
    if slot == FOLD:
        return _FOLDS if episode.can_fold else _CALLS
    offer, limits = episode.offer, episode.raise_range
    if slot == CALL or limits is None:
        return _CALLS
    amount = offer[slot]
    if amount is None:  # there it is too near to another bet, or less than the rules ask for
        amount = beside.offer[slot] or limits[0]
    return min(max(amount, limits[0]), limits[1])


def _nearest_raise(slot: int, legal: list[bool]) -> int:
    """The legal raise nearest to a slot, or a call where there is none."""
    raises = [each for each in range(CALL + 1, len(legal)) if legal[each]]
    return min(raises, key=lambda each: abs(each - slot), default=CALL)

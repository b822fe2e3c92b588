# SPDX-License-Identifier: MIT
"""A policy with a bet menu at a table where others may bet any amount.

Beside the real episode runs a translated one, in which every bet is a slot of the menu
(`translation.py`); the same hand is always translated in the same way. The policy is asked there,
and its slot is translated back to the real pot. Where the two have parted (the translated one is
all-in, the real one is not) the policy checks or calls.
"""

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import replayed, restarted
from regretless.games.translation import CALL, are_in_step, real_action, seen_slot
from regretless.policies.policy import Policy, normalize


class OffMenuPlayer:
    """Plays a policy at real tables of its game."""

    def __init__(self, policy: Policy, game: _native.Poker, seed: int = 0) -> None:
        """`seed` is for the draws of mixed strategies and of the mapping."""
        self.policy, self.game, self.seed, self.name = policy, game, seed, policy.name

    def act(self, episode: _native.PokerEpisode, number: int) -> int:
        """The action of the seat to act in hand `number`: -1 folds, 0 calls, else the raise amount.

        Its cards must be known; those of other seats do not matter.
        """
        seat = episode.actor
        if seat < 0 or not episode.hole(seat):
            raise InputError("nobody is to act whose cards are known")
        beside = self.beside(episode, number)
        if beside is None:
            return CALL
        slot = self._drawn_slot(beside, episode.hole(seat), number)
        return real_action(beside, episode, slot)

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

    def beside(self, episode: _native.PokerEpisode, number: int) -> _native.PokerEpisode | None:
        """The translated episode as the actor sees it; None where it has parted."""
        beside = restarted(episode, [episode.actor])
        for place, (real, _, action) in enumerate(replayed(episode, [episode.actor])):
            if not are_in_step(real, beside):
                return None
            dice = self._dice(number, place, 1)
            beside.choose(seen_slot(real, beside, action, dice))
        return beside if are_in_step(episode, beside) else None

    def _dice(self, number: int, place: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, number, place, purpose])

# SPDX-License-Identifier: MIT
"""A blueprint: a policy for the streets before searches begin, and the ranges that it leads to.

Bets that the blueprint's menu lacks are translated as in matches (`games/translation.py`). Draws of
the mapping depend on the history alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.games.face import rules_record
from regretless.games.translation import CALL, are_in_step, real_action, seen_slot
from regretless.policies.asking import mixes
from regretless.policies.policy import Policy
from regretless.search.holdem_search import normalized, possible_hands


class Choices(NamedTuple):
    """A strategy in chips at one public state."""

    amounts: tuple[int, ...]  # -1 fold, 0 check or call, else the amount to bet or raise to
    strategy: NDArray[np.floating]  # [amounts, hands]


class Blueprint:
    """Plays one game by a policy of the same or of another game of heads-up hold'em."""

    def __init__(self, policy: Policy, own: _native.Poker, game: _native.Poker) -> None:
        """`own` is the game of the policy, `game` the one that is played."""
        self.policy, self.own, self.game = policy, own, game
        self._is_same_menu = rules_record(own)["menu"] == rules_record(game)["menu"]
        self.is_of_game = rules_record(own) == rules_record(game)
        self._mixes: dict[tuple[tuple[int, ...], tuple[int, ...]], NDArray[np.float64]] = {}

    def choices(self, actions: Sequence[int], board: Sequence[int]) -> Choices:
        """Returns the strategy of the player to act; a check or call where translation fails."""
        real, seen = self._episodes(actions, board)
        if not are_in_step(real, seen):
            return Choices((CALL,), np.ones((1, self.game.num_hands)))
        mix, found = self._mix(seen), dict[int, NDArray[np.float64]]()
        for slot, amount in enumerate(seen.offer):
            if amount is not None:
                chips = real_action(seen, real, slot, self._is_same_menu)
                found[chips] = found.get(chips, np.zeros(len(mix))) + mix[:, slot]
        return Choices(tuple(found), np.stack(list(found.values())))

    def ranges(self, actions: Sequence[int], board: Sequence[int]) -> list[NDArray[np.float64]]:
        """Returns both ranges after these actions by Bayes' rule, each of sum 1.

        An action that a player never takes leaves his range as it was.
        """
        possible = possible_hands(self.game.num_hands, board)
        ranges = [possible.astype(np.float64) for _ in range(2)]
        real, seen = self._episodes((), board)
        for number, action in enumerate(actions):
            if not are_in_step(real, seen):
                break
            slot = self._slot(real, seen, actions[: number + 1])
            after = ranges[real.actor] * self._mix(seen)[:, slot]
            if after.sum() > 1e-12 * ranges[real.actor].sum():
                ranges[real.actor] = after
            real.act(action)
            seen.choose(slot)
        return [normalized(each, possible) for each in ranges]

    def _episodes(
        self, actions: Sequence[int], board: Sequence[int]
    ) -> tuple[_native.PokerEpisode, _native.PokerEpisode]:
        """Returns the real episode and the translated one, which may have stopped before it."""
        real, seen = (_native.PokerEpisode(g, [], list(board)) for g in (self.game, self.own))
        for number, action in enumerate(actions):
            if are_in_step(real, seen):
                seen.choose(self._slot(real, seen, actions[: number + 1]))
            real.act(action)
        return real, seen

    def _slot(
        self, real: _native.PokerEpisode, seen: _native.PokerEpisode, actions: Sequence[int]
    ) -> int:
        dice = np.random.default_rng([action + 1 for action in actions])
        return seen_slot(real, seen, actions[-1], dice, self._is_same_menu)

    def _mix(self, seen: _native.PokerEpisode) -> NDArray[np.float64]:
        """Returns the strategy at a translated state, [hands, slots]; 0 for blocked hands."""
        board = tuple(seen.board)[: (0, 3, 4, 5)[seen.street]]
        key = tuple(action for _, _, action, _ in seen.events), board
        if key not in self._mixes:
            rows = np.zeros((self.own.num_hands, self.own.num_actions))
            rows[possible_hands(self.own.num_hands, board)] = mixes(self.policy, [seen])[0]
            if len(self._mixes) > 4096:
                self._mixes.clear()
            self._mixes[key] = rows
        return self._mixes[key]

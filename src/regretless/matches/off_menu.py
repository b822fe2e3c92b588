# SPDX-License-Identifier: MIT
"""A policy with a bet menu at a table where others may bet any amount, or with other stacks.

Beside the real episode runs a translated one of the policy's own game, in which every bet is a slot
of the menu (`translation.py`); the same hand is always translated in the same way. The policy is
asked there, and its slot is translated back to the real pot. Where the two have parted (the
translated one is all-in, the real one is not) the policy checks or calls. A policy that acts in
chips (`ActsInChips`) is asked about the real episode.
"""

from collections.abc import Sequence

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import replayed
from regretless.games.face import rules_record
from regretless.games.translation import CALL, are_in_step, real_action, seen_slot
from regretless.policies.policy import ActsInChips, Policy, normalize

_SAME = ("players", "deck", "hole_cards", "board_cards", "limit", "showdown", "first_actors")
_MOST_RATIO_OFF = 1e-9


def why_not_alike(own: _native.Poker, real: _native.Poker) -> str | None:
    """The reason why a policy of `own` cannot play `real` by translation; None if it can.

    Stacks, menus and the worth of a chip may differ, nothing else.
    """
    mine, others = (rules_record(each)["poker"] for each in (own, real))
    for key in _SAME:
        if mine[key] != others[key]:
            return f"{key.replace('_', ' ')} {mine[key]} and {others[key]}"
    for key in ("blinds", "antes"):
        each = [np.array(rules[key]) / rules["unit"] for rules in (mine, others)]
        if np.abs(each[0] - each[1]).max() > _MOST_RATIO_OFF:
            return f"{key} {mine[key]} and {others[key]}"
    if own.rules.limit == _native.Limit.FIXED and mine["bets"] != others["bets"]:
        return f"bets {mine['bets']} and {others['bets']}"
    return None


class OffMenuPlayer:
    """Plays a policy at real tables of its game, or of one that is alike (`why_not_alike`)."""

    def __init__(
        self, policy: Policy, game: _native.Poker, seed: int = 0, real: _native.Poker | None = None
    ) -> None:
        """`game` is the policy's own; `seed` is for draws of mixed strategies and of the mapping.

        InputError if the policy cannot play the `real` game (default: its own).
        """
        self.policy, self.game, self.seed, self.name = policy, game, seed, policy.name
        self.real = game if real is None else real
        if (why := why_not_alike(game, self.real)) is not None:
            raise InputError(f"{self.name} is for {game.name}, not for {self.real.name}: {why}")
        menus = (rules_record(each)["menu"] for each in (game, self.real))
        self._is_same_menu = next(menus) == next(menus)
        self._in_chips = policy.in_chips(self.real) if isinstance(policy, ActsInChips) else None

    @property
    def note(self) -> str | None:
        """A line about stacks that differ from those that the policy knows."""
        if self._in_chips is not None:
            return None
        own, real = (each.rules.stacks[0] / each.unit for each in (self.game, self.real))
        if own == real:
            return None
        what = "bets beyond them count as all-in" if real > own else "all-ins come earlier"
        return f"{self.name} knows stacks of {own:g} big blinds, and has {real:g} here: {what}"

    def act(self, episode: _native.PokerEpisode, number: int) -> int:
        """The action of the seat to act in hand `number`: -1 folds, 0 calls, else the raise amount.

        Its cards must be known; those of other seats do not matter.
        """
        return self.actions([episode], [number])[0]

    def actions(
        self, episodes: Sequence[_native.PokerEpisode], numbers: Sequence[int]
    ) -> list[int]:
        """The actions at several tables; the policy is asked once."""
        if self._in_chips is not None:
            return [
                self._drawn(mix, number, len(episode.events))
                for mix, number, episode in zip(
                    self._in_chips.mix(episodes), numbers, episodes, strict=True
                )
            ]
        actions, asked, places = [CALL] * len(episodes), [], []
        besides = []
        for place, (episode, number) in enumerate(zip(episodes, numbers, strict=True)):
            if episode.actor < 0 or not episode.hole(episode.actor):
                raise InputError("nobody is to act whose cards are known")
            if (beside := self.beside(episode, number)) is not None:
                asked.append(self._question(beside, episode.hole(episode.actor), number))
                besides.append(beside)
                places.append(place)
        if not asked:
            return actions
        questions = asked[0] if len(asked) == 1 else _native.Questions.joined(asked)
        chances = normalize(self.policy(questions), questions.legal)
        for place, beside, row in zip(places, besides, chances, strict=True):
            dice = self._dice(numbers[place], len(beside.events), 0)
            slot = int(dice.choice(len(row), p=row))
            actions[place] = real_action(beside, episodes[place], slot, self._is_same_menu)
        return actions

    def _drawn(self, mix: dict[int, float], number: int, place: int) -> int:
        chances = np.fromiter(mix.values(), np.float64)
        dice = self._dice(number, place, 0)
        return int(dice.choice(list(mix), p=chances / chances.sum()))

    def _question(
        self, beside: _native.PokerEpisode, hole: list[int], number: int
    ) -> _native.Questions:
        hand = _native.hand_index(self.game.rules.deck, np.array([hole], np.uint8))
        return _native.ask_at(
            self.game,
            [beside],
            hand.astype(np.int32),
            numbers=[number],
            seed=self.seed,
            **self.policy.needs.options(),
        ).ask(0, 1)

    def beside(self, episode: _native.PokerEpisode, number: int) -> _native.PokerEpisode | None:
        """The translated episode as the actor sees it; None where it has parted."""
        actor = episode.actor
        seats = range(self.game.num_players)
        hands = [episode.hole(seat) if seat == actor else [] for seat in seats]
        beside = _native.PokerEpisode(self.game, hands if any(hands) else [], episode.board)
        for place, (real, _, action) in enumerate(replayed(episode, [actor])):
            if not are_in_step(real, beside):
                return None
            dice = self._dice(number, place, 1)
            beside.choose(seen_slot(real, beside, action, dice, self._is_same_menu))
        return beside if are_in_step(episode, beside) else None

    def _dice(self, number: int, place: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, number, place, purpose])

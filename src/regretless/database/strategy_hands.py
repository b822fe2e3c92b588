# SPDX-License-Identifier: MIT
"""Real hands as a strategy sees them, whose game may have other chips, stacks and seats.

Beside the real hand runs one of the strategy's own game, in which every bet has the same share of
the pot (`games/translation.py`). Seats that the real table lacks have folded first; seats that the
strategy's table lacks must have done so.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import actions_of
from regretless.games.menus import FOLD_SLOT
from regretless.games.translation import FOLD, seen_slot
from regretless.histories.recorded_hand import RecordedHand
from regretless.notation.cards import FULL_DECK
from regretless.notation.hand_classes import class_places
from regretless.notation.ranges import Range
from regretless.policies.asking import mixes
from regretless.seats.strategies import Strategy

_MOST_DEPTH = 2.0  # times deeper or shallower than the strategy's game
_LEAST_WEIGHT = 0.01  # of a class in a range
_CLASSES = 169


@dataclass(frozen=True)
class SeenDecision:
    """A decision of the real hand, and the same in the strategy's game."""

    real: _native.PokerEpisode
    """Before the action; a copy."""
    seat: int
    action: int
    seen: _native.PokerEpisode | None
    """A copy; None where the two hands have parted."""
    slot: int
    """The slot of the strategy's menu that stands for the action; -1 where they have parted."""


class StrategyHands:
    """A strategy that is asked about real hands."""

    def __init__(self, strategy: Strategy, name: str) -> None:
        if not isinstance(strategy.game, _native.Poker):
            raise InputError(f"{name}: plays no poker")
        self.game, self.policy, self.name = strategy.game, strategy.policy, name

    def is_of(self, hand: RecordedHand) -> bool:
        """Whether a hand is of the strategy's game, whatever its chips and seats."""
        mine, rules = (
            (each.showdown, each.limit, each.num_hole_cards, each.board_cards)
            for each in (self.game.rules, hand.episode.game.rules)
        )
        return mine == rules

    def misfit(self, hand: RecordedHand, seat: int) -> str:
        """Why the strategy cannot be asked about a hand of its game, or nothing."""
        mine, rules = self.game.rules, hand.episode.game.rules
        count, own = rules.num_players, mine.num_players
        if count != own and 2 in (count, own):
            return f"{self.name} is for {own} players, not for {count}"
        dropped = set(range(2, 2 + count - own))
        acted = {s for s, street, action, _ in hand.episode.events if action != FOLD or street}
        if dropped & acted:
            return f"{self.name} is for {own} players, and more play this hand"
        others = max(s for i, s in enumerate(rules.stacks) if i != seat)
        depth = min(rules.stacks[seat], others) / rules.bets[0]
        usual = mine.stacks[0] / mine.bets[0]
        if not usual / _MOST_DEPTH <= depth <= usual * _MOST_DEPTH:
            return f"{self.name} plays {usual:g} bb deep, and this hand is {depth:.0f} bb deep"
        return ""

    def walk(self, hand: RecordedHand) -> Iterator[SeenDecision]:
        """All decisions of the hand in order, but for those of seats that are dropped."""
        episode = hand.episode
        rules, count, own = episode.game.rules, episode.game.num_players, self.game.num_players
        holes = [episode.hole(seat) for seat in range(count)]
        table = _native.Poker(rules, self.game.menu)
        real = _native.PokerEpisode(table, holes if any(holes) else [], episode.board)
        seen: _native.PokerEpisode | None = _native.PokerEpisode(self.game, [], episode.board)
        seats = {seat: seat if seat < 2 else seat + own - count for seat in range(count)}
        dropped = set(range(2, 2 + count - own))
        there = {seats[seat] for seat in range(count) if seat not in dropped}
        random = np.random.default_rng(0)
        for seat, action in actions_of(episode):
            while seen is not None and seen.actor >= 0 and seen.actor not in there:
                seen.choose(FOLD_SLOT)
            if seat in dropped:
                real.act(action)
                continue
            if seen is not None and (seen.actor, seen.street) != (seats[seat], real.street):
                seen = None
            slot = -1 if seen is None else seen_slot(real, seen, action, random)
            before = None if seen is None else seen.copy()
            yield SeenDecision(real.copy(), seat, action, before, slot)
            real.act(action)
            if seen is not None:
                seen.choose(slot)

    def mix(self, decision: SeenDecision, hand: int) -> NDArray[np.float64]:
        """Probabilities of the slots with one hand, by its number."""
        assert decision.seen is not None
        (found,) = mixes(self.policy, [decision.seen], np.array([hand]))
        row: NDArray[np.float64] = found[0]
        return row

    def range_of(self, decisions: list[SeenDecision], seat: int, kept: int) -> Range:
        """The range of a seat after its decisions, by classes; that of hand `kept` stays in it."""
        hands = np.arange(self.game.num_hands)
        reach = np.ones(len(hands))
        own = [each for each in decisions if each.seat == seat and each.seen is not None]
        for each in own:
            assert each.seen is not None
            possible = np.flatnonzero(self.game.hands_possible(list(each.seen.board)))
            (mix,) = mixes(self.policy, [each.seen], possible)
            chance = np.zeros(len(hands))
            chance[possible] = mix[:, each.slot]
            reach *= chance
        classes = class_places(13, 4)
        counts = np.maximum(np.bincount(classes, reach > 0, _CLASSES), 1)
        weights = np.bincount(classes, reach, _CLASSES) / counts
        weights = weights / max(weights.max(), 1e-9)
        weights[weights < _LEAST_WEIGHT] = 0
        if kept >= 0:
            weights[classes[kept]] = max(weights[classes[kept]], _LEAST_WEIGHT)
        return Range(np.round(weights[classes], 3), FULL_DECK)

# SPDX-License-Identifier: MIT
"""Goes through the decisions of one player: a strategy's mix at each, and what the choice cost.

Costs are known where a hand is heads-up after the flop and was solved. Such decisions come first,
the costliest at the top; then those that the strategy would make the least often.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from regretless import _native
from regretless.database.hand_database import HandDatabase, KeptHand
from regretless.database.solved_hands import Ranges, SolvedHand, bet_text, solve_hand, spot_starts
from regretless.database.strategy_hands import SeenDecision, StrategyHands
from regretless.errors import InputError
from regretless.games.episodes import legal_slots
from regretless.games.face import view
from regretless.games.translation import real_action
from regretless.notation.ranges import Range
from regretless.seats.strategies import find_strategy
from regretless.tables.review import ReviewedChoice

DEFAULT_STRATEGIES = ("hunl-deep-cfr", "nlhe6-nfsp")
"""Heads-up, and with more players."""
_SECONDS_A_HAND = 10.0
_MOST_HANDS = 1_000_000


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision of the player."""

    hand: KeptHand
    choice: ReviewedChoice
    """As the table's review has it; all amounts are big blinds."""
    chance: float | None
    """The probability of the choice in the strategy; None if it cannot be asked."""
    best: str
    """The best action of the solved tree; empty if there is none."""
    solved: SolvedHand | None

    def to_json(self) -> dict[str, Any]:
        choice, solved = self.choice, self.solved
        lost = choice.lost
        row: dict[str, Any] = {
            "hand": self.hand.name,
            "played": self.hand.played,
            "place": choice.place,
            "chosen": choice.chosen,
            "seen_as": choice.seen_as,
            "chance": self.chance,
            "mix": dict(choice.mix),
            "lost_bb": lost,
            "best": self.best or None,
        }
        if solved is not None:
            row["solved"] = {
                "street": solved.street,
                "range_oop": solved.ranges[0],
                "range_ip": solved.ranges[1],
                "exploitability_percent": solved.exploitability,
                "iterations": solved.iterations,
                "seconds": solved.seconds,
            }
        return row


@dataclass
class Review:
    """The decisions, worst first, and what was left out."""

    player: str
    hands: int
    decisions: list[ReviewedDecision]
    unasked: dict[str, int]
    """Hands that no strategy fits, by the reason."""
    solved: int
    unsolved: dict[str, int]
    """Heads-up hands that were not solved, by the reason."""


@dataclass(frozen=True)
class ReviewOptions:
    """The choices of a review."""

    strategy: str | None = None
    """The strategy to compare with; default: hunl-deep-cfr heads-up, nlhe6-nfsp with more."""
    seconds: float = 30.0
    """Seconds to solve heads-up hands after the flop in all, at most 10 for each; 0: none."""
    range_oop: str | None = None
    """Range out of position in solved hands; default: that of the strategy."""
    range_ip: str | None = None
    """Range in position in solved hands; default: that of the strategy."""
    last: int = 200
    """The latest hands of the player to go through."""


def review_hands(
    database: HandDatabase,
    player: str | None = None,
    options: ReviewOptions | None = None,
    *,
    report: Callable[[str], None] = lambda _: None,
) -> Review:
    """Reviews the latest hands of a player, of the files' owner by default."""
    chosen = options or ReviewOptions()
    if not 0 <= chosen.seconds < math.inf:
        raise InputError(f"seconds: must be a number from 0 on, not {chosen.seconds}")
    if not 1 <= chosen.last <= _MOST_HANDS:
        raise InputError(f"last: must be 1 to {_MOST_HANDS:,}, not {chosen.last}")
    for text in filter(None, (chosen.range_oop, chosen.range_ip)):
        Range.parse(text)
    name = player or database.hero()
    database.require_player(name)
    return _Reviewer(name, chosen, report).review(list(database.hands(name, last=chosen.last)))


class _Reviewer:
    def __init__(self, player: str, options: ReviewOptions, report: Callable[[str], None]) -> None:
        self.player, self.options, self.report = player, options, report
        self.opened: dict[str, StrategyHands] = {}
        self.result = Review(player, 0, [], {}, 0, {})

    def review(self, hands: list[KeptHand]) -> Review:
        found: list[tuple[KeptHand, int, list[SeenDecision], StrategyHands]] = []
        for number, kept in enumerate(hands, 1):
            self.report(f"hand {number:,} of {len(hands):,}")
            recorded = kept.recorded
            seat = list(recorded.players or []).index(self.player)
            if not recorded.episode.hole(seat):
                self._count(self.result.unasked, "the player's cards are unknown")
                continue
            strategy = self._strategy(recorded.episode.game.num_players)
            if not strategy.is_of(recorded):
                self._count(self.result.unasked, f"{strategy.name} plays another game")
                continue
            found.append((kept, seat, list(strategy.walk(recorded)), strategy))
        solved = self._solve(found)
        for kept, seat, decisions, strategy in found:
            problem = strategy.misfit(kept.recorded, seat)
            if problem:
                self._count(self.result.unasked, problem)
            self._add(kept, seat, decisions, strategy, not problem, solved.get(kept.id))
        self.result.hands = len(hands)
        self.result.decisions.sort(key=_badness)
        return self.result

    def _strategy(self, players: int) -> StrategyHands:
        name = self.options.strategy or DEFAULT_STRATEGIES[players > 2]
        if name not in self.opened:
            self.opened[name] = StrategyHands(find_strategy(name), name)
        return self.opened[name]

    def _count(self, of: dict[str, int], reason: str) -> None:
        of[reason] = of.get(reason, 0) + 1

    def _solve(self, found: list[Any]) -> dict[int, SolvedHand]:
        """Solves hands until the time is over, the largest pots first."""
        end = time.monotonic() + self.options.seconds
        solved: dict[int, SolvedHand] = {}
        pots = sorted(found, key=lambda each: -_pot(each[0]))
        for kept, seat, decisions, strategy in pots:
            left = end - time.monotonic()
            if not spot_starts(decisions, seat) or not _is_solvable(kept):
                continue
            if left <= 1.0:
                if self.options.seconds:
                    self._count(self.result.unsolved, "the time was over: give more --seconds")
                continue
            self.report(f"solving {kept.name}, {left:.0f} s left")
            misfit = strategy.misfit(kept.recorded, seat)
            if misfit and None in (self.options.range_oop, self.options.range_ip):
                self._count(self.result.unsolved, f"no ranges: {misfit}")
                continue
            try:
                ranges = partial(self._ranges, hero=seat, kept=kept, strategy=strategy)
                answer = solve_hand(decisions, seat, ranges, min(left, _SECONDS_A_HAND))
            except InputError as error:
                self._count(self.result.unsolved, str(error))
                continue
            if answer is not None:
                solved[kept.id] = answer
        self.result.solved = len(solved)
        return solved

    def _ranges(
        self,
        before: list[SeenDecision],
        seats: tuple[int, int],
        *,
        hero: int,
        kept: KeptHand,
        strategy: StrategyHands,
    ) -> Ranges:
        given = (self.options.range_oop, self.options.range_ip)
        hand = kept.recorded.episode.hand(hero)
        texts = [
            each
            if each is not None
            else str(strategy.range_of(before, seat, hand if seat == hero else -1))
            for each, seat in zip(given, seats, strict=True)
        ]
        return texts[0], texts[1]

    def _add(
        self,
        kept: KeptHand,
        hero: int,
        decisions: list[SeenDecision],
        strategy: StrategyHands,
        is_asked: bool,
        solved: SolvedHand | None,
    ) -> None:
        hand, big = kept.recorded.episode.hand(hero), kept.recorded.episode.game.rules.bets[0]
        for place, each in enumerate(decisions):
            if each.seat != hero:
                continue
            mix, chance, seen_as = list[tuple[str, float]](), None, None
            real, seen = each.real, each.seen
            if is_asked and seen is not None:
                row = strategy.mix(each, hand)
                actions = {slot: real_action(seen, real, slot) for slot in legal_slots(seen)}
                mix = [(bet_text(real, actions[slot], big), float(row[slot])) for slot in actions]
                chance = float(row[each.slot])
                seen_as = bet_text(real, actions[each.slot], big)
            lost = solved.lost.get(place) if solved is not None else None
            lost = None if lost is None or math.isnan(lost) else lost / big
            text = f"{view(real).street()}, pot {real.pot / big:.4g}"
            choice = ReviewedChoice(text, bet_text(real, each.action, big), mix, lost, seen_as)
            best = solved.best.get(place, "") if solved is not None else ""
            is_here = solved is not None and place in solved.lost
            self.result.decisions.append(
                ReviewedDecision(kept, choice, chance, best, solved if is_here else None)
            )


def _is_solvable(kept: KeptHand) -> bool:
    """Whether the game is no-limit hold'em."""
    rules = kept.recorded.episode.game.rules
    return (rules.showdown, rules.limit) == (_native.Showdown.HOLDEM, _native.Limit.NONE)


def _pot(kept: KeptHand) -> float:
    episode = kept.recorded.episode
    return episode.pot / episode.game.rules.bets[0]


def _badness(decision: ReviewedDecision) -> tuple[Any, ...]:
    """Known costs first, the largest first; then choices by how rare the strategy makes them."""
    lost, chance = decision.choice.lost, decision.chance
    return (lost is None, -(lost or 0.0), chance is None, chance or 0.0, decision.hand.id)

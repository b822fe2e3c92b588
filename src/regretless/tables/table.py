# SPDX-License-Identifier: MIT
"""Tables for people and policies; the policies of many tables are asked in one batch.

A native job of one table makes the questions, so a policy sees the same as in training. Beside the
job runs an episode with the same cards, which is shown to people. After a bet off the menu the job
continues with its translation (`translation.py`) and the episode with the real chips. A policy that
acts in chips (`ActsInChips`) is asked about the episode.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import view
from regretless.games.translation import (
    action_text,
    are_in_step,
    raise_slots,
    real_action,
    seen_slot,
)
from regretless.policies.policy import ActsInChips, Needs, Policy


@dataclass(frozen=True)
class LogEntry:
    """One event that everybody at the table saw."""

    seat: int | None
    """The seat that acted; None when a street begins."""
    text: str
    """Such as `raise to 300`, or `flop Jc9d7c, pot 600`."""
    seen: str | None = None
    """The slot that the policies see instead, if it differs."""


class Table:
    """One episode at a table: seats, cards, chips, the actor, and the log."""

    policies: list[Policy | None]
    """Policies by seat; None where a person sits."""
    episode: Episode
    """All cards and chips; `seat_json` shows the part that one seat may see."""
    seen: Episode | None
    """The episode with bets of the menu only, as the policies see it. None once it has ended or
    parted from the real one: from there on the policies check and call."""
    log: list[LogEntry]
    questions: _native.Questions | None
    """One row for the seat to act; None when the episode that the policies see is over."""

    def __init__(
        self, game: Game, policies: Sequence[Policy | None], seed: int, index: int = 0
    ) -> None:
        """Deals episode `index`; a seat without a policy (None) is for a person."""
        if len(policies) != game.num_players:
            raise InputError(f"{game.name} has {game.num_players} seats, not {len(policies)}")
        if not (0 <= seed < 1 << 64 and 0 <= index < 1 << 62):
            raise InputError("seed: must be a number from 0 below 2^64, the index below 2^62")
        self.policies = list(policies)
        self.episode = game.episode(seed, index)
        self.seen = game.episode(seed, index)
        self.log = []
        self._random = np.random.default_rng([seed, index])
        self._job = _native.SelfPlay(
            game,
            1,
            tables=1,
            seed=seed,
            first_episode=index,
            **Needs.of(each for each in policies if each is not None).options(),
        )
        self.questions = self._job.ask()
        self._street = ""
        self._note_street()

    @property
    def is_over(self) -> bool:
        return self.episode.is_terminal

    @property
    def actor(self) -> int | None:
        """The seat to act; None when the episode is over."""
        return None if self.is_over else self.episode.actor

    @property
    def policy(self) -> Policy | None:
        """The policy to act; None where a person acts or the episode is over."""
        return None if self.is_over else self.policies[self.episode.actor]

    @property
    def bet_range(self) -> tuple[int, int] | None:
        """The smallest and largest legal bet or raise, None where there is none.

        There is none where the menu allows no more raises.
        """
        real, seen = view(self.episode).poker, self._seen_poker
        if real is None or real.is_terminal or (seen is not None and not raise_slots(seen)):
            return None
        return real.raise_range

    def choose(self, slot: int) -> None:
        """Plays a legal slot for the seat to act."""
        if self.is_over or not 0 <= slot < len(self.episode.legal) or not self.episode.legal[slot]:
            raise InputError(f"slot {slot} is not a choice here")
        real = view(self.episode).poker
        if real is not None:
            action = real.offer[slot]
            assert action is not None
            self._act(real, action)
            return
        self.log.append(LogEntry(self.episode.actor, view(self.episode).action_text(slot)))
        self.episode.choose(slot)
        self._go_on(slot)

    def bet(self, amount: int) -> None:
        """Bets or raises to any legal amount for the seat to act."""
        if self.bet_range is None:
            raise InputError("there is nothing to bet or raise here")
        least, most = self.bet_range
        if not least <= amount <= most:
            raise InputError(f"cannot bet {amount} here: from {least} to {most}")
        self._act(self._real_poker, amount)

    def draw(self, probabilities: NDArray[np.floating]) -> None:
        """Draws a slot for the seat to act from probabilities [actions]."""
        asked = self.episode if self.seen is None else self.seen
        weights = np.where(asked.legal, probabilities, 0).astype(np.float64)
        if not 0 < weights.sum() < np.inf:
            raise InputError("no legal slot has a probability above 0")
        slot = int(self._random.choice(len(weights), p=weights / weights.sum()))
        if self._seen_poker is None:
            self.choose(slot)
        else:
            real = self._real_poker
            self._act(real, real_action(self._seen_poker, real, slot), slot)

    def draw_amount(self, mix: Mapping[int, float]) -> None:
        """Draws an action in real chips for the seat to act, each with its probability."""
        chances = np.fromiter(mix.values(), np.float64)
        self._act(self._real_poker, int(self._random.choice(list(mix), p=chances / chances.sum())))

    def check_or_call(self) -> None:
        """The action of policies once the hand that they see is over."""
        self._act(self._real_poker, 0)

    @property
    def _real_poker(self) -> _native.PokerEpisode:
        real = view(self.episode).poker
        assert real is not None
        return real

    @property
    def _seen_poker(self) -> _native.PokerEpisode | None:
        return None if self.seen is None else view(self.seen).poker

    def _act(self, real: _native.PokerEpisode, action: int, slot: int | None = None) -> None:
        """Plays an action in real chips; the policies see it as `slot`, or as its translation."""
        seen, seen_as = self._seen_poker, None
        text = action_text(real, action)
        if seen is not None and slot is None:
            slot = seen_slot(real, seen, action, self._random)
            if action not in real.offer:
                seen_as = seen.slot_text(slot)
        self.log.append(LogEntry(real.actor, text, seen_as))
        real.act(action)
        if slot is not None:
            self._go_on(slot)
        else:
            self._note_street()

    def _go_on(self, slot: int) -> None:
        """Plays a slot in the episode that the policies see."""
        assert self.seen is not None
        self._job.answer_slots(np.array([slot], np.int32))
        self.seen.choose(slot)
        self.questions = self._job.ask()
        seen = self._seen_poker
        if seen is not None and not are_in_step(self._real_poker, seen):
            self.seen = self.questions = None
        self._note_street()

    def _note_street(self) -> None:
        shown = view(self.episode)
        if not self.is_over and shown.street() != self._street:
            self._street = shown.street()
            self.log.append(LogEntry(None, f"{shown.street()}, {shown.stakes()}"))


def play_on(tables: Iterable[Table]) -> None:
    """Plays until every table is over or waits for a person.

    A policy that sits at several tables is asked once about all tables that wait for it.
    """
    tables = list(tables)
    while waiting := [table for table in tables if table.policy is not None]:
        waiting = _play_in_chips(waiting)
        for table in waiting:
            if table.seen is None:
                table.check_or_call()
        waiting = [table for table in waiting if table.seen is not None]
        groups: dict[tuple[int, str, int], list[Table]] = defaultdict(list)
        for table in waiting:
            game = table.episode.game
            groups[id(table.policy), game.name, game.num_actions].append(table)
        for group in groups.values():
            policy = group[0].policy
            assert policy is not None
            asked = [each.questions for each in group if each.questions is not None]
            rows = policy(_native.Questions.joined(asked))
            for table, row in zip(group, rows, strict=True):
                table.draw(row)


def _play_in_chips(tables: Iterable[Table]) -> list[Table]:
    """Plays one action at each table where the policy acts in chips; returns the others."""
    others, groups = list[Table](), defaultdict[int, list[Table]](list)
    for table in tables:
        poker = isinstance(table.policy, ActsInChips) and view(table.episode).poker
        (groups[id(table.policy)] if poker else others).append(table)
    for group in groups.values():
        policy, episodes = group[0].policy, [each._real_poker for each in group]
        assert isinstance(policy, ActsInChips)
        player = policy.in_chips(episodes[0].game)
        for table, mix in zip(group, player.mix(episodes), strict=True):
            table.draw_amount(mix)
    return others


def fresh_seed() -> int:
    """A random seed for the cards of a session."""
    return secrets.randbits(32)

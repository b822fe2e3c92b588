# SPDX-License-Identifier: MIT
"""The common record of a hand that was played elsewhere: its episode, and what the engine lacks.

Three things of real hands are no part of an episode. Dead money is an ante of everybody here, and
`moved` says what that changed. A seat that folded without a bet checks here. Rake is arbitrary, so
that the chips that each seat took in are kept as they were recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regretless import _native


@dataclass(frozen=True)
class RecordedHand:
    """A hand of a file or of a match."""

    episode: _native.PokerEpisode
    players: Sequence[str] | None = None
    """Names by seat, if they are known."""
    number: int = 0
    """The number in its match, from 0."""
    fields: Mapping[str, Any] | None = None
    """The fields of its hand history (PHH), if it was read from one or made into one."""
    scale: int = 1
    """Chips in one unit of the fields."""
    folded: frozenset[int] = frozenset()
    """Seats that folded without a bet; in the episode they check, and fold to the next bet."""
    moved: tuple[int, ...] = ()
    """Chips by seat to add to the payoffs of the episode, if dead money was made an ante of all."""
    won: tuple[int, ...] | None = None
    """Chips by seat that were taken from the pot, rake deducted, if they are recorded."""
    note: str = ""
    """A line about a difference between the record and the engine."""

    @property
    def live(self) -> list[int]:
        """The seats that have not folded."""
        live = enumerate(self.episode.live)
        return [seat for seat, is_live in live if is_live and seat not in self.folded]

    @property
    def is_over(self) -> bool:
        return self.episode.is_terminal or len(self.live) == 1

    @property
    def wins(self) -> list[int] | None:
        """Chips by seat that cards and bets take from the pot; None where cards are unknown."""
        episode, live = self.episode, self.live
        if not self.is_over or (len(live) > 1 and not all(map(episode.hole, live))):
            return None
        paid = episode.paid
        if not self.folded:
            return [won + paid[seat] for seat, won in enumerate(episode.payoffs)]
        ranks = {seat: episode.strength(seat) if len(live) > 1 else 0 for seat in live}
        return split_pot(paid, [ranks.get(seat) for seat in range(len(paid))])

    @property
    def put_in(self) -> list[int]:
        """Chips that each seat really put in, dead money included."""
        return [
            paid - (self.moved[seat] if self.moved else 0)
            for seat, paid in enumerate(self.episode.paid)
        ]

    @property
    def uncalled(self) -> list[int]:
        """Chips by seat that nobody called and that went back."""
        put_in = _native.PokerEpisode(self.episode.game, []).paid
        for seat, _, _, added in self.episode.events:
            put_in[seat] += added
        return [chips - paid for chips, paid in zip(put_in, self.episode.paid, strict=True)]

    @property
    def payoffs(self) -> list[int] | None:
        """Chips that each seat won or lost; None where neither record nor cards say so."""
        won = self.wins if self.won is None else self.won
        if won is None or not self.is_over:
            return None
        return [each - paid for each, paid in zip(won, self.put_in, strict=True)]

    def mismatch(self, won: Sequence[int]) -> tuple[int, int, int] | None:
        """The first seat that cannot have taken so many chips, with the least and the most.

        Winners may have less, as the rake is unknown, and a few odd chips more or less where
        several win: not every engine gives odd chips to the same seat.
        """
        wins, live = self.wins, self.live
        pot = sum(self.episode.paid)
        if wins is None:
            bounds = [(0, pot if seat in live else 0) for seat in range(len(won))]
        else:
            rake = max(0, sum(wins) - sum(won))
            odd = len(won) ** 2 * self.scale_factor if sum(win > 0 for win in wins) > 1 else 0
            bounds = [(max(0, win - rake - odd), win + odd) if win else (0, 0) for win in wins]
        for seat, (least, most) in enumerate(bounds):
            if not least <= won[seat] <= most:
                return seat, least, most
        return None

    @property
    def scale_factor(self) -> int:
        """Chips here for each odd chip of the record."""
        return len(self.moved) or 1


def split_pot(paid: Sequence[int], ranks: Sequence[int | None]) -> list[int]:
    """Chips from the pots by seat; the larger rank wins, and seats without one have folded.

    Odd chips go to the first seat.
    """
    wins, floor = [0] * len(paid), 0
    levels = sorted({paid[seat] for seat, rank in enumerate(ranks) if rank is not None})
    for level in levels:
        top = max(paid) if level == levels[-1] else level
        amount = sum(min(max(each - floor, 0), top - floor) for each in paid)
        in_it = [s for s, rank in enumerate(ranks) if rank is not None and paid[s] >= level]
        best = max(rank for seat in in_it if (rank := ranks[seat]) is not None)
        winners = [seat for seat in in_it if ranks[seat] == best]
        for seat in winners:
            wins[seat] += amount // len(winners)
        wins[winners[0]] += amount % len(winners)
        floor = level
    return wins

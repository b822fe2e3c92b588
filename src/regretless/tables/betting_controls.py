# SPDX-License-Identifier: MIT
"""Controls for a decision: buttons, and a slider where bets of several sizes are legal."""

from dataclasses import dataclass

from regretless import _native
from regretless.games.episodes import legal_slots
from regretless.games.face import view
from regretless.games.translation import action_text
from regretless.histories.choices import read_bet
from regretless.tables.table import Table

SHARES = (33, 50, 75, 100, 150)
"""Percentages of the pot after a call."""


@dataclass(frozen=True)
class Button:
    """A choice by its slot, or a bet of the one size that is legal."""

    text: str
    slot: int | None = None
    amount: int | None = None


@dataclass(frozen=True)
class BettingControls:
    """The controls of the seat to act."""

    buttons: list[Button]
    bets: tuple[int, int] | None
    """The least and the most to bet or raise to, where there is something between; else None."""
    word: str
    """`bet` or `raise to`."""
    marks: list[tuple[str, int]]
    """Amounts with a name, as far as they are legal: shares of the pot, `pot`, `all-in`."""


def betting_controls(table: Table) -> BettingControls:
    """All legal choices at a table; none when the hand is over."""
    poker, bets = view(table.episode).poker, table.bet_range
    offer = [] if poker is None or table.is_over else poker.offer
    raises = [slot for slot, to in enumerate(offer) if to is not None and to > 0]
    slots = [] if table.is_over else legal_slots(table.episode)
    buttons = [Button(table.episode.slot_text(slot), slot) for slot in slots if slot not in raises]
    if poker is None or bets is None:
        return BettingControls(buttons, None, "bet", [])
    least, most = bets
    word = "raise to" if max(poker.bets) else "bet"
    if least == most:
        buttons.append(Button(action_text(poker, least), amount=least))
        return BettingControls(buttons, None, word, [])
    return BettingControls(buttons, bets, word, _marks(poker, least, most))


def _marks(episode: _native.PokerEpisode, least: int, most: int) -> list[tuple[str, int]]:
    marks = []
    for share in SHARES:
        amount = read_bet(f"{share}.0%", episode)  # with a point, so that it is no name of a menu
        if amount is not None and least <= amount <= most:
            marks.append(("pot" if share == 100 else f"{share}%", amount))
    if most == episode.bets[episode.actor] + episode.stacks[episode.actor]:
        marks.append(("all-in", most))
    return marks

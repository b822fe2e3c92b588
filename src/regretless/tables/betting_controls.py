# SPDX-License-Identifier: MIT
"""What a page offers at a decision: buttons, and a slider where bets of several sizes are legal."""

from dataclasses import dataclass

from regretless import _native
from regretless.games.translation import action_text
from regretless.histories.choices import legal_slots, read_bet
from regretless.tables.table import Table

SHARES = (33, 50, 75, 100, 150)
"""Of the pot after a call, in percent."""


@dataclass(frozen=True)
class Button:
    """A choice by its slot, or a bet of the one size that is legal."""

    text: str
    slot: int | None = None
    amount: int | None = None


@dataclass(frozen=True)
class BettingControls:
    """Of the seat to act."""

    buttons: list[Button]
    bets: tuple[int, int] | None
    """The least and the most to bet or raise to, where there is something between; else None."""
    word: str
    """`bet` or `raise to`."""
    marks: list[tuple[str, int]]
    """Amounts with a name, as far as they are legal: shares of the pot, `pot`, `all-in`."""


def betting_controls(table: Table) -> BettingControls:
    """Everything that the rules allow here, and nothing else; nothing when the hand is over."""
    episode, bets = table.episode, table.bet_range
    slots = [] if table.is_over else legal_slots(episode)
    if not isinstance(episode, _native.PokerEpisode) or bets is None:
        raises: list[int] = []
        if isinstance(episode, _native.PokerEpisode):  # of the menu, which allows none any more
            raises = [slot for slot in slots if (episode.offer[slot] or 0) > 0]
        buttons = [Button(episode.slot_text(slot), slot) for slot in slots if slot not in raises]
        return BettingControls(buttons, None, "bet", [])
    offer, (least, most) = episode.offer, bets
    buttons = [Button(episode.slot_text(slot), slot) for slot in slots if (offer[slot] or 0) <= 0]
    word = "raise to" if max(episode.bets) else "bet"
    if least == most:
        buttons.append(Button(action_text(episode, least), amount=least))
        return BettingControls(buttons, None, word, [])
    return BettingControls(buttons, bets, word, _marks(episode, least, most))


def _marks(episode: _native.PokerEpisode, least: int, most: int) -> list[tuple[str, int]]:
    marks = []
    for share in SHARES:
        amount = read_bet(f"{share}.0%", episode)  # with a point: no name of a menu
        if amount is not None and least <= amount <= most:
            marks.append(("pot" if share == 100 else f"{share}%", amount))
    if most == episode.bets[episode.actor] + episode.stacks[episode.actor]:
        marks.append(("all-in", most))
    return marks

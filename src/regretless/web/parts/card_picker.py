# SPDX-License-Identifier: MIT
"""Cards to choose from, as a small table of the deck."""

from collections.abc import Callable, Sequence
from html import escape

from regretless.web.parts.html_place import html_place, on_point

_SUITS = {"s": ("♠", "spades"), "h": ("♥", "hearts"), "d": ("♦", "diamonds"), "c": ("♣", "clubs")}


def card_picker(
    cards: Sequence[str],
    chosen: Sequence[str],
    on_choose: Callable[[str], None],
    notes: dict[str, str] | None = None,
) -> None:
    """Shows `cards` as buttons, one column per rank, with `notes` as tooltips."""
    ranks = list(dict.fromkeys(card[0] for card in reversed(cards)))
    suits = [suit for suit in _SUITS if any(card[1] == suit for card in cards)]
    known, notes = set(cards), notes or {}
    buttons = "".join(
        _button(rank, suit, rank + suit in known, rank + suit in chosen, notes)
        for suit in suits
        for rank in ranks
    )
    style = f"grid-template-columns: repeat({len(ranks)}, minmax(0, 1fr)); max-width: 640px"
    content = f'<div class="deck" role="group" aria-label="cards" style="{style}">{buttons}</div>'
    on_point(html_place(content), "card", lambda card: on_choose(card) if card in known else None)


def _button(rank: str, suit: str, is_there: bool, is_chosen: bool, notes: dict[str, str]) -> str:
    symbol, name = _SUITS[suit]
    note = notes.get(rank + suit, "")
    told = escape(f"{rank} of {name}" + (f", {note}" if note else ""))
    state = "" if is_there else " disabled"
    pressed = "true" if is_chosen else "false"
    return (
        f'<button class="suit-{suit}" data-card="{rank}{suit}" aria-pressed="{pressed}" '
        f'aria-label="{told}" title="{told}"{state}>{rank}{symbol}</button>'
    )

# SPDX-License-Identifier: MIT
"""Cards to choose from, as a small table of the deck."""

from collections.abc import Callable, Sequence

from regretless.web.parts.elements import html_place, on_point
from regretless.web.parts.html import SUITS, tag


def card_picker(
    cards: Sequence[str],
    chosen: Sequence[str],
    on_choose: Callable[[str], None],
    notes: dict[str, str] | None = None,
) -> None:
    """Shows `cards` as buttons, one column per rank, with `notes` as tooltips."""
    ranks = list(dict.fromkeys(card[0] for card in reversed(cards)))
    suits = [suit for suit in SUITS if any(card[1] == suit for card in cards)]
    buttons = ""
    for rank, suit in ((rank, suit) for suit in suits for rank in ranks):
        card, (symbol, name) = rank + suit, SUITS[suit]
        told = ", ".join(filter(None, [f"{rank} of {name}", (notes or {}).get(card)]))
        buttons += tag(
            "button",
            rank + symbol,
            class_=f"suit-{suit}",
            data_card=card,
            aria_pressed="true" if card in chosen else "false",
            aria_label=told,
            title=told,
            disabled=None if card in cards else "",
        )
    style = f"grid-template-columns: repeat({len(ranks)}, minmax(0, 1fr)); max-width: 640px"
    deck = tag("div", buttons, class_="deck", role="group", aria_label="cards", style=style)
    on_point(html_place(deck), "card", lambda card: on_choose(card) if card in cards else None)

# SPDX-License-Identifier: MIT
"""Card notation: `As`, `AsKd`, `As Kd`, `As,Kd`.

A card is an index into its deck, `rank * num_suits + suit`. Ranks are written 23456789TJQKA in
either case; a deck of n suits uses the first n of c, d, h, s (Leduc: c and d). A deck of one suit
writes the rank alone (Kuhn: J, Q, K).
"""

from collections.abc import Iterable, Iterator

from regretless import _native
from regretless.notation.tokens import Token

RANKS = "23456789TJQKA"
SUITS = "cdhs"
STREETS = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
"""Public cards on each of the `STREETS`."""


Deck = _native.Deck
FULL_DECK = Deck()
"""52 cards."""


def deck_ranks(deck: Deck) -> str:
    """The letters of the deck's ranks, lowest first."""
    return RANKS[deck.lowest_rank : deck.lowest_rank + deck.num_ranks]


def card_names(deck: Deck | None) -> list[str]:
    """The names of all cards of a deck, by number; without a deck, those of the faces of dice."""
    if deck is None:
        return [str(face) for face in range(255)]
    return [card_name(card, deck) for card in range(deck.num_cards)]


def card_name(card: int, deck: Deck) -> str:
    rank, suit = divmod(card, deck.num_suits)
    return deck_ranks(deck)[rank] + (SUITS[suit] if deck.num_suits > 1 else "")


def format_cards(cards: Iterable[int], deck: Deck = FULL_DECK) -> str:
    """The names of the cards in the order given, without separators."""
    return "".join(card_name(card, deck) for card in cards)


def parse_cards(text: str, deck: Deck = FULL_DECK) -> tuple[int, ...]:
    """The cards in the order written; InputError on anything else and on a repeated card."""
    return parse_card_token(Token.whole(text), deck)


def parse_card_token(token: Token, deck: Deck) -> tuple[int, ...]:
    """Parses cards from a part of a longer text."""
    cards: list[int] = []
    for name in _card_tokens(token, 2 if deck.num_suits > 1 else 1):
        card = _parse_card(name, deck)
        if card in cards:
            raise name.error("card given twice")
        cards.append(card)
    return tuple(cards)


def _card_tokens(token: Token, width: int) -> Iterator[Token]:
    items = list(token.split(","))
    if len(items) == 1 and not items[0].text:
        return
    for item in items:
        if not item.text:
            raise item.error("empty item between commas")
        for word in item.split(r"\s+"):
            for start in range(0, len(word.text), width):
                yield word.slice(start, min(start + width, len(word.text)))


def _parse_card(token: Token, deck: Deck) -> int:
    ranks, suits = deck_ranks(deck), SUITS[: deck.num_suits]
    rank = ranks.find(token.text[0].upper())
    if rank < 0:
        raise token.error(f"unknown card, ranks are {ranks}")
    if deck.num_suits == 1:
        return rank
    suit = suits.find(token.text[1:])
    if suit < 0 or len(token.text) != 2:
        raise token.error(f"unknown card, a rank is followed by one of {suits}")
    return rank * deck.num_suits + suit

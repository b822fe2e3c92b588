# SPDX-License-Identifier: MIT
"""The actions of a PHH hand history: `d dh p1 AsKd`, `d db 2c3c4c`, `p1 cbr 300`, `p1 sm AsKd`."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache
from itertools import chain

from regretless import _native
from regretless.errors import InputError
from regretless.notation.cards import card_names, format_cards, parse_cards

MOST_CHIPS = 100_000_000
AMOUNT = r"[0-9]{1,12}(?:\.[0-9]{1,9})?"


def format_actions(episode: _native.PokerEpisode) -> list[str]:
    """The actions of an episode, with all known cards."""
    rules = episode.game.rules
    names = [format_cards(episode.hole(seat), rules.deck) for seat in range(rules.num_players)]
    unknown = "??" * rules.num_hole_cards
    actions = [f"d dh p{seat + 1} {name or unknown}" for seat, name in enumerate(names)]
    boards = _board_actions(episode)
    dealt = 0
    for seat, street, action, _ in episode.events:
        actions += boards[dealt:street]
        dealt = street
        actions.append(f"p{seat + 1} " + {-1: "f", 0: "cc"}.get(action, f"cbr {action}"))
    shown = [
        f"p{seat + 1} sm {name}" for seat, name in enumerate(names) if name and episode.live[seat]
    ]
    is_showdown = sum(episode.live) > 1 and episode.is_terminal
    return actions + (shown if is_showdown else []) + boards[dealt:]


def _board_actions(episode: _native.PokerEpisode) -> list[str]:
    """Flop, turn and river, as far as they were dealt."""
    deck, board = episode.game.rules.deck, episode.board
    streets = [board[:3], board[3:4], board[4:5]]
    return [f"d db {format_cards(cards, deck)}" for cards in streets if cards]


class AllInError(Exception):
    """A player whose stack is unknown was all-in; the hand is to be played with this stack."""

    def __init__(self, seat: int, stack: int) -> None:
        super().__init__(seat, stack)
        self.seat, self.stack = seat, stack


def replay(
    episode: _native.PokerEpisode,
    actions: list[str],
    place: str,
    scale: int,
    unknown: frozenset[int] = frozenset(),
) -> frozenset[int]:
    """Carries the actions out and returns the seats that folded without a bet.

    Such a seat checks, and folds to the next bet; one that was all-in by its posts stays in the
    episode. A raise that nobody can call becomes a call in `actions`. InputError, beginning with
    `place`, names the first action that is wrong. AllInError where a seat of `unknown` stack must
    have been all-in.
    """
    hands = _Hands(episode, unknown)
    for i, action in enumerate(actions):
        try:
            if _apply(episode, action, hands, scale):
                actions[i] = f"{action.split()[0]} cc"
        except ValueError as error:
            raise InputError(f"{place}[{i}]: {action!r}: {error}") from None
    hands.pass_over()
    return frozenset(hands.folded)


class _Hands:
    """Hole cards as they come, maybe one by one; one unknown card makes a hand unknown."""

    def __init__(
        self, episode: _native.PokerEpisode, unknown: frozenset[int] = frozenset()
    ) -> None:
        self.unknown, self.folded = unknown, set[int]()  # seats
        self.episode, self.deck = episode, episode.game.rules.deck
        self.size = episode.game.rules.num_hole_cards
        self.cards: list[list[int | None]] = [[] for _ in range(episode.game.num_players)]

    def pass_over(self, seat: int | None = None) -> None:
        """Acts for seats that folded without a bet, and for others than `seat` without a choice."""
        episode = self.episode
        while (actor := episode.actor) >= 0:
            has_choice = episode.to_call > 0 or episode.raise_range is not None
            if actor not in self.folded and (has_choice or actor == seat):
                return
            episode.act(-1 if episode.can_fold else 0)

    def is_all_in_unasked(self, seat: int) -> bool:
        """Whether the seat put its last chips in as antes and blinds, and is still in the hand."""
        episode = self.episode
        acted = any(each == seat for each, *_ in episode.events)
        return episode.live[seat] and not episode.stacks[seat] and not acted

    def is_no_raise(self, seat: int, to: int) -> bool:
        """Whether nobody else has chips for more than the bet that the seat raises."""
        episode, high = self.episode, max(self.episode.bets)
        most = map(sum, zip(episode.bets, episode.stacks, strict=True))
        others = (chips for each, chips in enumerate(most) if each != seat and self.is_in(each))
        is_due = episode.actor == seat and episode.to_call > 0 and episode.raise_range is None
        return is_due and to > high and max(others, default=0) <= high

    def is_in(self, seat: int) -> bool:
        return self.episode.live[seat] and seat not in self.folded

    def find_all_in(self, seat: int | None) -> None:
        """Raises AllInError if the actor, not `seat`, is passed over: somebody was all-in."""
        self.pass_over(seat)
        episode = self.episode
        actor = episode.actor
        if not self.unknown or actor < 0 or actor == seat:
            return
        live, left = episode.live, episode.stacks
        others = (each for each in range(len(live)) if live[each] and left[each])
        for each in (actor, *others):
            if each in self.unknown and episode.paid[each]:
                raise AllInError(each, episode.paid[each])

    def deal(self, seat: int, text: str) -> None:
        if self.episode.events or self.episode.board:
            raise ValueError("hole cards come before the betting")
        cards = self.parse(text)
        if len(self.cards[seat]) + len(cards) > self.size:
            raise ValueError(f"a hand has {self.size} cards")
        self.require_new(cards)
        self.cards[seat] += cards
        known = [card for card in self.cards[seat] if card is not None]
        if len(known) == self.size:
            self.episode.deal_hole(seat, known)

    def show(self, seat: int, text: str) -> None:
        cards, dealt = self.parse(text), self.cards[seat]
        if len(cards) > self.size:
            raise ValueError(f"a hand has {self.size} cards")
        new = [card for card in cards if card is not None and card not in dealt]
        unknown = self.size - sum(card is not None for card in dealt)
        if len(new) > unknown:
            raise ValueError("these are not the cards that were dealt")
        self.require_new(new)
        known = [card for card in dealt if card is not None] + new
        self.cards[seat] = [*known, *([None] * (self.size - len(known)))]
        if new and len(known) == self.size:
            self.episode.deal_hole(seat, [card for card in known if card is not None])

    def require_new(self, cards: Sequence[int | None]) -> None:
        """Raise if one of them has been dealt, to a hand or to the board."""
        known = [card for card in cards if card is not None]
        if not known:
            return
        seen = {*self.episode.board, *chain.from_iterable(self.cards)}
        for card in known:
            if card in seen:
                raise ValueError(f"{format_cards([card], self.deck)} is dealt twice")

    def parse(self, text: str) -> list[int | None]:
        """Cards, `??` for each that is unknown."""
        if not text.strip("?") and len(text) % 2 == 0:
            return [None] * (len(text) // 2)
        return list(_parse_cards(text, self.deck.num_ranks, self.deck.lowest_rank))


@cache
def _card_numbers(num_ranks: int, lowest: int) -> dict[str, int]:
    names = card_names(_native.Deck(num_ranks, 4, lowest))
    return {name: card for card, name in enumerate(names)}


@lru_cache(maxsize=8192)
def _parse_cards(text: str, num_ranks: int, lowest: int) -> tuple[int | None, ...]:
    names = [text[i : i + 2] for i in range(0, len(text), 2)]
    cards = tuple(map(_card_numbers(num_ranks, lowest).get, names))
    if None not in cards and len(set(cards)) == len(cards):
        return cards
    deck = _native.Deck(num_ranks, 4, lowest)
    known = list(parse_cards("".join(name for name in names if name != "??"), deck))
    if len(known) != len(names) - names.count("??"):
        raise ValueError(f"cards are written one after the other, not {text!r}")
    return tuple(None if name == "??" else known.pop(0) for name in names)


def _apply(episode: _native.PokerEpisode, action: str, hands: _Hands, scale: int) -> bool:
    """Carries an action out and returns whether it is a raise that is only a call."""
    match action.split("#")[0].split():
        case []:
            pass
        case ["d", "dh", player, cards]:
            hands.deal(_seat(player, episode), cards)
        case ["d", "db", cards]:
            _deal_board(episode, cards, hands)
        case [player, "f"]:
            _act(episode, player, -1, hands)
        case [player, "cc"]:
            _act(episode, player, 0, hands)
        case [player, "cbr", amount]:
            return _act(episode, player, _parse_chips(amount, scale), hands)
        case [player, "sm"] | [player, "sm", "-"]:
            _seat(player, episode)
        case [player, "sm", cards]:
            hands.show(_seat(player, episode), cards)
        case _:
            raise ValueError("not an action of this game")
    return False


def _seat(player: str, episode: _native.PokerEpisode) -> int:
    return _seat_number(player, episode.game.num_players)


@lru_cache(maxsize=256)
def _seat_number(player: str, num_players: int) -> int:
    if not re.fullmatch("p[0-9]{1,2}", player) or not 1 <= int(player[1:]) <= num_players:
        raise ValueError(f"players are p1 to p{num_players}")
    return int(player[1:]) - 1


def _act(episode: _native.PokerEpisode, player: str, action: int, hands: _Hands) -> bool:
    seat = _seat(player, episode)
    if action < 0 and hands.is_all_in_unasked(seat):
        hands.folded.add(seat)
        return False
    hands.find_all_in(seat)
    if seat != episode.actor >= 0:
        raise ValueError(f"p{episode.actor + 1} is to act")
    if action < 0 and episode.actor == seat and not episode.can_fold:
        hands.folded.add(seat)
        action = 0
    limits = episode.raise_range if action > 0 and seat in hands.unknown else None
    if limits is not None and max(episode.bets) < action < limits[0]:  # too little, unless all-in
        raise AllInError(seat, episode.paid[seat] + action - episode.bets[seat])
    is_call = action > 0 and hands.is_no_raise(seat, action)
    episode.act(0 if is_call else action)
    return is_call


def _deal_board(episode: _native.PokerEpisode, text: str, hands: _Hands) -> None:
    if "?" in text:
        raise ValueError("board cards must be known")
    cards = [card for card in hands.parse(text) if card is not None]
    hands.find_all_in(None)
    hands.require_new(cards)
    for card in cards:
        if episode.actor != _native.CHANCE:
            raise ValueError("no board cards are due")
        episode.deal_board([card])


def _parse_chips(text: str, scale: int) -> int:
    if not re.fullmatch(AMOUNT, text):
        raise ValueError("the amount must be a number")
    chips = to_chips(int(text) if text.isdecimal() else Decimal(text), scale, "the amount")
    if chips == 0:
        raise ValueError("the amount must be positive")
    return chips


def to_chips(value: object, scale: int, place: str, may_be_negative: bool = False) -> int:
    """`scale` chips for each unit; InputError names `place` unless this is a whole number."""
    if type(value) is int and 0 <= value <= MOST_CHIPS // scale:
        return value * scale
    if isinstance(value, Decimal) and not is_plain(value):
        raise InputError(f"{place}: {value} is not an amount of chips")
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise InputError(f"{place}: must be a number, not {value!r}")
    chips = value * scale  # exact: few digits
    if chips != int(chips):
        raise InputError(f"{place}: {value} is not a whole number of chips; give a larger scale")
    least = -MOST_CHIPS if may_be_negative else 0
    if not least <= chips <= MOST_CHIPS:
        raise InputError(f"{place}: must be {least} to {MOST_CHIPS} chips")
    return int(chips)


def is_plain(value: Decimal) -> bool:
    """Whether a number has few enough digits to be exact in chips."""
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -9 and value.adjusted() <= 12

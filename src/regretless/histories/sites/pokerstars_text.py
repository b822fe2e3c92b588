# SPDX-License-Identifier: MIT
"""Writes hands as PokerStars does, for programs that read its hand histories.

Cards of a player who folded are written behind the fold, as PokerStars does for players who show
them. Stacks that are unknown are those that were assumed, and a date that is unknown is 1970.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import accumulate

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import replayed
from regretless.games.poker_rules import position_names
from regretless.games.translation import CALL, FOLD
from regretless.histories.phh import game_code
from regretless.histories.phh_fields import FIXED_LIMIT, HandFields
from regretless.histories.recorded_hand import RecordedHand
from regretless.histories.sites.site_hand import HERO
from regretless.notation.cards import card_name

_GAMES = {
    "NT": "Hold'em No Limit",
    "FT": "Hold'em Limit",
    "PO": "Omaha Pot Limit",
    "NS": "6+ Hold'em No Limit",
    "FO": "Omaha Limit",
    "PO5": "5 Card Omaha Pot Limit",
    "PT": "Hold'em Pot Limit",
}
_CURRENCIES = {"$": " USD", "€": " EUR", "£": " GBP"}
_STREETS = ("FLOP", "TURN", "RIVER")


def write_pokerstars(hand: RecordedHand, number: int = 1) -> str:
    """The text of a hand that is over; `number` is for hands without a number of their own."""
    if not hand.is_over or hand.payoffs is None:
        raise InputError("the hand is not over, or its result is unknown")
    return "\n".join(_Text(hand, number).lines())


class _Text:
    """The lines of one hand."""

    def __init__(self, hand: RecordedHand, number: int) -> None:
        self.hand, self.episode = hand, hand.episode
        self.rules = hand.episode.game.rules
        self.facts = dict(hand.fields or {})
        self.code = self.facts["variant"] if hand.fields else game_code(self.rules)
        count = self.rules.num_players
        names = hand.players or position_names(self.rules)
        self.names = ["".join(each for each in name if each.isprintable()) for name in names]
        seats = self.facts.get("seats")
        is_listed = isinstance(seats, list) and len(seats) == count
        self.seats = seats if is_listed and seats else list(range(1, count + 1))
        self.number = re.sub("[^0-9]", "", str(self.facts.get("hand", ""))) or str(number)
        self.event = re.sub("[^0-9]", "", str(self.facts.get("event", "")))
        symbol = self.facts.get("currency_symbol", "")
        self.symbol = symbol if symbol in _CURRENCIES and not self.event else ""
        hero = self.facts.get(HERO)
        self.hero = hero - 1 if isinstance(hero, int) and 1 <= hero <= count else None

    def amount(self, chips: int) -> str:
        value = Decimal(chips) / self.hand.scale
        whole = value == value.to_integral_value()
        return self.symbol + (f"{value:.0f}" if whole else f"{value:.2f}")

    def cards(self, cards: list[int]) -> str:
        return " ".join(card_name(card, self.rules.deck) for card in cards)

    def lines(self) -> Iterator[str]:
        yield self._head()
        table = str(self.facts.get("table", "regretless")).replace("\n", " ")
        places = max(*self.seats, len(self.seats))
        yield f"Table '{table}' {places}-max Seat #{self.seats[-1]} is the button"
        moved = self.hand.moved or (0,) * len(self.names)
        order = sorted(range(len(self.names)), key=lambda seat: self.seats[seat])
        for seat in order:
            stack = self.rules.stacks[seat] - moved[seat]
            yield f"Seat {self.seats[seat]}: {self.names[seat]} ({self.amount(stack)} in chips)"
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        if self.hero is not None and (hole := self.episode.hole(self.hero)):
            yield f"Dealt to {self.names[self.hero]} [{self.cards(hole)}]"
        yield from self._betting()
        yield from self._ending()

    def _head(self) -> str:
        year, month, day = (self.facts.get(name, 1) for name in ("year", "month", "day"))
        at = f"{1970 if 'year' not in self.facts else year}/{month:02}/{day:02}"
        at += f" {self.facts.get('time', '00:00:00')!s:.8} ET"
        bets = self.rules.bets
        stakes = (bets[0], bets[-1]) if self.code in FIXED_LIMIT else (self._small_blind(), bets[0])
        text = "/".join(map(self.amount, stakes))
        if self.code == "NS":
            ante = max(self.rules.antes)
            text = f"Button Blind {self.amount(bets[0])} - Ante {self.amount(ante)}"
        text += _CURRENCIES.get(self.symbol, "")
        game = _GAMES[self.code]
        if self.event:
            game = f"Tournament #{self.event}, {game} - Level I"
        return f"PokerStars Hand #{self.number}: {game} ({text}) - {at}"

    def _small_blind(self) -> int:
        blinds = [each for each in self.rules.blinds if 0 < each < self.rules.bets[0]]
        return min(blinds, default=self.rules.bets[0] // 2)

    def _posts(self) -> Iterator[str]:
        """Antes, then blinds from the smallest on, then those out of turn."""
        count, rules = len(self.names), self.rules
        antes, blinds = list(rules.antes), list(rules.blinds)
        if self.hand.fields:
            fields = HandFields(self.hand.fields, "", self.hand.scale)
            antes = fields.amounts("antes", count)
            blinds = fields.amounts("blinds_or_straddles", count, may_be_negative=True)
        late = [seat for seat in range(count) if blinds[seat] < 0]
        common = min(antes) if late else 0
        left = [s - m for s, m in zip(rules.stacks, self.hand.moved or [0] * count, strict=True)]
        for seat, ante in enumerate(antes):
            if due := (common if seat in late else ante):
                yield self._post(seat, "the ante", min(due, left[seat]), left)
        for seat in sorted(range(count), key=lambda seat: abs(blinds[seat])):
            if blinds[seat] > 0:
                yield self._post(seat, self._blind_name(blinds[seat]), blinds[seat], left)
        for seat in late:
            dead = antes[seat] - common
            kind = "small & big blinds" if dead else "big blind"
            yield self._post(seat, kind, dead - blinds[seat], left)

    def _blind_name(self, blind: int) -> str:
        big = self.rules.bets[0]
        if self.code == "NS":
            return "button blind"
        return "straddle" if blind > big else "big blind" if blind == big else "small blind"

    def _post(self, seat: int, kind: str, chips: int, left: list[int]) -> str:
        posted = min(chips, left[seat])
        left[seat] -= posted
        all_in = "" if left[seat] else " and is all-in"
        return f"{self.names[seat]}: posts {kind} {self.amount(posted)}{all_in}"

    def _betting(self) -> Iterator[str]:
        episode, street = self.episode, 0
        acted = dict.fromkeys(range(len(self.names)), 0)
        left = {seat: self._own_actions(seat) for seat in self.hand.folded}
        asked = {seat for seat, *_ in episode.events}
        for seat in sorted(self.hand.folded - asked):  # all-in by posts
            yield f"{self.names[seat]}: folds"
        for before, seat, action in replayed(episode):
            acted[seat] += 1
            is_early = seat in left and acted[seat] == left[seat]
            if seat in left and acted[seat] > left[seat]:
                continue
            yield from self._dealt(street, before.street)
            street = before.street
            text = "folds" if is_early else self._action(before, action)
            is_fold = text == "folds" and seat != self.hero and episode.hole(seat)
            shown = f" [{self.cards(episode.hole(seat))}]" if is_fold else ""
            yield f"{self.names[seat]}: {text}{shown}"
        for name, back in zip(self.names, self.hand.uncalled, strict=True):
            if back:
                yield f"Uncalled bet ({self.amount(back)}) returned to {name}"
        yield from self._dealt(street, len(_STREETS))

    def _own_actions(self, seat: int) -> int:
        """Actions of a seat until it folded without a bet; later ones are not its own."""
        player = re.compile(rf"p{seat + 1} (f|cc|cbr)\b")
        return sum(player.match(each) is not None for each in self.facts["actions"])

    def _dealt(self, street: int, last: int) -> Iterator[str]:
        """The public cards of the streets after one."""
        ends = list(accumulate(self.rules.board_cards))
        board = self.episode.board
        for each in range(street + 1, last + 1):
            if len(board) >= ends[each] > ends[each - 1]:
                before = f"[{self.cards(board[: ends[each - 1]])}] " if each > 1 else ""
                new = self.cards(board[ends[each - 1] : ends[each]])
                yield f"*** {_STREETS[each - 1]} *** {before}[{new}]"

    def _action(self, before: _native.PokerEpisode, action: int) -> str:
        seat, bets = before.actor, before.bets
        if action == FOLD:
            return "folds"
        if action == CALL and not before.to_call:
            return "checks"
        added = before.to_call if action == CALL else action - bets[seat]
        text = f"bets {self.amount(action)}"
        if action == CALL:
            text = f"calls {self.amount(added)}"
        elif max(bets):
            text = f"raises {self.amount(action - max(bets))} to {self.amount(action)}"
        return text + (" and is all-in" if added == before.stacks[seat] else "")

    def _ending(self) -> Iterator[str]:
        hand, episode, live = self.hand, self.episode, self.hand.live
        won = hand.wins if hand.won is None else list(hand.won)
        assert won is not None  # the result is known
        if len(live) > 1:
            yield "*** SHOW DOWN ***"
        for seat in live:
            if hole := episode.hole(seat) if seat != self.hero or len(live) > 1 else []:
                yield f"{self.names[seat]}: shows [{self.cards(hole)}]"
            elif len(live) > 1:
                yield f"{self.names[seat]}: mucks hand"
        for seat, chips in enumerate(won):
            if chips:
                yield f"{self.names[seat]} collected {self.amount(chips)} from pot"
        yield "*** SUMMARY ***"
        pot = sum(episode.paid)
        yield f"Total pot {self.amount(pot)} | Rake {self.amount(pot - sum(won))}"
        if episode.board:
            yield f"Board [{self.cards(episode.board)}]"
        for seat, name in enumerate(self.names):
            ended = f"collected ({self.amount(won[seat])})" if won[seat] else "folded"
            if seat in live and not won[seat]:
                ended = "lost"
            yield f"Seat {self.seats[seat]}: {name} {ended}"

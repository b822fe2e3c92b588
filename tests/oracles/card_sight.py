# SPDX-License-Identifier: MIT
"""Made hands and draws of hole and board cards, by trying all five cards of every hand."""

import itertools
from collections import Counter

from regretless import _native

CATEGORIES = ["high card", "pair", "two pair", "trips", "straight", "flush", "full", "quads", "sf"]


class Sight:
    """Cards as ranks and suits, and all fives that a player may make of them."""

    def __init__(self, game, hole, board):
        self.rules, self.hole, self.board = game.rules, hole, board
        self.deck = game.rules.deck
        self.is_omaha = game.rules.showdown == _native.Showdown.OMAHA
        self.has_straights = game.rules.showdown != _native.Showdown.PAIR
        self.to_come = sum(game.rules.board_cards[: game.rules.num_streets]) - len(board)

    def rank(self, card):
        return card // self.deck.num_suits

    def suit(self, card):
        return card % self.deck.num_suits

    def ranks(self, cards):
        return [self.rank(card) for card in cards]

    def unseen(self):
        return [c for c in range(self.deck.num_cards) if c not in self.hole and c not in self.board]

    def fives(self, board=None):
        board = self.board if board is None else board
        if self.is_omaha:
            pairs = itertools.combinations(self.hole, 2)
            return [p + t for p, t in itertools.product(pairs, itertools.combinations(board, 3))]
        every = itertools.combinations([*self.hole, *board], 5)
        return [five for five in every if set(five) & set(self.hole)]

    def windows(self):
        top = self.deck.num_ranks - 1
        return [{top, 0, 1, 2, 3}] + [set(range(low, low + 5)) for low in range(top - 3)]

    def straights(self, board=None):
        """Tests each straight: made, and not by the board alone."""
        board = self.board if board is None else board
        made = [set(self.ranks(five)) for five in self.fives(board)]
        return [
            w in made and (self.is_omaha or not w <= set(self.ranks(board))) for w in self.windows()
        ]

    def next_straights(self):
        """Returns the cards that would complete each straight that is not made."""
        found = [set() for _ in self.windows()]
        if self.to_come == 0:
            return found
        before = self.straights()
        for card in self.unseen():
            after = self.straights([*self.board, card])
            for cards, was, now in zip(found, before, after, strict=True):
                if now and not was:
                    cards.add(card)
        return found

    def flushes(self, board=None):
        fives = self.fives(board)
        return {self.suit(f[0]) for f in fives if len({self.suit(card) for card in f}) == 1}

    def suit_order(self):
        """Suits with the most of my cards first, then of the board's, street by street."""

        def holds(suit, cards):
            return sum(2 ** self.rank(card) for card in cards if self.suit(card) == suit)

        def key(suit):
            streets, left = [], list(self.board)
            for count in self.rules.board_cards[: self.rules.num_streets]:
                streets.append(holds(suit, left[:count]))
                left = left[count:]
            return [holds(suit, self.hole), *streets]

        return sorted(range(self.deck.num_suits), key=key, reverse=True)

    def category(self, five):
        counts = sorted(Counter(self.ranks(five)).values(), reverse=True)
        flush = len({self.suit(card) for card in five}) == 1
        straight = set(self.ranks(five)) in self.windows()
        if flush:
            return "sf" if straight else "flush"
        if straight:
            return "straight"
        alike = {4: "quads", 3: "full" if counts[1:] == [2] else "trips"}
        if counts[0] > 2:
            return alike[counts[0]]
        return ("high card", "pair", "two pair")[counts.count(2)]

    def best_category(self):
        order = list(CATEGORIES)
        if self.rules.showdown == _native.Showdown.SHORT_DECK:
            order[5:7] = ["full", "flush"]
        fives = (
            self.fives() if self.is_omaha else itertools.combinations([*self.hole, *self.board], 5)
        )
        return max((self.category(five) for five in fives), key=order.index)

# SPDX-License-Identifier: MIT
"""Local best response over a small game by plain enumeration, written from the paper's formulas."""

from collections.abc import Callable
from itertools import permutations

import numpy as np

from regretless import _native

Answer = Callable[[int, list[bool]], np.ndarray]  # infoset key, legal slots -> probabilities
Range = dict[int, float]  # card of the other -> weight


def table_answer(policy) -> Answer:
    """A policy asked one question at a time, with the rounding of a job's answers."""

    class Question:
        def __init__(self, key: int, legal: list[bool]) -> None:
            self.infosets = np.array([key], np.uint64)
            self.legal = np.array([legal])

    asked: dict[int, np.ndarray] = {}  # an infoset is always answered alike

    def answer(key: int, legal: list[bool]) -> np.ndarray:
        if key not in asked:
            row = np.float64(np.float32(policy(Question(key, legal))[0]))
            row = np.where(legal, row, 0)
            asked[key] = row / row.sum()
        return asked[key]

    return answer


def probabilities(game, answer: Answer, slots, board, seat, card, own) -> np.ndarray:
    """Returns the strategy of the opponent with `card` after the public history."""
    episode = replay(game, slots, board, seat, card, own)
    return answer(episode.infoset, episode.legal)


def replay(game, slots, board, seat, card, own):
    """The episode after `slots`, the other in `seat`; board cards are dealt as they are due."""
    hole = [[own], [card]] if seat == 1 else [[card], [own]]
    episode = _native.PokerEpisode(game, hole=hole)
    for slot in slots:
        deal_due(episode, board)
        episode.choose(slot)
    deal_due(episode, board)
    return episode


def deal_due(episode, board) -> None:
    if episode.actor == _native.CHANCE and board is not None:
        episode.deal_board([board])


class Reference:
    """The responder's decisions and their exact expectation in Kuhn or Leduc."""

    def __init__(self, game, answer: Answer, menu: str) -> None:
        self.game, self.answer, self.menu = game, answer, menu
        self.cards = range(game.rules.deck.num_cards)
        self.num_board = game.rules.num_board_cards
        self.choices: dict[tuple, int] = {}

    def value(self) -> float:
        """Mean payoff of the responder over both seats and all deals, in units."""
        deals = list(permutations(self.cards, 2 + self.num_board))
        total = 0.0
        for own, card, *board in deals:
            for seat in (0, 1):
                start = {each: 1.0 for each in self.cards if each != own}
                total += self.walk((), board[0] if board else None, seat, own, card, start)
        return total / (2 * len(deals)) / self.game.unit

    def walk(self, slots, board, responder, own, card, held: Range) -> float:
        episode = replay(self.game, slots, board, 1 - responder, card, own)
        if episode.is_terminal:
            return episode.payoffs[responder]
        seen = tuple(episode.board)
        held = {each: weight for each, weight in held.items() if each not in seen}
        if episode.actor == responder:
            if (key := (slots, seen, responder, own)) not in self.choices:
                self.choices[key] = self.choose(episode, slots, board, responder, own, held)
            return self.walk((*slots, self.choices[key]), board, responder, own, card, held)
        total = 0.0
        for slot, chance in enumerate(self.mix(slots, board, responder, own, card)):
            if chance > 0:
                after = self.update(slots, board, responder, own, held, slot)
                total += chance * self.walk((*slots, slot), board, responder, own, card, after)
        return total

    def mix(self, slots, board, responder, own, card) -> np.ndarray:
        return probabilities(self.game, self.answer, slots, board, 1 - responder, card, own)

    def update(self, slots, board, responder, own, held: Range, slot: int) -> Range:
        """Bayes' rule, not normalised."""
        return {
            each: weight * self.mix(slots, board, responder, own, each)[slot]
            for each, weight in held.items()
        }

    def choose(self, episode, slots, board, responder, own, held: Range) -> int:
        """The paper: of fold, call and bets the best if both check and call afterwards."""
        pot, asked = episode.pot, episode.to_call
        win = self.win_probability(episode.board, own, held)
        options = [(0.0, 0)] if episode.can_fold else []
        options.append((win * pot - (1 - win) * asked, 1))
        if self.menu != "fold-call":
            for slot, amount in enumerate(episode.offer):
                if slot < 2 or amount is None:
                    continue
                more = amount - max(episode.bets)
                folds = self.update((*slots, slot), board, responder, own, held, 0)
                stays = {each: held[each] - folds[each] for each in held}
                fold = sum(folds.values()) / sum(held.values())
                value = fold * pot
                if fold < 1:
                    then = self.win_probability(episode.board, own, stays)
                    value += (1 - fold) * (then * (pot + more) - (1 - then) * (asked + more))
                options.append((value, slot))
        best = options[0]
        for option in options[1:]:
            if option[0] > best[0] + 1e-9:
                best = option
        return best[1]

    def win_probability(self, board, own, held: Range) -> float:
        """Over the range and the board cards to come; a tie is half a win."""
        won = total = 0.0
        for card, weight in held.items():
            free = [each for each in self.cards if each not in (own, card)]
            boards = [board] if len(board) == self.num_board else [[each] for each in free]
            for full in boards:
                mine, other = (self.strength(each, full) for each in (own, card))
                won += weight / len(boards) * ((mine > other) + (mine == other) / 2)
            total += weight
        return won / total

    def strength(self, card: int, board) -> tuple[bool, int]:
        rank = card // self.game.rules.deck.num_suits
        return any(each // self.game.rules.deck.num_suits == rank for each in board), rank

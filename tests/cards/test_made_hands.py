# SPDX-License-Identifier: MIT
"""Made hands and draws against a count by hand, with strengths by phevaluator."""

from itertools import combinations

import numpy as np
import pytest
from phevaluator import evaluate_cards

from regretless.notation.cards import FULL_DECK, RANKS, Deck, card_names
from regretless.notation.made_hands import DRAWS, MADE, classify, made_hands

BOARDS = ["Th9h6c", "AsKdQc", "7c7d2h", "Jh8h3h", "2c2d2h", "As2d3c"]
BOARDS += ["9h8h7c6c", "KsKd5h5c", "AhJhTh2h", "Qc9d4s3s", "Kh9c5d2sKd", "8c7d6h5s4c", "AcTc8c5c2d"]
DECK = card_names(FULL_DECK)
# The last (weakest) number of each category of phevaluator.
ENDS = [(10, "straight-flush"), (166, "quads"), (322, "full-house"), (1599, "flush")]
ENDS += [(1609, "straight"), (9999, "")]


def category(cards: list[str]) -> str:
    rank = evaluate_cards(*cards)
    return next(name for end, name in ENDS if rank <= end)


def straight_top(ranks: set[str]) -> int:
    """Returns the highest card of the best straight, from 5; 0 for none."""
    held = {RANKS.index(rank) + 2 for rank in ranks}
    held |= {1} if 14 in held else set()
    return max((top for top in range(5, 15) if set(range(top - 4, top + 1)) <= held), default=0)


def plain_made(hand: list[str], board: list[str]) -> str:
    if found := category(hand + board):
        return found
    ranks = [RANKS.index(card[0]) for card in board]
    high, low = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    levels = sorted(set(ranks), reverse=True)
    if high == low:
        if high in ranks:
            return "set"
        if high > levels[0]:
            return "overpair"
        return "pocket-pair" if high > levels[-1] else "underpair"
    pairs = [rank for rank in (high, low) if rank in ranks]
    if any(ranks.count(rank) == 2 for rank in pairs):
        return "trips"
    if len(pairs) == 2:
        return "two-pair"
    if pairs:
        kicker = low if pairs[0] == high else high
        if pairs[0] != levels[0]:
            return "second-pair" if pairs[0] == levels[1] else "low-pair"
        free = [rank for rank in reversed(range(13)) if rank not in ranks]
        place = free.index(kicker)
        return f"top-pair-{'top' if place == 0 else 'good' if place < 4 else 'weak'}-kicker"
    return {12: "ace-high", 11: "king-high"}.get(high, "nothing")


def plain_draws(hand: list[str], board: list[str]) -> set[str]:
    made, found = category(hand + board), set()
    if len(board) == 5 or made in ("straight-flush", "quads", "full-house", "flush"):
        return {"no-draw"}
    for suit in {card[1] for card in hand}:
        count = sum(card[1] == suit for card in hand + board)
        if count == 4:
            found.add("flush-draw")
            best = next(r for r in reversed(RANKS) if r + suit not in board)
            found |= {"nut-flush-draw"} if best + suit in hand else set()
        if count == 3 and len(board) == 3:
            found.add("backdoor-flush-draw")
    ranks, shared = {card[0] for card in hand + board}, {card[0] for card in board}
    if not made:
        tops = [(straight_top(ranks | {r}), straight_top(shared | {r})) for r in RANKS]
        outs = sum(ours > theirs for ours, theirs in tops)
        found |= {"open-ended"} if outs >= 2 else {"gutshot"} if outs else set()
        if outs and "flush-draw" in found:
            found.add("combo-draw")
        if not outs and len(board) == 3 and has_backdoor_straight(ranks, shared):
            found.add("backdoor-straight-draw")
    return found or {"no-draw"}


def has_backdoor_straight(ranks: set[str], shared: set[str]) -> bool:
    """Whether two more ranks make a straight to which the hand gives a rank."""
    for pair in combinations(set(RANKS) - ranks, 2):
        for own in ranks - shared:
            whole = ranks | set(pair)
            if straight_top(whole) != 0 and any(
                own in part and set(pair) <= part and part <= whole for part in STRAIGHTS
            ):
                return True
    return False


STRAIGHTS = [frozenset("A2345"), *(frozenset(RANKS[low : low + 5]) for low in range(9))]


@pytest.mark.parametrize("board", BOARDS)
def test_classes_by_hand(board: str) -> None:
    shared = [board[i : i + 2] for i in range(0, len(board), 2)]
    left = [card for card in DECK if card not in shared]
    hands = list(combinations(left, 2))
    if len(board) == 6:
        hands = hands[::4]
    found = made_hands(tuple(a + b for a, b in hands), board, FULL_DECK)
    for place, hand in enumerate(hands):
        assert MADE[found.made[place]] == plain_made(list(hand), shared), hand
        draws = {DRAWS[d] for d in np.flatnonzero(found.draws[place])}
        assert draws == plain_draws(list(hand), shared), hand
        assert DRAWS[found.draw[place]] in draws


def test_every_class_occurs_and_names_select_groups() -> None:
    rng = np.random.default_rng(7)
    seen_made, seen_draws = set(), set()
    pairs = np.array(list(combinations(range(52), 2)))
    for size in (3, 4, 5) * 40:
        board = rng.choice(52, size, replace=False)
        hands = pairs[~np.isin(pairs, board).any(axis=1)]
        found = classify(hands, board)
        assert (found.draws[:, -1] == ~found.draws[:, :-1].any(axis=1)).all()
        seen_made |= {MADE[each] for each in np.unique(found.made)}
        seen_draws |= {DRAWS[each] for each in np.unique(found.draw)}
    assert seen_made == set(MADE) and seen_draws == set(DRAWS)
    found = made_hands(("AhTd", "Tc2c", "KsQs"), "Th9h6c", FULL_DECK)
    assert found.has_made("top-pair").tolist() == [True, True, False]
    assert found.has_made("top-pair-top-kicker").tolist() == [True, False, False]
    assert found.has_draw("backdoor-flush-draw").tolist() == [True, True, False]


def test_the_lowest_straight_of_a_short_deck_has_an_ace() -> None:
    short = Deck(9, 4, 4)
    hands, board = ("Ac6d", "AcKd"), "9h8h7c"
    assert [MADE[each] for each in made_hands(hands, board, short).made] == ["straight", "ace-high"]
    assert MADE[made_hands(hands, board, FULL_DECK).made[0]] == "ace-high"

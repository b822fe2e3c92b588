# SPDX-License-Identifier: MIT
"""The facts of each seat of a hand that statistics are made of, and all-in adjusted results."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from regretless import _native
from regretless.games.poker_rules import position_names, ring_positions
from regretless.histories.recorded_hand import RecordedHand
from regretless.notation.cards import format_cards

_MOST_EVALUATIONS = 1e8  # of one pot; beyond it the result is not adjusted


@dataclass
class SeatFacts:
    """One seat of one hand; amounts are big blinds."""

    position: str
    stack: float
    cards: str
    won: float | None
    """Result, rake deducted; None if it is unknown."""
    vpip: bool = False
    pfr: bool = False
    three_bet_chance: bool = False
    three_bet: bool = False
    saw_flop: bool = False
    showdown: bool = False
    won_showdown: bool = False
    raises: int = 0
    calls: int = 0


def seat_facts(hand: RecordedHand) -> list[SeatFacts]:
    """The facts of each seat.

    A 3-bet is a raise before the flop over exactly one raise of another. Who took a part of the
    pot at a showdown has won it.
    """
    episode, rules = hand.episode, hand.episode.game.rules
    big, payoffs, put_in = big_blind(hand), hand.payoffs, hand.put_in
    moved = hand.moved or (0,) * rules.num_players
    facts = [
        SeatFacts(
            position,
            (rules.stacks[seat] - moved[seat]) / big,
            format_cards(episode.hole(seat), rules.deck),
            None if payoffs is None else payoffs[seat] / big,
        )
        for seat, position in enumerate(positions(rules))
    ]
    level, folded, own = 0, set[int](), [False] * rules.num_players
    for seat, street, action, added in episode.events:
        each = facts[seat]
        is_raise, is_call = action > 0, action == 0 and added > 0
        each.raises += is_raise
        each.calls += is_call
        if street:
            continue
        each.vpip |= is_raise or is_call
        each.pfr |= is_raise
        each.three_bet_chance |= level == 1 and not own[seat]
        each.three_bet |= level == 1 and is_raise and not own[seat]
        level += is_raise
        own[seat] |= is_raise
        if action < 0:
            folded.add(seat)
    live = hand.live if hand.is_over else []
    for seat, each in enumerate(facts):
        each.saw_flop = len(episode.board) >= 3 and seat not in folded
        each.showdown = len(live) > 1 and seat in live
        took = payoffs is not None and payoffs[seat] + put_in[seat] > 0
        each.won_showdown = each.showdown and took
    return facts


def big_blind(hand: RecordedHand) -> int:
    """Chips in a big blind: the least bet before the flop."""
    return hand.episode.game.rules.bets[0]


def positions(rules: _native.PokerRules) -> list[str]:
    """The names of the positions; without a small blind the first seat is the big blind."""
    names, blinds = position_names(rules), rules.blinds
    if names[0] == "seat 0" and rules.num_players > 2 and blinds[0] >= max(blinds[1], 1):
        return ring_positions(rules.num_players + 1)[1:]
    return names


def is_all_in_early(hand: RecordedHand) -> bool:
    """Whether betting ended before the last card between hands that are all known."""
    episode, live = hand.episode, hand.live
    if not hand.is_over or len(live) < 2 or not episode.events or hand.folded:
        return False
    return _dealt_at_end(episode) < 5 and all(episode.hole(seat) for seat in live)


def adjusted_results(hand: RecordedHand) -> list[float] | None:
    """Expected big blinds of each seat over the cards to come once all are all-in, rake deducted.

    Each pot is shared by exact equity among those who play for it. None where too many boards
    would have to be counted.
    """
    episode, live, wins = hand.episode, hand.live, hand.wins
    board = tuple(episode.board[: _dealt_at_end(episode)])
    paid = episode.paid
    levels = sorted({paid[seat] for seat in live})
    expected, floor = [0.0] * len(paid), 0
    for level in levels:
        there = [seat for seat in live if paid[seat] >= level]
        top = max(paid) if level == levels[-1] else level
        pot = sum(min(max(each - floor, 0), top - floor) for each in paid)
        dead = tuple(card for seat in live if seat not in there for card in episode.hole(seat))
        holes = tuple(tuple(episode.hole(seat)) for seat in there)
        shares = _shares(episode.game.rules.showdown.name, holes, board, dead)
        if shares is None:
            return None
        for seat, share in zip(there, shares, strict=True):
            expected[seat] += pot * share
        floor = level
    assert wins is not None  # all cards are known
    kept = 1.0 if hand.won is None else sum(hand.won) / sum(wins)
    put_in, big = hand.put_in, big_blind(hand)
    return [(kept * each - put_in[seat]) / big for seat, each in enumerate(expected)]


def _dealt_at_end(episode: _native.PokerEpisode) -> int:
    """Public cards when the last action was taken."""
    return sum(episode.game.rules.board_cards[: episode.events[-1][1] + 1])


@lru_cache(maxsize=4096)
def _shares(
    rule: str, holes: tuple[tuple[int, ...], ...], board: tuple[int, ...], dead: tuple[int, ...]
) -> list[float] | None:
    if len(holes) == 1:
        return [1.0]
    deck = _native.Deck(9, 4, 4) if rule == "SHORT_DECK" else _native.Deck(13, 4, 0)
    players = [(np.array([hole], np.uint8), np.ones(1)) for hole in holes]
    matchup = _native.Matchup.of(_native.Showdown[rule], deck, players, list(board), list(dead))
    work = _native.ExactEquity(matchup)
    if work.num_evaluations > _MOST_EVALUATIONS:
        return None
    work.run(work.num_chunks, 0)
    return list(work.result().equities)

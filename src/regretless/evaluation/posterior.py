# SPDX-License-Identifier: MIT
"""What another seat may hold, given what it did and the table that it plays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.hand_mixes import known_table, private_hands, table_mixes, with_hand
from regretless.notation.cards import format_cards
from regretless.policy import Policy
from regretless.strategy_table import StrategyTable
from regretless.telling.hand_log import Episode

_MOST_HANDS = 20_000

Hand = tuple[int, ...]  # cards or faces


@dataclass(frozen=True)
class Posterior:
    """The range of one seat as another one must see it."""

    seat: int
    hands: list[Hand]
    weights: NDArray[np.float64]  # [hands], sum 1
    last_mix: NDArray[np.float64] | None  # [hands, actions] at its last decision, if any
    answers: dict[int, NDArray[np.float64]]
    """For each slot of the viewer's that it would answer at once: the range's mean mix."""


def posterior(episode: Episode, seat: int, viewer: int, policy: Policy) -> Posterior:
    """Bayes' rule over all hands of `seat` that the viewer's hand and the board leave possible.

    Hands of third seats are not taken into account. InputError if the policy is not a table, for
    then it cannot be asked what it would do with other hands, or if the hands are too many.
    """
    table = known_table(policy, episode.game)
    hands = _possible_hands(episode, seat, viewer)
    weights = _weights(episode, seat, viewer)
    last_mix = None
    played = [with_hand(episode.game, seat, hand, episode.board) for hand in hands]
    for actor, slot in _history(episode):
        if actor == seat:
            last_mix = table_mixes(played, table)
            weights *= last_mix[:, slot]
        for each in played:
            each.choose(slot)
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(hands), 1 / len(hands))
    answers = _answers(episode, played, seat, weights, table)
    return Posterior(seat, hands, weights, last_mix, answers)


def hand_name(episode: Episode, hand: Hand) -> str:
    """Of hold'em hands the class, `AKs`; else the cards or dice."""
    if isinstance(episode, _native.LiarsDiceEpisode):
        return " ".join(map(str, sorted(hand)))
    deck = episode.game.rules.deck
    if len(hand) != 2:
        return format_cards(hand, deck)
    high, low = sorted(hand, reverse=True)
    ranks = format_cards([high], deck)[0] + format_cards([low], deck)[0]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if deck.suit(high) == deck.suit(low) else "o")


def _possible_hands(episode: Episode, seat: int, viewer: int) -> list[Hand]:
    game = episode.game
    if game.num_hands > _MOST_HANDS:
        raise InputError(f"{game.name} has {game.num_hands:,} hands, too many to show a range")
    if isinstance(game, _native.LiarsDice):
        return private_hands(game)
    assert isinstance(episode, _native.PokerEpisode)
    deck, size = game.rules.deck, game.rules.num_hole_cards
    dead = [*episode.board, *episode.hole(viewer)]
    possible = _native.hands_possible(deck, size, dead)
    return [tuple(map(int, cards)) for cards in _native.hand_cards(deck, size)[possible]]


def _weights(episode: Episode, seat: int, viewer: int) -> NDArray[np.float64]:
    """How likely each of these hands was dealt."""
    game, weights = episode.game, episode.game.hand_weights(seat)
    if isinstance(game, _native.LiarsDice):
        return weights
    assert isinstance(episode, _native.PokerEpisode)
    dead = [*episode.board, *episode.hole(viewer)]
    return weights[_native.hands_possible(game.rules.deck, game.rules.num_hole_cards, dead)]


def _history(episode: Episode) -> list[tuple[int, int]]:
    """(seat, slot) of every decision so far."""
    try:
        return episode.steps
    except ValueError as error:
        raise InputError(f"{error}: the range cannot be told") from None


def _answers(
    episode: Episode,
    played: list[Episode],
    seat: int,
    weights: NDArray[np.float64],
    table: StrategyTable,
) -> dict[int, NDArray[np.float64]]:
    answers = {}
    for slot, is_legal in enumerate(episode.legal):
        if not is_legal:
            continue
        after: list[Episode] = [each.copy() for each in played]
        for each in after:
            each.choose(slot)
        if after[0].actor == seat:
            answers[slot] = weights @ table_mixes(after, table)
    return answers

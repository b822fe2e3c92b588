# SPDX-License-Identifier: MIT
"""Nodes of a game as a policy plays it, or one spot, found by asking about every hand.

The views are those of `nodes.py` without values. All seats play the policy; a range is the reach of
each hand along the line. Games with very many hands, such as Omaha, use a fixed sample of them.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.explorer.node_view import CardCase, Choice, NodeView, SeatRange, hand_names
from regretless.explorer.tree_place import holdem_shares
from regretless.games import Game, with_hands
from regretless.games.amounts import Amounts
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import face, view
from regretless.histories.lines import Step, format_line, go, read_line
from regretless.matches.slot_values import posterior
from regretless.notation.cards import card_name, deck_ranks, format_cards
from regretless.notation.hand_classes import class_places, hand_name
from regretless.policies.asking import mixes
from regretless.policies.policy import Needs, Policy, Probabilities, explicit
from regretless.preflop.matchups import NUM_CLASSES, load_matchups

_MOST_HANDS = 4000  # asked about; of more, so many are drawn
_CARDS = 52
_MOST_KEPT = 200  # decisions whose mixes are remembered


class AskedNodes:
    """Nodes of a policy. Its answers are cached for the next node."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game = with_hands(game, "looking at nodes")
        self.policy = OncePerRow(explicit(policy))
        self._asked = _asked_hands(self.game.num_hands)
        self._mix = lru_cache(_MOST_KEPT)(self._ask)
        self._possible = lru_cache(_MOST_KEPT)(self._find_possible)

    def node(self, line: str = "", *, equities: bool = True, unit: str | None = None) -> NodeView:
        """The node that a line of play leads to, as `SolvedTree.node`."""
        game, now = self.game, self.game.episode_of()
        episode = game.episode_of()
        amounts = Amounts.of(game, unit)
        steps = read_line(line, episode, amounts)
        hands = self._hands_at(episode)
        reaches = [game.hand_weights(seat)[hands].copy() for seat in range(game.num_players)]
        for number, step in enumerate(steps):
            if step.slot is not None:
                reaches[now.actor] *= self._mix_of(steps[:number], now, hands)[:, step.slot]
            go(now, step)
        is_turn = not now.is_terminal and now.actor >= 0
        mix = self._mix_of(steps, now, hands) if is_turn else None
        node = _view(amounts, episode, steps, hands, reaches, mix)
        return node.with_equities() if equities else node

    def _hands_at(self, episode: Episode) -> NDArray[np.intp]:
        """Those asked about that the public cards leave."""
        return self._possible(tuple(episode.board))

    def _find_possible(self, board: tuple[int, ...]) -> NDArray[np.intp]:
        return self._asked[self.game.hands_possible(list(board))[self._asked]]

    def _mix_of(
        self, steps: list[Step], spot: Episode, hands: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """[hands, actions] of the actor at a spot that the steps lead to."""
        return self._mix(format_line(steps))[np.searchsorted(self._hands_at(spot), hands)]

    def _ask(self, line: str) -> NDArray[np.float64]:
        """[hands that the spot leaves, actions] at the end of a line."""
        spot = self.game.episode_of()
        read_line(line, spot)
        (mix,) = mixes(self.policy, [spot], self._hands_at(spot))
        return mix


class OncePerRow:
    """A policy that is asked once about hands that look alike to it."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.name, self.needs = policy, policy.name, policy.needs
        encoders = policy.needs.encoders
        reads_rows_alone = policy.needs == Needs(encoders=encoders, buckets=policy.needs.buckets)
        self._encoder = encoders[0] if len(encoders) == 1 and reads_rows_alone else None

    def __call__(self, questions: _native.Questions) -> Probabilities:
        if self._encoder is None:
            return self.policy(questions)
        rows = np.ascontiguousarray(questions.rows(self._encoder))
        seen = rows.view(np.dtype((np.void, rows.shape[1])))[:, 0]
        _, firsts, places = np.unique(seen, return_index=True, return_inverse=True)
        if len(firsts) == len(rows):
            return self.policy(questions)
        return np.asarray(self.policy(questions.part(firsts.astype(np.int64))))[places]


def _asked_hands(num_hands: int) -> NDArray[np.intp]:
    """All hands, or a sample that is the same each time, in ascending order."""
    if num_hands <= _MOST_HANDS:
        return np.arange(num_hands)
    drawn = np.random.default_rng(num_hands).choice(num_hands, _MOST_HANDS, replace=False)
    return np.sort(drawn).astype(np.intp)


def _view(
    amounts: Amounts,
    episode: Episode,
    steps: list[Step],
    hands: NDArray[np.intp],
    reaches: list[NDArray[np.float64]],
    mix: NDArray[np.float64] | None,
) -> NodeView:
    shown, game = view(episode), with_hands(episode.game, "looking at nodes")
    deck, names = game.deck, hand_names(game, hands)
    unknown = np.full(len(hands), np.nan)
    shares = [each / each.sum() if each.sum() > 0 else np.zeros(len(each)) for each in reaches]
    seats = tuple(
        SeatRange(seat, name, names, reaches[seat], shares[seat], unknown, unknown)
        for seat, name in enumerate(shown.seat_names())
    )
    due, board = shown.cards_due(), list(episode.board)
    cards = [card for card in range(deck.num_cards) if card not in board] if deck and due else []
    nothing = (float("nan"),) * len(seats)
    return NodeView(
        line=format_line(steps),
        board=format_cards(board, deck) if deck is not None and board else "",
        street=shown.street().split(" ")[0],
        actor=_native.TERMINAL if episode.is_terminal else episode.actor,
        pot=amounts.of_chips(shown.pot),
        to_call=amounts.of_chips(shown.to_call) if mix is not None else 0.0,
        unit=amounts.name,
        seats=seats,
        choices=[] if mix is None else _choices(episode, mix, seats[episode.actor], amounts),
        cards=[CardCase(card_name(card, deck), nothing) for card in cards] if deck else [],
        ranks=deck_ranks(deck)[::-1] if deck is not None and game.hand_size == 2 else "",
        cards_due=due,
        hands_in_all=game.num_hands if game.num_hands > _MOST_HANDS else 0,
        steps=tuple(steps),
        find_equities=lambda: _equities(episode, hands, reaches),
    )


def _choices(
    episode: Episode, mix: NDArray[np.float64], actor: SeatRange, amounts: Amounts
) -> list[Choice]:
    unknown = np.full(len(mix), np.nan)
    is_reached = actor.shares.sum() > 0
    return [
        Choice(
            word=amounts.word(view(episode).slot_word(slot)),
            text=amounts.in_text(episode.slot_text(slot)),
            share=float(mix[:, slot] @ actor.shares) if is_reached else float("nan"),
            value=float("nan"),
            mix=mix[:, slot],
            values=unknown,
        )
        for slot in legal_slots(episode)
    ]


def _equities(
    episode: Episode, hands: NDArray[np.intp], reaches: list[NDArray[np.float64]]
) -> list[NDArray[np.float64]] | None:
    """[players][hands]; None where there is no quick way to them."""
    poker = face(episode.game).poker
    if poker is None or len(reaches) != 2:
        return None
    if poker.rules.showdown == _native.Showdown.HOLDEM and not episode.board:
        return _preflop_equities(hands, reaches) if poker.rules.deck.num_cards == _CARDS else None
    found = holdem_shares(poker, list(episode.board), [hands, hands], reaches)
    if found is None:
        return None
    wins, ties, meets = np.stack(found, axis=1)
    shares = np.full(wins.shape, np.nan)
    np.divide(wins + ties / 2, meets, out=shares, where=meets > 1e-9 * meets.max(initial=0))
    return list(shares)


def _preflop_equities(
    hands: NDArray[np.intp], reaches: list[NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    """By class against class: exact where all hands of a class arrive alike."""
    matchups, classes = load_matchups(), class_places(13, 4)[hands]
    counts = np.bincount(classes, minlength=NUM_CLASSES)
    shares = []
    for other in reversed(reaches):
        weights = np.bincount(classes, other, NUM_CLASSES) / np.maximum(counts, 1)
        meets = matchups.pairs @ weights
        won = (matchups.pairs * matchups.equities) @ weights
        each = np.full(NUM_CLASSES, np.nan)
        np.divide(won, meets, out=each, where=meets > 1e-9 * meets.max(initial=0))
        shares.append(each[classes])
    return shares


@dataclass(frozen=True)
class HandAnswers:
    """The strategy of a policy at one decision, for every possible hand."""

    seat: int
    slots: list[int]  # the legal slots
    texts: list[str]  # the text of each slot
    hands: list[tuple[int, ...]]  # cards, or faces of dice
    names: list[str]  # names of the hands; in hold'em by class: `AKs`
    probabilities: NDArray[np.float64]  # [hands, slots], each row of sum 1
    weights: NDArray[np.float64]  # [hands], sum 1: how likely the seat holds it, by how it played

    def to_json(self) -> dict[str, Any]:
        numbers = {"probabilities": self.probabilities.tolist(), "weights": self.weights.tolist()}
        return vars(self) | {"hands": [list(hand) for hand in self.hands]} | numbers


def ask_every_hand(episode: Episode, policy: Policy) -> HandAnswers:
    """Returns the strategy of a policy with each hand of the seat to act.

    The seat has played the policy from the start; hidden cards and dice of `episode` are not read.
    InputError where a policy or a game does not allow it.
    """
    if episode.is_terminal or episode.actor < 0:
        raise InputError("no seat is to act here")
    seat, slots = episode.actor, legal_slots(episode)
    public = with_hands(episode.game, "asking about hands").episode_of(board=episode.board)
    for _, slot in episode.steps:
        public.choose(slot)
    found = posterior(public, seat, (seat + 1) % episode.game.num_players, policy)
    (mix,) = mixes(policy, [public])
    return HandAnswers(
        seat,
        slots,
        [episode.slot_text(slot) for slot in slots],
        found.hands,
        [hand_name(hand, episode.game.deck) for hand in found.hands],
        mix[:, slots],
        found.weights,
    )

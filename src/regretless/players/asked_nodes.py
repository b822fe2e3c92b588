# SPDX-License-Identifier: MIT
"""Any node of a game as a policy plays it, by asking it about every hand.

The same as `nodes.py` shows of what is solved, without values. All seats play the policy, and
ranges are what is left of all hands when each has played as the line says.
"""

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.asking import mixes
from regretless.errors import TooLargeError
from regretless.games import Game, with_hands
from regretless.games.episodes import Episode
from regretless.games.units import unit_name
from regretless.notation.cards import card_name, deck_ranks, format_cards
from regretless.players.nodes import CardCase, Choice, NodeView, SeatRange, hand_names
from regretless.policy import Policy
from regretless.telling.choices import legal_slots
from regretless.telling.line_spots import cards_due, go
from regretless.telling.lines import format_line, read_line, slot_word
from regretless.telling.views import view

_MOST_ROWS = 100_000  # hands, times the decisions that are asked about


class AskedNodes:
    """Nodes of a policy. It is asked anew for each."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game, self.policy = with_hands(game, "looking at nodes"), policy

    def node(self, line: str = "") -> NodeView:
        """The node that a line of play leads to; InputError points at what cannot be there."""
        game = self.game
        episode = game.episode_of()
        steps = read_line(line, episode)
        hands = np.flatnonzero(game.hands_possible(list(episode.board)))
        spots, chosen, now = [], [], game.episode_of()
        for step in steps:
            if step.slot is not None:
                spots.append(now.copy())
                chosen.append((now.actor, step.slot))
            go(now, step)
        is_turn = not now.is_terminal and now.actor >= 0
        if is_turn:
            spots.append(now)
        if len(hands) * max(len(spots), 1) > _MOST_ROWS:
            raise TooLargeError(
                f"{game.name}: {len(hands):,} hands at {len(spots)} decisions are too many to show"
            )
        told = mixes(self.policy, spots, hands)
        reaches = [game.hand_weights(seat)[hands].copy() for seat in range(game.num_players)]
        for mix, (seat, slot) in zip(told, chosen, strict=False):
            reaches[seat] *= mix[:, slot]
        last = told[-1] if is_turn else None
        return _view(game, episode, format_line(steps), hands, reaches, last)


def _view(
    game: Game,
    episode: Episode,
    line: str,
    hands: NDArray[np.intp],
    reaches: list[NDArray[np.float64]],
    mix: NDArray[np.float64] | None,
) -> NodeView:
    shown = view(episode)
    poker = episode if isinstance(episode, _native.PokerEpisode) else None
    deck, names = game.deck, hand_names(game, hands)
    unknown = np.full(len(hands), np.nan)
    equities = _equities(episode, hands, reaches) or [unknown] * len(reaches)
    seats = tuple(
        SeatRange(
            seat,
            shown.seat_names()[seat],
            names,
            reach,
            reach / reach.sum() if reach.sum() > 0 else np.zeros(len(reach)),
            equities[seat],
            unknown,
        )
        for seat, reach in enumerate(reaches)
    )
    due = cards_due(episode)
    board = [] if poker is None else list(poker.board)
    cards = [card for card in range(deck.num_cards) if card not in board] if deck and due else []
    nothing = (float("nan"),) * len(seats)
    return NodeView(
        line=line,
        board=format_cards(board, deck) if deck is not None and board else "",
        street=shown.street().split(" ")[0],
        actor=_native.TERMINAL if episode.is_terminal else episode.actor,
        pot=poker.pot / game.unit if poker else 0.0,
        to_call=poker.to_call / game.unit if poker and mix is not None else 0.0,
        unit=unit_name(game),
        seats=seats,
        choices=[] if mix is None else _choices(episode, mix, seats[episode.actor]),
        cards=[CardCase(card_name(card, deck), nothing) for card in cards] if deck else [],
        ranks=deck_ranks(deck)[::-1] if deck is not None and game.hand_size == 2 else "",
        cards_due=due,
    )


def _choices(episode: Episode, mix: NDArray[np.float64], actor: SeatRange) -> list[Choice]:
    unknown = np.full(len(mix), np.nan)
    is_reached = actor.shares.sum() > 0
    return [
        Choice(
            word=slot_word(episode, slot),
            text=episode.slot_text(slot),
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
    if not isinstance(episode, _native.PokerEpisode) or len(reaches) != 2:
        return None
    rules = episode.game.rules
    is_holdem = rules.showdown in (_native.Showdown.HOLDEM, _native.Showdown.SHORT_DECK)
    if not is_holdem or len(episode.board) < 3:
        return None
    weights = [np.zeros(episode.game.num_hands) for _ in reaches]
    for whole, reach in zip(weights, reaches, strict=True):
        whole[hands] = reach
    found = _native.range_shares(rules.showdown, rules.deck, list(episode.board), *weights)
    wins, ties, meets = (found[:, i][:, hands] for i in range(3))
    shares = np.full(wins.shape, np.nan)
    np.divide(wins + ties / 2, meets, out=shares, where=meets > 1e-9 * meets.max(initial=0))
    return list(shares)

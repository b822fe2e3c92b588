# SPDX-License-Identifier: MIT
"""A table as one seat may see it, as data that a page or another program can show."""

from typing import Any

from regretless import _native
from regretless.notation.cards import card_name
from regretless.players.table import Table
from regretless.telling.choices import legal_slots
from regretless.telling.seat_view import hand_text, live_seats, seat_names, shown_seats


def seat_json(table: Table, viewer: int | None) -> dict[str, Any]:
    """What the viewer knows; None: somebody who only watches. Values are numbers and texts."""
    episode = table.episode
    is_turn = viewer is not None and table.actor == viewer
    return {
        "game": episode.game.name,
        "viewer": viewer,
        "actor": table.actor,
        "is_over": table.is_over,
        "seats": [_seat(table, seat, viewer) for seat in range(episode.game.num_players)],
        **_public(table),
        "choices": [_choice(table, slot) for slot in legal_slots(episode)] if is_turn else [],
        "log": [{"seat": entry.seat, "text": entry.text} for entry in table.log],
    }


def _seat(table: Table, seat: int, viewer: int | None) -> dict[str, Any]:
    episode = table.episode
    is_shown = seat == viewer or seat in shown_seats(episode)
    row: dict[str, Any] = {
        "name": seat_names(episode)[seat],
        "is_live": seat in live_seats(episode),
        "hand": hand_text(episode, seat) if is_shown else None,
        "payoff": episode.payoffs[seat] if table.is_over else None,
    }
    if isinstance(episode, _native.PokerEpisode):
        row |= {"bet": episode.bets[seat], "stack": episode.stacks[seat]}
    return row


def _public(table: Table) -> dict[str, Any]:
    episode = table.episode
    if not isinstance(episode, _native.PokerEpisode):
        return {}
    deck = episode.game.rules.deck
    board = [card_name(card, deck) for card in episode.board]
    return {"street": episode.street, "board": board, "pot": episode.pot}


def _choice(table: Table, slot: int) -> dict[str, Any]:
    episode = table.episode
    return {
        "slot": slot,
        "name": episode.game.action_names[slot],
        "text": episode.slot_text(slot),
    }

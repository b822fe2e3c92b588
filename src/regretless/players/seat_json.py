# SPDX-License-Identifier: MIT
"""A table as one seat may see it, as data that a page or another program can show."""

from dataclasses import asdict
from typing import Any

from regretless.players.table import Table
from regretless.telling.choices import legal_slots
from regretless.telling.seat_view import shown_seats
from regretless.telling.views import view


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
        **view(episode).public_json(),
        "choices": [_choice(table, slot) for slot in legal_slots(episode)] if is_turn else [],
        "bet_range": table.bet_range if is_turn else None,
        "log": [asdict(entry) for entry in table.log],
    }


def _seat(table: Table, seat: int, viewer: int | None) -> dict[str, Any]:
    episode, shown = table.episode, view(table.episode)
    is_shown = seat == viewer or seat in shown_seats(episode)
    return {
        "name": shown.seat_names()[seat],
        "is_live": seat in shown.live_seats(),
        "hand": shown.hand_text(seat) if is_shown else None,
        "payoff": episode.payoffs[seat] if table.is_over else None,
        **shown.seat_json(seat),
    }


def _choice(table: Table, slot: int) -> dict[str, Any]:
    episode = table.episode
    return {
        "slot": slot,
        "name": episode.game.action_names[slot],
        "text": episode.slot_text(slot),
    }

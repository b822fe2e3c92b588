# SPDX-License-Identifier: MIT
"""A table or a finished hand as one seat may see it, as data that a page or a program can show."""

from dataclasses import asdict
from typing import Any

from regretless.games.episodes import Episode, legal_slots, replayed
from regretless.games.face import view
from regretless.histories.seat_view import shown_seats
from regretless.tables.table import Table


def seat_json(table: Table, viewer: int | None) -> dict[str, Any]:
    """The table as the viewer sees it (None: a spectator), as numbers and texts."""
    episode = table.episode
    is_turn = viewer is not None and table.actor == viewer
    return {
        **episode_json(episode, viewer),
        "choices": [_choice(table, slot) for slot in legal_slots(episode)] if is_turn else [],
        "bet_range": table.bet_range if is_turn else None,
        "log": [asdict(entry) for entry in table.log],
    }


def episode_json(episode: Episode, viewer: int | None) -> dict[str, Any]:
    """Cards and chips as the viewer may see them."""
    return {
        "game": episode.game.name,
        "viewer": viewer,
        "actor": None if episode.is_terminal else episode.actor,
        "is_over": episode.is_terminal,
        "seats": [_seat(episode, seat, viewer) for seat in range(episode.game.num_players)],
        **view(episode).public_json(),
    }


def _seat(episode: Episode, seat: int, viewer: int | None) -> dict[str, Any]:
    shown = view(episode)
    is_shown = seat == viewer or seat in shown_seats(episode)
    return {
        "name": shown.seat_names()[seat],
        "is_live": seat in shown.live_seats(),
        "hand": shown.hand_text(seat) if is_shown else None,
        "payoff": episode.payoffs[seat] if episode.is_terminal else None,
        **shown.seat_json(seat),
    }


def _choice(table: Table, slot: int) -> dict[str, Any]:
    episode = table.episode
    return {"slot": slot, "name": episode.game.action_names[slot], "text": episode.slot_text(slot)}


def replay_steps(episode: Episode, viewer: int | None) -> list[dict[str, Any]]:
    """The deal and the state after every action, as data.

    `seat` and `text` are the actor and the action, None and empty at the deal. Hands of other seats
    are included where they were shown.
    """
    seat: int | None = None
    text, steps = "", []
    for before, actor, action in replayed(episode):
        steps.append(_step(before, viewer, seat, text))
        seat, text = actor, view(before).action_text(action)
    return [*steps, _step(episode, viewer, seat, text)]


def _step(episode: Episode, viewer: int | None, seat: int | None, text: str) -> dict[str, Any]:
    return {"seat": seat, "text": text, "seen": episode_json(episode, viewer)}

# SPDX-License-Identifier: MIT
"""A finished hand step by step, as one seat saw it."""

from typing import Any

from regretless.games.episodes import Episode, replayed
from regretless.games.face import view
from regretless.tables.seat_json import episode_json


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

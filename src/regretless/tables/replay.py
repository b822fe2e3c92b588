# SPDX-License-Identifier: MIT
"""A hand that has ended, step by step, as one seat saw it."""

from typing import Any

from regretless import _native
from regretless.games.episodes import Episode
from regretless.games.translation import action_text
from regretless.histories.views import view
from regretless.tables.seat_json import episode_json


def replay_steps(episode: Episode, viewer: int | None) -> list[dict[str, Any]]:
    """The deal, and what there was to see after every action, as data.

    `seat` and `text` are who did what, None and empty at the deal. Hands of others are there where
    they were shown.
    """
    game, seats = episode.game, range(episode.game.num_players)
    if isinstance(episode, _native.PokerEpisode):
        hand = _native.PokerEpisode(episode.game, [episode.hole(s) for s in seats], episode.board)
        steps = [_step(hand, viewer)]
        for seat, _, action, _ in episode.events:
            text = action_text(hand, action)
            hand.act(action)
            steps.append(_step(hand, viewer, seat, text))
        return steps
    now = game.episode_of([episode.hand_parts(seat) for seat in seats], episode.board)
    steps = [_step(now, viewer)]
    for seat, slot in episode.steps:
        text = view(now).heard(slot)
        now.choose(slot)
        steps.append(_step(now, viewer, seat, text))
    return steps


def _step(
    episode: Episode, viewer: int | None, seat: int | None = None, text: str = ""
) -> dict[str, Any]:
    return {"seat": seat, "text": text, "seen": episode_json(episode, viewer)}

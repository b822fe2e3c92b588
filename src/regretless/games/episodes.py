# SPDX-License-Identifier: MIT
"""One play of a game, from the deal to the payoffs."""

from regretless import _native

Episode = _native.PokerEpisode | _native.LiarsDiceEpisode | _native.ExplicitEpisode


def before_last_action(episode: Episode, seat: int) -> Episode | None:
    """The public state at the last decision of a seat; None: it has not acted yet."""
    steps = episode.steps
    actors = [actor for actor, _ in steps]
    if seat not in actors:
        return None
    replay = episode.game.episode_of(board=episode.board)
    for _, slot in steps[: len(actors) - 1 - actors[::-1].index(seat)]:
        replay.choose(slot)
    return replay

# SPDX-License-Identifier: MIT
"""One play of a native game, from the deal to the payoffs."""

from regretless import _native
from regretless.errors import InputError
from regretless.games.loading import Game

Episode = _native.PokerEpisode | _native.LiarsDiceEpisode


def deal_episode(game: Game, seed: int = 0, index: int = 0) -> Episode:
    """Cards or dice dealt as in episode `index` of a job with this seed."""
    if isinstance(game, _native.Poker):
        return _native.PokerEpisode(game, seed=seed, index=index)
    return _native.LiarsDiceEpisode(game, seed=seed, index=index)


def public_cards(episode: Episode) -> list[int]:
    """The board; none in games without one."""
    return episode.board if isinstance(episode, _native.PokerEpisode) else []


def slots_played(episode: Episode) -> list[int]:
    """The slot of every decision so far; InputError where a bet was not on the menu."""
    if isinstance(episode, _native.LiarsDiceEpisode):
        return [slot for _, slot in episode.events]
    slots, replay = list[int](), _without_hands(episode)
    assert isinstance(replay, _native.PokerEpisode)
    for _, _, action, _ in episode.events:
        if action not in replay.offer:
            raise InputError("a bet was made that is not on the menu")
        slots.append(replay.offer.index(action))
        replay.choose(slots[-1])
    return slots


def before_last_action(episode: Episode, seat: int) -> Episode | None:
    """The public state at the last decision of a seat; None: it has not acted yet."""
    actors = [event[0] for event in episode.events]
    if seat not in actors:
        return None
    last = len(actors) - 1 - actors[::-1].index(seat)
    replay = _without_hands(episode)
    for slot in slots_played(episode)[:last]:
        replay.choose(slot)
    return replay


def _without_hands(episode: Episode) -> Episode:
    """The beginning of the episode with its board, and no private cards or dice that count."""
    game, num_players = episode.game, episode.game.num_players
    if isinstance(game, _native.Poker):
        hole: list[list[int]] = [[] for _ in range(num_players)]
        return _native.PokerEpisode(game, hole=hole, board=public_cards(episode))
    return _native.LiarsDiceEpisode(game, dice=[[1] * game.num_dice] * num_players)

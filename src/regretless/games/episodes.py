# SPDX-License-Identifier: MIT
"""Episodes: legal slots, actions, and the one way to replay them.

An action is a slot; in poker it is the number that `PokerEpisode.act` takes, since a bet need not
be on the menu.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, cast

from regretless import _native

Episode = _native.PokerEpisode | _native.LiarsDiceEpisode | _native.ExplicitEpisode
_AnyEpisode = TypeVar("_AnyEpisode", bound=Episode)


def legal_slots(episode: Episode) -> list[int]:
    """The slots that may be chosen, in ascending order."""
    return [slot for slot, is_legal in enumerate(episode.legal) if is_legal]


def actions_of(episode: Episode) -> list[tuple[int, int]]:
    """(seat, action) of every decision so far."""
    if isinstance(episode, _native.PokerEpisode):
        return [(seat, action) for seat, _, action, _ in episode.events]
    return episode.steps


def act(episode: Episode, action: int) -> None:
    """Plays an action, as `actions_of` lists them."""
    if isinstance(episode, _native.PokerEpisode):
        episode.act(action)
    else:
        episode.choose(action)


def played(episode: _AnyEpisode, actions: Iterable[int]) -> _AnyEpisode:
    """The same episode after these actions."""
    for action in actions:
        act(episode, action)
    return episode


def restarted(episode: _AnyEpisode, known: Sequence[int] | None = None) -> _AnyEpisode:
    """The same deal before the first action, with the hands of the `known` seats (default: all)."""
    hand_of = episode.hole if isinstance(episode, _native.PokerEpisode) else episode.hand_parts
    seats = range(episode.game.num_players)
    hands = [hand_of(seat) if known is None or seat in known else [] for seat in seats]
    return cast(_AnyEpisode, episode.game.episode_of(hands if any(hands) else [], episode.board))


def replayed(
    episode: _AnyEpisode, known: Sequence[int] | None = None
) -> Iterator[tuple[_AnyEpisode, int, int]]:
    """Every decision so far: the episode before it, the seat and its action.

    Only the hands of the `known` seats are there (default: all). The episode is the same object
    each time: copy it to keep it.
    """
    now = restarted(episode, known)
    for seat, action in actions_of(episode):
        yield now, seat, action
        act(now, action)


def decisions(
    episode: _AnyEpisode, seat: int, known: Sequence[int] = ()
) -> list[tuple[_AnyEpisode, int]]:
    """Every decision of a seat: a copy of the episode before it, and the slot that was chosen.

    Only the hands of the `known` seats are there. ValueError after a bet that is not on the menu.
    """
    slots = [slot for _, slot in episode.steps]
    return [
        (cast(_AnyEpisode, before.copy()), slot)
        for slot, (before, actor, _) in zip(slots, replayed(episode, known), strict=True)
        if actor == seat
    ]

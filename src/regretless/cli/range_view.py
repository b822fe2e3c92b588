# SPDX-License-Identifier: MIT
"""The range of another seat as lines for a terminal."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.evaluation.posterior import Posterior, hand_name, posterior
from regretless.policy import Policy
from regretless.telling.hand_log import Episode
from regretless.telling.seat_view import seat_names

_MOST_LINES = 15


def range_lines(episode: Episode, viewer: int, policy: Policy) -> Iterator[str]:
    """For every other seat still in: its likeliest hands, its last mix, its next answers."""
    names = seat_names(episode, viewer)
    for seat, name in enumerate(names):
        if seat == viewer or not episode.live[seat]:
            continue
        try:
            found = posterior(episode, seat, viewer, policy)
        except InputError as error:
            yield f"  {error}"
            return
        yield from _range(episode, name, found)
        yield from _answers(episode, name, found)


def _range(episode: Episode, name: str, found: Posterior) -> Iterator[str]:
    groups: dict[str, list[int]] = defaultdict(list)
    for number, hand in enumerate(found.hands):
        groups[hand_name(episode, hand)].append(number)
    shares = {key: float(found.weights[rows].sum()) for key, rows in groups.items()}
    order = sorted(shares, key=lambda key: -shares[key])
    mix = "; what it does with each" if found.last_mix is not None else ", as it has not acted yet"
    yield f"  {name} holds{mix}:"
    for key in order[:_MOST_LINES]:
        yield f"    {key:6s} {shares[key]:6.1%}{_mix_text(episode, groups[key], found)}"
    rest = order[_MOST_LINES:]
    if rest:
        yield f"    {len(rest)} more, together {sum(shares[key] for key in rest):.1%}"


def _mix_text(episode: Episode, rows: list[int], found: Posterior) -> str:
    if found.last_mix is None:
        return ""
    return "   " + _format(found.last_mix[rows].mean(axis=0), episode)


def _answers(episode: Episode, name: str, found: Posterior) -> Iterator[str]:
    if found.answers:
        yield f"  what {name} does next, over its whole range:"
    for slot, row in found.answers.items():
        yield f"    after {episode.slot_text(slot)}: {_format(row, episode)}"


def _format(row: NDArray[np.float64], episode: Episode) -> str:
    names = episode.game.action_names
    return ", ".join(f"{names[slot]} {p:.0%}" for slot, p in enumerate(row) if p >= 0.005)

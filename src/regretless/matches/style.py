# SPDX-License-Identifier: MIT
"""Playing style in the figures that poker players use."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays
from regretless.games.menus import CALL_SLOT, FIRST_RAISE_SLOT, FOLD_SLOT
from regretless.matches.seatings import by_policy

_COUNTS = ("vpip", "pfr", "raises", "calls", "saw", "showdowns", "won")


@dataclass(frozen=True)
class Style:
    """Style figures: shares of all episodes unless noted, 0 where there are none.

    Blinds and checks are not voluntary. In a game of one street every player saw the next one.
    """

    vpip: float
    """Put chips in voluntarily on the first street."""
    pfr: float
    """Raised on the first street."""
    aggression: float
    """Bets and raises for every call, all streets; infinite without a call."""
    went_to_showdown: float
    """Share of the episodes in which the player saw the second street."""
    won_at_showdown: float
    """Share of the showdowns in which the player won chips."""


def style_counts(steps: _native.Steps, num_streets: int) -> Arrays:
    """Returns counts by policy; the first episode must be the first copy of a deal."""
    episodes, players = steps.payoffs.shape
    lengths = np.diff(steps.offsets)
    seats = np.repeat(np.arange(episodes) * players, lengths) + steps.actors
    slots, is_first_street = steps.slots, steps.streets == 0
    raises = slots >= FIRST_RAISE_SLOT
    calls = (slots == CALL_SLOT) & steps.legal[:, FOLD_SLOT]
    folds = slots == FOLD_SLOT

    def how_often(those: NDArray[Any]) -> NDArray[np.int64]:
        return np.bincount(those, minlength=episodes * players).reshape(episodes, players)

    stayed = how_often(seats[folds]) == 0
    saw = how_often(seats[folds & is_first_street]) == 0
    saw = saw & (saw.sum(axis=1, keepdims=True) > 1) if num_streets > 1 else saw | True
    showdowns = stayed & (stayed.sum(axis=1, keepdims=True) > 1)
    found = {
        "vpip": how_often(seats[is_first_street & (raises | calls)]) > 0,
        "pfr": how_often(seats[is_first_street & raises]) > 0,
        "raises": how_often(seats[raises]),
        "calls": how_often(seats[calls]),
        "saw": saw,
        "showdowns": showdowns,
        "won": showdowns & (steps.payoffs > 0),
    }
    return {name: by_policy(table).sum(axis=0) for name, table in found.items()}


class StyleCounts:
    """Adds up counts for styles, by policy."""

    def __init__(self) -> None:
        self.num_episodes = 0
        self.counts: dict[str, Any] = dict.fromkeys(_COUNTS, 0)  # by name: [policies]

    def add(self, columns: Arrays) -> None:
        """Adds a piece of a match: its payoffs [episodes, seats] and `style_counts`."""
        self.num_episodes += len(columns["payoffs"])
        for name in _COUNTS:
            self.counts[name] = self.counts[name] + columns[name]

    def style(self, policy: int) -> Style:
        of = {name: int(counts[policy]) for name, counts in self.counts.items()}
        return Style(
            vpip=_ratio(of["vpip"], self.num_episodes),
            pfr=_ratio(of["pfr"], self.num_episodes),
            aggression=of["raises"] / of["calls"] if of["calls"] else math.inf,
            went_to_showdown=_ratio(of["showdowns"], of["saw"]),
            won_at_showdown=_ratio(of["won"], of["showdowns"]),
        )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0

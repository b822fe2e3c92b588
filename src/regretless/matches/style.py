# SPDX-License-Identifier: MIT
"""Playing style in the figures that poker players use."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless import _native
from regretless.algorithm import Arrays
from regretless.games.menus import FOLD_SLOT

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
    return _native.count_styles(
        steps.payoffs,
        steps.offsets,
        *(steps.actors, steps.slots, steps.streets),
        np.ascontiguousarray(steps.legal[:, FOLD_SLOT]).view(np.uint8),
        num_streets,
    )


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

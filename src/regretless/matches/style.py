# SPDX-License-Identifier: MIT
"""Playing style in the figures that poker players use."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.games.menus import CALL_SLOT, FIRST_RAISE_SLOT, FOLD_SLOT
from regretless.matches.seatings import by_policy


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


class StyleCounts:
    """Counts for styles, by policy, over the steps of a match."""

    def __init__(self, num_players: int, num_streets: int) -> None:
        self.num_players, self.num_streets = num_players, num_streets
        self.num_episodes = 0
        self.counts: dict[str, Any] = {}  # by name: [policies]

    def add(self, steps: _native.Steps) -> None:
        """Episodes of which the first is the first copy of a deal."""
        episodes = len(steps.payoffs)
        lengths = np.diff(steps.offsets)
        seats = np.repeat(np.arange(episodes) * self.num_players, lengths) + steps.actors
        slots, is_first_street = steps.slots, steps.streets == 0
        raises = slots >= FIRST_RAISE_SLOT
        calls = (slots == CALL_SLOT) & steps.legal[:, FOLD_SLOT]
        folds = slots == FOLD_SLOT
        stayed = self._how_often(seats[folds], episodes) == 0
        saw = self._how_often(seats[folds & is_first_street], episodes) == 0
        saw = saw & (saw.sum(axis=1, keepdims=True) > 1) if self.num_streets > 1 else saw | True
        showdowns = stayed & (stayed.sum(axis=1, keepdims=True) > 1)
        tables: dict[str, NDArray[Any]] = {
            "vpip": self._how_often(seats[is_first_street & (raises | calls)], episodes) > 0,
            "pfr": self._how_often(seats[is_first_street & raises], episodes) > 0,
            "raises": self._how_often(seats[raises], episodes),
            "calls": self._how_often(seats[calls], episodes),
            "saw": saw,
            "showdowns": showdowns,
            "won": showdowns & (steps.payoffs > 0),
        }
        self.num_episodes += episodes
        for name, table in tables.items():  # [episodes, seats], summed by policy
            self.counts[name] = self.counts.get(name, 0) + by_policy(table).sum(axis=0)

    def style(self, policy: int) -> Style:
        of = {name: int(counts[policy]) for name, counts in self.counts.items()}
        return Style(
            vpip=_ratio(of["vpip"], self.num_episodes),
            pfr=_ratio(of["pfr"], self.num_episodes),
            aggression=of["raises"] / of["calls"] if of["calls"] else math.inf,
            went_to_showdown=_ratio(of["showdowns"], of["saw"]),
            won_at_showdown=_ratio(of["won"], of["showdowns"]),
        )

    def _how_often(self, seats: NDArray[np.int64], episodes: int) -> NDArray[np.int64]:
        counts = np.bincount(seats, minlength=episodes * self.num_players)
        return counts.reshape(episodes, self.num_players)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0

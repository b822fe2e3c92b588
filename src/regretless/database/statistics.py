# SPDX-License-Identifier: MIT
"""Figures of players over time, each with its 95 % interval."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regretless.database.hand_database import HandDatabase
from regretless.errors import InputError
from regretless.matches.intervals import Estimate

GROUPS = {
    "all": "''",
    "player": "p.name",
    "position": "s.position",
    "month": "substr(h.played, 1, 7)",
    "stakes": "h.stakes",
}
"""Columns that figures can be grouped by."""
_Z = 1.959963984540054  # of a 95 % interval
_SHARES = {
    "vpip": ("vpip", None),
    "pfr": ("pfr", None),
    "three_bet": ("three_bet", "three_bet_chance"),
    "went_to_showdown": ("showdown", "saw_flop"),
    "won_at_showdown": ("won_showdown", "showdown"),
}


@dataclass(frozen=True)
class Share:
    """A share of occasions, with the interval of Wilson."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None

    @property
    def interval(self) -> tuple[float, float] | None:
        if not self.whole:
            return None
        share, n = self.part / self.whole, self.whole
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        spread = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, middle - spread), min(1.0, middle + spread)

    def to_json(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        return {"value": self.value, "low": low, "high": high, "of": self.whole}


@dataclass(frozen=True)
class PlayerStatistics:
    """The figures of one group of hands."""

    group: str
    hands: int
    shares: dict[str, Share]
    """vpip, pfr, three_bet, went_to_showdown, won_at_showdown."""
    aggression: Share
    """Bets and raises among bets, raises and calls, of all streets."""
    won: Estimate
    """Big blinds in 100 hands."""
    adjusted: Estimate
    """Big blinds in 100 hands, all-in hands at their equity; of no hands if some lack it."""

    def to_json(self) -> dict[str, Any]:
        shares = {name: each.to_json() for name, each in self.shares.items()}
        low, high = self.aggression.interval or (None, None)
        aggression = {
            "value": _odds(self.aggression.value),
            "low": _odds(low),
            "high": _odds(high),
            "of": self.aggression.whole,
        }
        results = {
            name: {
                "value": each.mean,
                "low": _finite(each.mean - each.half_width),
                "high": _finite(each.mean + each.half_width),
                "of": each.count,
            }
            for name, each in (("bb_per_100", self.won), ("adjusted_bb_per_100", self.adjusted))
        }
        return {
            "group": self.group,
            "hands": self.hands,
            **shares,
            "aggression": aggression,
        } | results


def _odds(share: float | None) -> float | None:
    """Bets and raises for each call; None without a call."""
    return None if share is None or share >= 1 else share / (1 - share)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def player_statistics(
    database: HandDatabase, player: str | None, by: str = "all", *, least: int = 1
) -> list[PlayerStatistics]:
    """The figures of a player, by group; of all players with `by="player"`.

    Groups of fewer than `least` hands are left out. Adjusted results are computed where they are
    missing, of one player only.
    """
    if by not in GROUPS:
        raise InputError.unknown(f"no statistics by {by!r}", by, GROUPS)
    if by != "player":
        if player is None:
            player = database.hero()
        database.require_player(player)
        database.adjust(player)
    return list(_groups(database, player, by, least))


def _groups(
    database: HandDatabase, player: str | None, by: str, least: int
) -> Iterator[PlayerStatistics]:
    counts = ["vpip", "pfr", "three_bet", "three_bet_chance", "showdown", "saw_flop"]
    counts += ["won_showdown", "raises", "calls"]
    sums = ", ".join(f"sum(s.{name})" for name in counts)
    own = "coalesce(s.adjusted, s.won)"
    missing = "sum(h.all_in AND s.adjusted IS NULL AND s.won IS NOT NULL)"
    results = (
        f"{missing}, count(s.won), sum(s.won), sum(s.won * s.won), sum({own}), sum({own} * {own})"
    )
    where = "" if player is None else "WHERE p.name = ?"
    order = "count(*) DESC" if by == "player" else "1"
    rows = database.rows(
        f"SELECT {GROUPS[by]}, count(*), {sums}, {results} FROM seats s "
        "JOIN hands h ON h.id = s.hand JOIN players p ON p.id = s.player "
        f"{where} GROUP BY 1 HAVING count(*) >= {int(least)} ORDER BY {order}",
        *([] if player is None else [player]),
    )
    for row in rows:
        group, hands = str(row[0]), int(row[1])
        found = dict(zip(counts, row[2 : 2 + len(counts)], strict=True))
        unknown, known, *moments = row[2 + len(counts) :]
        yield PlayerStatistics(
            group,
            hands,
            {
                name: Share(found[part], hands if whole is None else found[whole])
                for name, (part, whole) in _SHARES.items()
            },
            Share(found["raises"], found["raises"] + found["calls"]),
            _estimate(known, *moments[:2]),
            _estimate(0 if unknown else known, *moments[2:]),
        )


def _estimate(count: int, total: float | None, squares: float | None) -> Estimate:
    """Big blinds in 100 hands, from the sums over hands."""
    if not count or total is None or squares is None:
        return Estimate(0.0, math.inf, count)
    mean = total / count
    if count < 2:
        return Estimate(100 * mean, math.inf, count)
    variance = max(0.0, squares - count * mean**2) / (count - 1)
    return Estimate(100 * mean, 100 * math.sqrt(variance / count), count)

# SPDX-License-Identifier: MIT
"""The equity graph of a node: what the weakest, the middling and the best of a range are worth."""

import numpy as np
from numpy.typing import NDArray

from regretless.explorer.node_view import NodeView, SeatRange

POINTS = 101  # from the weakest hand to the best, a point at each hundredth of the range


def equity_curve(seat: SeatRange, points: int = POINTS) -> NDArray[np.float64] | None:
    """[points]: equities of a range, sorted, by the share of the range that has less.

    None where no hand that arrives has a known equity.
    """
    counts = (seat.shares > 0) & np.isfinite(seat.equities)
    if not counts.any():
        return None
    order = np.argsort(seat.equities[counts], kind="stable")
    equities, shares = seat.equities[counts][order], seat.shares[counts][order]
    ends = np.cumsum(shares) / shares.sum()
    where = np.linspace(0, 1, points)
    places = np.searchsorted(ends, where * (1 - 1e-9), side="right")
    return equities[np.minimum(places, len(equities) - 1)]


def equity_curves(node: NodeView, points: int = POINTS) -> dict[str, list[float]]:
    """The curve of every seat that has one, by name."""
    found = {each.name: equity_curve(each, points) for each in node.seats}
    return {name: curve.tolist() for name, curve in found.items() if curve is not None}

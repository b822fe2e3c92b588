# SPDX-License-Identifier: MIT
"""The solution of Kuhn poker beside what theory says of it (Kuhn 1950)."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from regretless.cli.output import rows_table

_TOLERANCE = 0.02
_CALL, _BET = 1, 2  # slots


def kuhn_checks(strategy: Mapping[str, NDArray[np.float64]]) -> list[tuple[str, float, str, bool]]:
    """(what, found, expected, whether it agrees) for every infoset.

    The equilibria form a family: the first player bets the jack with alpha, anything from 0 to 1/3,
    the king with 3 alpha, never the queen, and calls with the queen with alpha + 1/3.
    """
    alpha = float(strategy["J:"][_BET])
    rows: list[tuple[str, float, str, float | tuple[float, float]]] = [
        ("P0 J bet", strategy["J:"][_BET], "alpha, 0 to 1/3", (0.0, 1 / 3)),
        ("P0 Q bet", strategy["Q:"][_BET], "0", 0.0),
        ("P0 K bet", strategy["K:"][_BET], f"3 alpha = {3 * alpha:.3f}", 3 * alpha),
        ("P0 J call", strategy["J:cr"][_CALL], "0", 0.0),
        ("P0 Q call", strategy["Q:cr"][_CALL], f"alpha + 1/3 = {alpha + 1 / 3:.3f}", alpha + 1 / 3),
        ("P0 K call", strategy["K:cr"][_CALL], "1", 1.0),
        ("P1 J bet after a check", strategy["J:c"][_BET], "1/3", 1 / 3),
        ("P1 Q bet after a check", strategy["Q:c"][_BET], "0", 0.0),
        ("P1 K bet after a check", strategy["K:c"][_BET], "1", 1.0),
        ("P1 J call", strategy["J:r"][_CALL], "0", 0.0),
        ("P1 Q call", strategy["Q:r"][_CALL], "1/3", 1 / 3),
        ("P1 K call", strategy["K:r"][_CALL], "1", 1.0),
    ]
    return [(what, float(p), text, _agrees(float(p), expected)) for what, p, text, expected in rows]


def is_kuhn(game: str, strategy: Mapping[str, NDArray[np.float64]]) -> bool:
    """Whether this is Kuhn poker for two, whose theory is known."""
    widths = {len(row) for row in strategy.values()}
    return game == "kuhn" and len(strategy) == 12 and widths == {3}


def _agrees(found: float, expected: float | tuple[float, float]) -> bool:
    low, high = expected if isinstance(expected, tuple) else (expected, expected)
    return low - _TOLERANCE <= found <= high + _TOLERANCE


def kuhn_table(strategy: Mapping[str, NDArray[np.float64]]) -> Table:
    rows = (
        (what, f"{found:.3f}", expected, "yes" if agrees else "no")
        for what, found, expected, agrees in kuhn_checks(strategy)
    )
    return rows_table(["infoset", "probability", "theory", "agrees"], rows)

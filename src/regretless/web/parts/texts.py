# SPDX-License-Identifier: MIT
"""Numbers as texts."""

import math

from regretless.games import amounts


def share_text(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.1%}"


def number_text(value: float | None) -> str:
    return "–" if value is None else amounts.number_text(value)


def figure_text(value: float | None) -> str:
    """Small figures keep their digits."""
    return "–" if value is None else f"{value:,.4g}"


def seconds_text(value: float) -> str:
    return f"{value:,.1f}" if value >= 10 else f"{value:.2g}"

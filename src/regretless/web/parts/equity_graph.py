# SPDX-License-Identifier: MIT
"""The equity graph as a picture: both ranges from their weakest hand to their best."""

from html import escape

from regretless.explorer.node_text import equity_curves
from regretless.explorer.node_view import NodeView

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 360, 200, 34, 22
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")


def equity_graph_html(node: NodeView) -> str:
    """An SVG; where equities are not known, a line that says so."""
    curves = equity_curves(node)
    if not curves:
        return '<p class="dim">Equities are not known here.</p>'
    lines = "".join(
        f'<polyline points="{_points(curve)}" fill="none" stroke="var(--seat{number % 2})" '
        f'stroke-width="2.5" stroke-dasharray="{_DASHES[number % len(_DASHES)]}"/>'
        for number, curve in enumerate(curves.values())
    )
    names = "".join(
        f'<span class="key"><svg width="26" height="8" aria-hidden="true"><line x1="0" y1="4" '
        f'x2="26" y2="4" stroke="var(--seat{number % 2})" stroke-width="3" '
        f'stroke-dasharray="{_DASHES[number % len(_DASHES)]}"/></svg> {escape(name)}</span>'
        for number, name in enumerate(curves)
    )
    told = "; ".join(
        f"{name}: weakest {curve[0]:.0%}, middle {curve[len(curve) // 2]:.0%}, best {curve[-1]:.0%}"
        for name, curve in curves.items()
    )
    return (
        f'<figure class="equities"><figcaption><b>equity</b> by share of the range {names}'
        f'</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Equity graph. {escape(told)}">{_axes()}{lines}</svg></figure>'
    )


def _points(curve: list[float]) -> str:
    last = max(len(curve) - 1, 1)
    return " ".join(f"{_x(i / last):.1f},{_y(equity):.1f}" for i, equity in enumerate(curve))


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - 4)


def _y(equity: float) -> float:
    return 6 + (1 - equity) * (_HEIGHT - _BOTTOM - 6)


def _axes() -> str:
    rows = "".join(
        f'<line x1="{_LEFT}" x2="{_WIDTH - 4}" y1="{_y(each):.1f}" y2="{_y(each):.1f}" '
        f'stroke="var(--line)"/><text x="{_LEFT - 5}" y="{_y(each) + 4:.1f}" '
        f'text-anchor="end">{each:.0%}</text>'
        for each in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    columns = "".join(
        f'<text x="{_x(each):.1f}" y="{_HEIGHT - 6}" text-anchor="'
        f'{"start" if each == 0 else "end" if each == 1 else "middle"}">{each:.0%}</text>'
        for each in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    return rows + columns

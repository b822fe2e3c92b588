# SPDX-License-Identifier: MIT
"""The equity graph as a picture: both ranges from their weakest hand to their best."""

from html import escape

from regretless.explorer.equity_graph import equity_curves
from regretless.explorer.node_view import NodeView
from regretless.web.parts.html import dim, tag

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 360, 200, 34, 22
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")
_MARKS = {0.0: "start", 0.25: "middle", 0.5: "middle", 0.75: "middle", 1.0: "end"}


def equity_graph_html(node: NodeView) -> str:
    """An SVG; where equities are not known, a line that says so."""
    curves = equity_curves(node)
    if not curves:
        return dim("Equities are not known here.")
    lines, names, told = "", "", []
    for number, (name, curve) in enumerate(curves.items()):
        dashes = _DASHES[number % len(_DASHES)]
        look = {"stroke": f"var(--seat{number % 2})", "stroke_dasharray": dashes}
        lines += tag("polyline", points=_points(curve), fill="none", stroke_width=2.5, **look)
        sample = tag("line", x1=0, y1=4, x2=26, y2=4, stroke_width=3, **look)
        names += " " + tag(
            "span",
            tag("svg", sample, width=26, height=8, aria_hidden="true") + f" {escape(name)}",
            class_="key",
        )
        middle = curve[len(curve) // 2]
        told.append(f"{name}: weakest {curve[0]:.0%}, middle {middle:.0%}, best {curve[-1]:.0%}")
    caption = tag("figcaption", f"<b>equity</b> by share of the range{names}")
    picture = tag(
        "svg",
        _axes() + lines,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=f"Equity graph. {'; '.join(told)}",
    )
    return tag("figure", caption + picture, class_="equities")


def _points(curve: list[float]) -> str:
    last = max(len(curve) - 1, 1)
    return " ".join(f"{_x(i / last):.1f},{_y(equity):.1f}" for i, equity in enumerate(curve))


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - 4)


def _y(equity: float) -> float:
    return 6 + (1 - equity) * (_HEIGHT - _BOTTOM - 6)


def _axes() -> str:
    """Level lines with their equities, and shares of the range below."""
    drawn = ""
    for each, anchor in _MARKS.items():
        x, y = f"{_x(each):.1f}", f"{_y(each):.1f}"
        drawn += tag("line", x1=_LEFT, x2=_WIDTH - 4, y1=y, y2=y, stroke="var(--line)")
        level = {"x": _LEFT - 5, "y": f"{_y(each) + 4:.1f}", "text_anchor": "end"}
        drawn += tag("text", f"{each:.0%}", **level)
        drawn += tag("text", f"{each:.0%}", x=x, y=_HEIGHT - 6, text_anchor=anchor)
    return drawn

# SPDX-License-Identifier: MIT
"""Curves of several runs in one picture, as PNG and as SVG; needs matplotlib."""

import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regretless.errors import needing
from regretless.pictures.colours import LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("-", "--", ":", "-.")  # one for each round through the colours
BANDS = ("range", "95%")
"""Kinds of bands: from the least to the most, or the 95 % interval of the mean (Student's t)."""


@dataclass(frozen=True)
class Curve:
    """A measure of one run along one axis."""

    name: str
    places: Sequence[float]
    values: Sequence[float]
    band: tuple[Sequence[float], Sequence[float]] | None = None
    """The ends of a band about each value, low and high: an interval, or the least and the most of
    several runs; None: the values are exact."""


def mean_curve(name: str, curves: Sequence[Curve], band: str = BANDS[0]) -> Curve:
    """Returns the mean of the curves, point by point, up to the end of the shortest one.

    The n-th points of all curves belong together; where their places differ, as seconds do, the
    place is the mean of theirs.
    """
    count = min(len(curve.places) for curve in curves)
    places = [_mean([curve.places[n] for curve in curves]) for n in range(count)]
    columns = [[curve.values[n] for curve in curves] for n in range(count)]
    ends = [band_ends(column, band) for column in columns]
    low, high = ([each[side] for each in ends] for side in range(2))
    return Curve(name, places, [_mean(each) for each in columns], (low, high))


def band_ends(values: Sequence[float], band: str = BANDS[0]) -> tuple[float, float]:
    """Returns the ends of the band at one point of several curves."""
    if band == BANDS[0]:
        return min(values), max(values)
    mean, count = _mean(values), len(values)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    from scipy.special import stdtrit  # not at the start of every command

    half_width = float(stdtrit(count - 1, 0.975)) * math.sqrt(variance / count)
    return mean - half_width, mean + half_width


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


@dataclass(frozen=True)
class Panel:
    """Curves that share an axis."""

    axis: str
    curves: Sequence[Curve]


def draw(
    panels: Sequence[Panel], measure: str, references: Mapping[str, float] | None = None
) -> "Figure":
    """Draws the panels side by side, logarithmic where all figures are positive.

    `references` are figures by name, drawn as level lines.
    """
    references = references or {}
    with needing("a picture", "matplotlib"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(1 + 4.6 * len(panels), 4.4), layout="constrained")
    all_axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for number, (axes, panel) in enumerate(zip(all_axes, panels, strict=True)):
        _draw_panel(axes, panel, references)
        if number == 0:
            axes.set_ylabel(measure, parse_math=False)
    names = [curve.name for curve in panels[0].curves] + list(references)
    legend = figure.legend(
        all_axes[0].get_lines(),
        names,
        loc="outside lower center",
        ncols=min(len(names), 2 * len(panels)),
        frameon=False,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


def to_png(figure: "Figure") -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=130, metadata={"Software": None})
    return out.getvalue()


def to_svg(figure: "Figure") -> str:
    """Returns a `<svg>` element; equal curves give equal bytes."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "regretless", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return re.sub(r"\s+(width|height)=\"[0-9.]+pt\"", "", text[text.index("<svg") :], count=2)


def _draw_panel(axes: "Axes", panel: Panel, references: Mapping[str, float]) -> None:
    for number, curve in enumerate(panel.curves):
        color = LINES[number % len(LINES)]
        if curve.band is not None and len(curve.places) == 1:
            axes.vlines(curve.places, *curve.band, color=color, alpha=0.4, linewidth=4)
        elif curve.band is not None:
            axes.fill_between(curve.places, *curve.band, color=color, alpha=0.18, linewidth=0)
        axes.plot(
            curve.places,
            curve.values,
            color=color,
            linestyle=_DASHES[number // len(LINES) % len(_DASHES)],
            linewidth=1.6,
            marker="o" if len(curve.places) == 1 else None,
        )
    for number, value in enumerate(references.values()):
        axes.axhline(value, color="#666666", linestyle=_DASHES[::-1][number % 4], linewidth=1.0)
    if _all_positive(curve.places for curve in panel.curves):
        axes.set_xscale("log")
        first, last = axes.get_xlim()
        axes.xaxis.set_minor_formatter(_label_minor if last < 100 * first else "")
    lowest = [curve.values if curve.band is None else curve.band[0] for curve in panel.curves]
    if _all_positive([*lowest, list(references.values())]):
        axes.set_yscale("log")
    axes.set_xlabel(panel.axis)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _label_minor(value: float, _: float) -> str:
    """Labels twice and five times a power of ten only: all labels would overlap."""
    power = math.floor(math.log10(value) + 1e-9)
    digit = round(value / 10**power)
    return rf"$\mathdefault{{{digit} \times 10^{{{power}}}}}$" if digit in (2, 5) else ""


def _all_positive(columns: Iterable[Sequence[float]]) -> bool:
    numbers = [number for column in columns for number in column]
    return bool(numbers) and min(numbers) > 0

# SPDX-License-Identifier: MIT
"""Time per iteration of CFR+ against the size of the problem, as a picture and as a table.

    python scripts/draw_cost.py              # needs the extra `plot`

writes docs/images/cfr_cost.png and the fitted slopes into docs/algorithms/cfr.md. One thread.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import numpy as np
from markdown_block import replace_block
from matplotlib import pyplot
from matplotlib.axes import Axes

from regretless import _native
from regretless.games import load_game
from regretless.games.spots import make_spot
from regretless.notation.cards import FULL_DECK
from regretless.notation.ranges import all_hands
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig

DOCS = Path(__file__).parent.parent / "docs"
DICE = ("liars-dice-1x4f", "liars-dice-1x5f", "liars-dice-1x6f", "liars-dice-2x3f")
MENUS = {
    "one size": {"all": "100%", "max_raises": 2},
    "two sizes": {"all": {"open": "50%,100%", "raise": "2.5x"}},
    "five sizes": {"all": {"open": "25%,50%,100%,150%,a", "raise": "2.5x,4x,a"}},
}
RIVER, TURN, FLOP = "Td9d6hQc2s", "Td9d6hQc", "Td9d6h"
RIVER_HANDS = (10, 30, 100, 250, 1_081)
TURN_HANDS = (10, 50, 250, 1_000)
FLOP_HANDS = (10, 50, 250)
GROWTH = "250 hands, one size"  # on all three streets
STYLES = {  # marker and color of each kind
    "Kuhn, Leduc": ("D", "#555555"),
    "Liar's Dice": ("s", "#009e73"),
    "hold'em river": ("o", "#0072b2"),
    "hold'em turn": ("^", "#d55e00"),
    "hold'em flop": ("v", "#cc79a7"),
}
SHORTEST = 0.2  # seconds of one measure
REPEATS = 3


@dataclass(frozen=True)
class Point:
    """One problem: its size and what an iteration takes."""

    kind: str
    name: str
    nodes: int  # public
    size: float  # nodes x hands of a player
    seconds: float
    bytes: int


def problems() -> Iterator[tuple[str, str, CFR]]:
    for game in ("kuhn", "leduc", *DICE):
        kind = "Liar's Dice" if game in DICE else "Kuhn, Leduc"
        yield kind, game, CFR(load_game(game))
    for menu in MENUS:
        for count in RIVER_HANDS:
            yield "hold'em river", f"{count} hands, {menu}", spot(RIVER, count, menu)
        for count in TURN_HANDS:
            if menu != "five sizes" or count < TURN_HANDS[-1]:
                yield "hold'em turn", f"{count} hands, {menu}", spot(TURN, count, menu)
        for count in FLOP_HANDS:
            if menu == "one size" or (menu == "two sizes" and count < FLOP_HANDS[-1]):
                yield "hold'em flop", f"{count} hands, {menu}", spot(FLOP, count, menu)


def spot(board: str, count: int, menu: str) -> CFR:
    """A spot of so many random hands for each player, 200 in the pot and 900 behind."""
    made = make_spot(board, 200, 900, "random", "random", MENUS[menu])
    hands = all_hands(FULL_DECK, 2)
    possible = np.flatnonzero(~np.isin(hands, made.board).any(axis=1))
    weights = np.zeros((2, len(hands)))
    for player in range(2):
        random = np.random.default_rng(player)
        weights[player, random.choice(possible, count, replace=False)] = 1
    both: Any = tuple(weights.tolist())
    return CFR(made.game, CFRConfig(weights=both))


def measure(kind: str, name: str, solver: CFR) -> Point:
    """The best of some measures, in processor time: others may be working on the machine."""
    count, best = 1, np.inf
    solver.step(1)
    while True:
        start = time.process_time()
        solver.step(count)
        elapsed = time.process_time() - start
        if elapsed > SHORTEST:
            break
        count = max(count + 1, int(count * min(10.0, 1.2 * SHORTEST / max(elapsed, 1e-6))))
    for _ in range(REPEATS):
        start = time.process_time()
        solver.step(count)
        best = min(best, (time.process_time() - start) / count)
    hands = (len(solver.problem.hands(0)) + len(solver.problem.hands(1))) / 2
    size = solver.solver.size
    return Point(kind, name, size.nodes, size.nodes * hands, best, size.bytes)


def fit(points: list[Point]) -> tuple[float, float]:
    """Slope and intercept of the decimal logarithms."""
    sizes = np.log10([point.size for point in points])
    slope, intercept = np.polyfit(sizes, np.log10([point.seconds for point in points]), 1)
    return float(slope), float(intercept)


def summary(points: list[Point]) -> str:
    spots = [point for point in points if point.kind.startswith("hold'em")]
    small = [point for point in points if point not in spots]
    decades = np.log10(max(p.size for p in points) / min(p.size for p in points))
    largest = max(points, key=lambda point: point.size)
    return (
        f"Over {decades:.1f} decades of size the fitted slope is {fit(points)[0]:.2f} "
        f"(1 is linear; hold'em spots alone {fit(spots)[0]:.2f}, small games {fit(small)[0]:.2f}). "
        f"The largest problem\n({largest.kind}, {largest.name}) takes "
        f"{1e3 * largest.seconds:.3g} ms an iteration, "
        f"{1e9 * largest.seconds / largest.size:.2g} ns for each public node and hand. "
        f"Processor level {_native.level()}.\n\n{growth(points)}"
    )


def growth(points: list[Point]) -> str:
    """A table of the same menu and as many hands on each street."""
    lines = [f"| {GROWTH} | public nodes | ms an iteration | ns for each node and hand | MiB |"]
    lines += ["|---|---|---|---|---|"]
    for point in points:
        if point.name == GROWTH:
            each = 1e9 * point.seconds / point.size
            figures = f"{1e3 * point.seconds:.3g} | {each:.2g} | {point.bytes / 2**20:.1f}"
            lines.append(f"| {point.kind} | {point.nodes:,} | {figures} |")
    return "\n".join(lines)


def draw(points: list[Point], path: Path) -> None:
    pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, panel = pyplot.subplots(figsize=(7.6, 5.2), layout="constrained")
    for kind, (marker, color) in STYLES.items():
        some = [point for point in points if point.kind == kind]
        sizes, seconds = [p.size for p in some], [p.seconds for p in some]
        panel.loglog(sizes, seconds, marker, color=color, label=kind, alpha=0.85, zorder=3)
    ends = np.array([min(p.size for p in points), max(p.size for p in points)])
    level = np.exp(np.mean([np.log(p.seconds / p.size) for p in points]))
    panel.loglog(ends, level * ends, "--", color="#999999", linewidth=1.2, label="slope 1")
    name_games(panel, points)
    panel.set_xlim(left=ends[0] / 4)
    panel.set_xlabel("public nodes x hands of a player")
    panel.set_ylabel("seconds per iteration of CFR+, one thread")
    panel.set_title(f"Fitted slope {fit(points)[0]:.2f}", loc="left", fontweight="bold")
    panel.grid(True, which="major", color="#e4e4e4", linewidth=0.7)
    panel.set_axisbelow(True)
    panel.legend(frameon=False, loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def name_games(panel: Axes, points: list[Point]) -> None:
    for point in points:
        if point.kind in ("Kuhn, Leduc", "Liar's Dice"):
            name = point.name.removeprefix("liars-dice-")
            place = {"textcoords": "offset points", "xytext": (-6, 4), "ha": "right"}
            panel.annotate(name, (point.size, point.seconds), fontsize=8, color="#444444", **place)


def main() -> None:
    points = []
    for kind, name, solver in problems():
        points.append(measure(kind, name, solver))
        print(
            f"{kind:14} {name:24} {points[-1].size:12,.0f} {points[-1].seconds:.3e} s", flush=True
        )
    text = summary(points)
    print(text)
    draw(points, DOCS / "images" / "cfr_cost.png")
    replace_block(DOCS / "algorithms" / "cfr.md", "cost", text)


if __name__ == "__main__":
    main()

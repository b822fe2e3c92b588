# SPDX-License-Identifier: MIT
"""Exploitability against iterations for the whole CFR family, as a picture and as a table.

    python scripts/draw_curves.py            # needs the extra `plot`

writes docs/images/cfr_curves.png and the table in docs/algorithms/cfr.md, which sets our figures
beside published ones and says how far rounding alone moves them.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import numpy as np
from markdown_block import replace_block
from matplotlib import pyplot

from regretless.games import load_game
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import NAMES, CFRConfig

DOCS = Path(__file__).parent.parent / "docs"
TITLES = {
    "kuhn": "Kuhn poker",
    "leduc": "Leduc hold'em",
    "liars-dice-1x4f": "Liar's Dice 1x4f",
    "liars-dice-1x6f": "Liar's Dice 1x6f",
}
COLORS = ("#555555", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00")  # safe for all eyes
POINTS = (100, 500, 1_000)
LAST = 10_000
FLOOR = 1e-14  # below it there is nothing but rounding

# After 100, 500 and 1,000 iterations; the predictive ones were computed by others, not published.
PUBLISHED = {
    ("kuhn", "cfr"): (8.2e-3, 1.2e-3, 9.4e-4),
    ("kuhn", "cfr+"): (1.2e-3, 1.7e-4, 8.7e-5),
    ("kuhn", "dcfr"): (1.7e-3, 3.9e-4, 1.5e-4),
    ("kuhn", "pcfr+"): (2.3e-5, 1.9e-7, 2.4e-8),
    ("kuhn", "pdcfr+"): (1.1e-7, 7e-12, 1e-13),
    ("leduc", "cfr"): (9.6e-2, 2.2e-2, 1.18e-2),
    ("leduc", "cfr+"): (1.34e-2, 8.9e-4, 2.57e-4),
    ("leduc", "dcfr"): (7.8e-3, 5.6e-4, 1.53e-4),
    ("leduc", "pcfr+"): (2.0e-2, 1.4e-3, 7.1e-4),
    ("leduc", "pdcfr+"): (1.8e-2, 1.8e-3, 9e-4),
    ("liars-dice-1x4f", "cfr"): (1.7e-2, 3.4e-3, 1.7e-3),
    ("liars-dice-1x4f", "cfr+"): (2.3e-3, 1.5e-4, 4.5e-5),
    ("liars-dice-1x4f", "dcfr"): (6.8e-4, 3.7e-5, 2.6e-5),
    ("liars-dice-1x4f", "pcfr+"): (1.6e-3, 1.2e-5, 1.5e-6),
    ("liars-dice-1x4f", "pdcfr+"): (7.5e-4, 1.3e-8, 2e-10),
    ("liars-dice-1x6f", "cfr+"): (4.9e-3, 5.1e-4, 1.3e-4),
    ("liars-dice-1x6f", "dcfr"): (2.2e-3, 4.5e-4, 6.6e-5),
    ("liars-dice-1x6f", "pdcfr+"): (6.7e-3, 8.9e-4, 6.8e-4),
}

# The solution does not depend on a common factor of all hands' weights, only the rounding does.
FACTORS = (1 + 1e-12, 1 - 1e-12, 1 / 3, 1 / 7, 0.7, 1.1, 3.0)
NUDGES = 4  # and runs with every weight moved on its own, by up to 1e-12


def curve(game: str, name: str, at: tuple[int, ...], **options: object) -> list[float]:
    solver = CFR(load_game(game), CFRConfig(name=name, **options))  # type: ignore[arg-type]
    found = []
    for iteration in at:
        solver.step(iteration - solver.steps_done)
        found.append(solver.exploitability())
    return found


def rounded_otherwise(game: str, name: str) -> list[list[float]]:
    """Returns one run repeated with other rounding: [runs, points]."""
    hands = load_game(game).num_hands
    weights = [np.full((2, hands), factor) for factor in FACTORS]
    for seed in range(NUDGES):
        weights.append(1 + np.random.default_rng(seed).uniform(-1e-12, 1e-12, (2, hands)))
    runs = [curve(game, name, POINTS, weights=tuple(each.tolist())) for each in weights]
    return [*runs, curve(game, name, POINTS, merge_suits=False)]


def table() -> str:
    lines = [
        "| game | member | 100 | 500 | 1,000 | ratio to published | rounding alone |",
        "|---|---|---|---|---|---|---|",
    ]
    for game in TITLES:
        for name in NAMES:
            found = curve(game, name, POINTS)
            runs = np.array([found, *rounded_otherwise(game, name)])
            published = PUBLISHED.get((game, name))
            ratios = (
                " / ".join(f"{a / b:.2f}" for a, b in zip(found, published, strict=True))
                if published
                else "-"
            )
            spread = " / ".join(f"{low:.2f}-{high:.2f}" for low, high in spreads(runs))
            figures = " | ".join(f"{each:.2e}" for each in found)
            lines.append(f"| {game} | {name} | {figures} | {ratios} | {spread} |")
    return "\n".join(lines)


def spreads(runs: np.ndarray) -> list[tuple[float, float]]:
    """At each point the least and the largest of all runs, as multiples of the first."""
    return list(zip(runs.min(axis=0) / runs[0], runs.max(axis=0) / runs[0], strict=True))


def draw(path: Path) -> None:
    at = tuple(sorted({round(x) for x in np.geomspace(1, LAST, 61)}))
    pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, panels = pyplot.subplots(2, 2, figsize=(9.5, 7.4), sharex=True, layout="constrained")
    for panel, (game, title) in zip(panels.flat, TITLES.items(), strict=True):
        for name, color in zip(NAMES, COLORS, strict=True):
            found = np.array(curve(game, name, at))
            found[found < FLOOR] = np.nan
            panel.loglog(at, found, color=color, linewidth=1.6, label=name)
            if (game, name) in PUBLISHED:
                points = PUBLISHED[game, name]
                panel.loglog(POINTS, points, "o", color=color, markerfacecolor="white", zorder=5)
        panel.set_title(title, loc="left", fontweight="bold")
        panel.grid(True, which="major", color="#e4e4e4", linewidth=0.7)
        panel.set_axisbelow(True)
    for panel in panels[1]:
        panel.set_xlabel("iterations (each updates both players)")
    panels[0, 0].set_ylabel("exploitability (antes)")
    panels[1, 0].set_ylabel("exploitability (points)")
    panels[0, 1].set_ylabel("exploitability (antes)")
    panels[1, 1].set_ylabel("exploitability (points)")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    ring = pyplot.Line2D([], [], marker="o", color="#555555", markerfacecolor="white", ls="")
    figure.legend(
        [*handles, ring],
        [*labels, "published or computed by others"],
        loc="outside upper center",
        ncols=7,
        frameon=False,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    draw(DOCS / "images" / "cfr_curves.png")
    replace_block(DOCS / "algorithms" / "cfr.md", "curves", table())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""`make demo`: solve Leduc, show the progress, and leave the strategy as a file."""

import json
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from regretless.algorithms.cfr import CFR, CFRConfig
from regretless.games import load_game
from regretless.solving import Budget, run
from regretless.solving import Progress as SolveProgress

TARGET = 1e-5
CHECKPOINTS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)


def main() -> None:
    console = Console()
    game = load_game("leduc")
    solver = CFR(game, CFRConfig(name="cfr+"))
    console.print(
        f"Leduc hold'em: {solver.num_infosets()} infosets, value -0.085606 antes for the first "
        f"player.\nSolving with CFR+ until nobody can gain more than {TARGET:g} antes."
    )
    reached: dict[float, SolveProgress] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("iteration 0", total=len(CHECKPOINTS))

        def report(progress: SolveProgress) -> None:
            for level in CHECKPOINTS:
                if progress.exploitability <= level:
                    reached.setdefault(level, progress)
            bar.update(
                task,
                completed=len(reached),
                description=f"iteration {progress.iteration:,}  "
                f"exploitability {progress.exploitability:.2e}",
            )

        outcome = run(solver, Budget(target=TARGET), report)

    table = Table("exploitability (antes)", "iterations", "seconds", box=None)
    for level, progress in reached.items():
        table.add_row(f"{level:g}", f"{progress.iteration:,}", f"{progress.seconds:.3f}")
    console.print(table)
    folder = Path("runs/demo")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "leduc_strategy.json"
    strategy = {name: row.round(6).tolist() for name, row in sorted(solver.strategy().items())}
    path.write_text(json.dumps(strategy, indent=1), encoding="utf-8")
    value = solver.values()[0]
    console.print(
        f"value {value:.6f} antes, exploitability {outcome.exploitability:.2e}, "
        f"{outcome.rate:,.0f} iterations/s"
    )
    console.print(f"the strategy is in {path}; try:  .venv/bin/regretless solve kuhn")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""What a run has kept of its way: checkpoints that are still there, each as a strategy."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from regretless.runs.run import Run
from regretless.runs.run_record import find_bundle
from regretless.seats.strategies import Strategy, checkpoint_strategy


@dataclass(frozen=True)
class KeptStep:
    """A step of a run whose strategy can be opened."""

    step: int
    seconds: float
    """Of training until then."""
    exploitability: float | None
    """Of just this strategy, in units, if it was measured."""

    @property
    def text(self) -> str:
        told = f"step {self.step:,}"
        if self.exploitability is not None:
            told += f", exploitability {self.exploitability:.3g}"
        return told


def kept_steps(path: str | Path) -> list[KeptStep]:
    """The checkpoints of a run that are whole, the first first; `checkpoint.keep` says how many."""
    run = Run.existing(path)
    return [
        KeptStep(each.step, each.seconds, each.exploitability) for each in run.records().values()
    ]


def bundle_step(path: str | Path) -> int | None:
    """The step whose strategy is in the bundle of a run, if it left one."""
    bundle = find_bundle(Path(path))
    return None if bundle is None else bundle.manifest.algorithm.iterations


def strategy_at(
    path: str | Path, step: int, note: Callable[[str], None] = lambda _: None
) -> Strategy:
    """What a run played after a step that it has kept; InputError names those that there are."""
    return checkpoint_strategy(Run.existing(path), note, step=step)

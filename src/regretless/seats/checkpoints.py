# SPDX-License-Identifier: MIT
"""The checkpoints that a run has kept, each as a strategy."""

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
    """Seconds of training until this step."""
    exploitability: float | None
    """Exploitability of this strategy (units), if it was measured."""

    @property
    def text(self) -> str:
        text = f"step {self.step:,}"
        if self.exploitability is not None:
            text += f", exploitability {self.exploitability:.3g}"
        return text


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
    """The strategy of a run after a kept step; InputError names the steps that there are."""
    return checkpoint_strategy(Run.existing(path), note, step=step)

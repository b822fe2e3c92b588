# SPDX-License-Identifier: MIT
"""The strategy that a path names: a bundle, a run with a bundle or only checkpoints, a .onnx file.

A bundle that ships with the package is found by its name alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from regretless.algorithm import ExactMeasures
from regretless.bundles.bundle_manifest import Coverage, Strength
from regretless.bundles.onnx_file import OnnxFile, names_onnx, open_onnx
from regretless.bundles.shipped import strategy_directory
from regretless.games import Game
from regretless.games.face import rules_record
from regretless.policies.policy import Policy
from regretless.recipes.config import configured_game
from regretless.runs.run import Run
from regretless.runs.run_record import find_bundle
from regretless.training.preparation import restored


@dataclass(frozen=True)
class Strategy:
    """A policy with its game, and where they come from."""

    game: Game
    policy: Policy
    algorithm: str
    """Or the name of a bot."""
    origin: str
    """Such as `bundle`, `checkpoint of step 300`, `ONNX file` or `bot`."""
    coverage: Coverage | None
    """The part of the game that a table covers; None for other policies."""
    claimed: list[Strength]
    """The strength that a bundle claims."""


def find_strategy(
    path: str | Path,
    note: Callable[[str], None] = lambda _: None,
    *,
    step: int | None = None,
    device: str | None = None,
) -> Strategy:
    """The strategy of a bundle, of a .onnx file, or of a run by its bundle or newest checkpoint.

    With a `step` it is that of a run after a kept step. InputError if there is none. `note` is
    called with a line about each damaged checkpoint. Networks of bundles and runs are put on the
    `device`; by default on the CPU, those of a checkpoint where they were trained.
    """
    if names_onnx(path):
        return onnx_strategy(open_onnx(Path(path)))
    path = strategy_directory(path) or Path(path)
    bundle = find_bundle(path) if step is None else None
    if bundle is None:
        return _checkpoint_strategy(Run.existing(path), note, step, device)
    bundle.verify()
    manifest = bundle.manifest
    return Strategy(
        bundle.game,
        bundle.policy(device=device or "cpu"),
        manifest.algorithm.name,
        "bundle",
        manifest.coverage,
        manifest.strength,
    )


def open_policy(path: str | Path) -> Policy:
    """The policy of a bundle, of a run or of a .onnx file."""
    return find_strategy(path).policy


def names_strategy(text: str | Path) -> bool:
    """Whether it is a path that `find_strategy` takes, and no name of a game or a bot."""
    return names_onnx(text) or strategy_directory(text) is not None


def onnx_strategy(file: OnnxFile, game: Game | None = None) -> Strategy:
    """The strategy of a file, for the game that it was trained on or one like it.

    What it claims was measured in its own game. InputError if it cannot play the other.
    """
    own = game is None or rules_record(game) == rules_record(file.game)
    return Strategy(
        game or file.game,
        file.policy(game),
        file.facts.algorithm.name,
        "ONNX file",
        None,
        file.facts.strength if own else [],
    )


def _checkpoint_strategy(
    run: Run, note: Callable[[str], None], step: int | None, device: str | None
) -> Strategy:
    algorithm, record = restored(run, note, step=step, device=device)
    return Strategy(
        configured_game(run.config),
        algorithm.policy(),
        run.config.algorithm.name,
        f"checkpoint of step {record.step:,}",
        Coverage(infosets=algorithm.num_infosets() if isinstance(algorithm, ExactMeasures) else 0),
        [],
    )


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


def kept_steps(path: str | Path) -> tuple[KeptStep, ...]:
    """The checkpoints of a run that are whole, the first first, without the one of its bundle.

    `checkpoint.keep` says how many there are.
    """
    bundle = find_bundle(Path(path))
    newest = None if bundle is None else bundle.manifest.algorithm.iterations
    kept = [each for each in Run.existing(path).records().values() if each.step != newest]
    return tuple(KeptStep(each.step, each.seconds, each.exploitability) for each in kept)

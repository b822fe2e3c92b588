# SPDX-License-Identifier: MIT
"""The strategy that a directory holds: a bundle, or a run with a bundle or only checkpoints.

A bundle that ships with the package is found by its name alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from regretless.algorithm import ExactMeasures
from regretless.games import Game, load_game
from regretless.policy import Policy
from regretless.storage.bundle_manifest import Coverage, Strength
from regretless.storage.run import Run
from regretless.storage.run_record import find_bundle
from regretless.storage.shipped import strategy_directory
from regretless.training import restored


@dataclass(frozen=True)
class Strategy:
    """A policy with its game, and where they come from."""

    game: Game
    policy: Policy
    algorithm: str
    """Or the name of a bot."""
    origin: str
    """Such as `bundle`, `checkpoint of step 300` or `bot`."""
    coverage: Coverage | None
    """How much of the game a table has; None: it is no table."""
    claimed: list[Strength]
    """What a bundle says of itself."""


def find_strategy(path: str | Path, note: Callable[[str], None] = lambda _: None) -> Strategy:
    """The strategy of a bundle, or of a run by its bundle or else its newest good checkpoint.

    InputError if there is none. `note` is called with a line about each damaged checkpoint.
    """
    path = strategy_directory(path) or Path(path)
    bundle = find_bundle(path)
    if bundle is None:
        return _checkpoint_strategy(Run.existing(path), note)
    bundle.verify()
    manifest = bundle.manifest
    return Strategy(
        bundle.game,
        bundle.policy(),
        manifest.algorithm.name,
        "bundle",
        manifest.coverage,
        manifest.strength,
    )


def open_policy(path: str | Path) -> Policy:
    """The policy of a bundle or of a run."""
    return find_strategy(path).policy


def _checkpoint_strategy(run: Run, note: Callable[[str], None]) -> Strategy:
    algorithm, record = restored(run, tell=note)
    return Strategy(
        load_game(run.config.game.name, **run.config.game.options),
        algorithm.policy(),
        run.config.algorithm.name,
        f"checkpoint of step {record.step:,}",
        Coverage(infosets=algorithm.num_infosets() if isinstance(algorithm, ExactMeasures) else 0),
        [],
    )

# SPDX-License-Identifier: MIT
"""The strategy that a directory holds: a bundle, or a run with a bundle or only checkpoints."""

import sys
from dataclasses import dataclass
from pathlib import Path

from regretless.games import Game, load_game
from regretless.policy import Policy
from regretless.storage.bundle_manifest import Coverage, Strength
from regretless.storage.run import Run
from regretless.storage.run_record import find_bundle
from regretless.train import restored


@dataclass(frozen=True)
class Strategy:
    """A policy with its game, and where they come from."""

    game: Game
    policy: Policy
    algorithm: str
    origin: str
    """Such as `bundle`, or `checkpoint of step 300`."""
    coverage: Coverage | None
    """None: networks, which answer everywhere."""
    claimed: list[Strength]
    """What a bundle says of itself."""


def find_strategy(path: Path) -> Strategy:
    """Of the bundle if there is one, else of the newest good checkpoint; InputError if neither."""
    bundle = find_bundle(path)
    if bundle is None:
        return _of_checkpoint(Run.existing(path))
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


def _of_checkpoint(run: Run) -> Strategy:
    algorithm, record = restored(run, tell=lambda text: print(f"note: {text}", file=sys.stderr))
    return Strategy(
        load_game(run.config.game.name, **run.config.game.options),
        algorithm.policy(),
        run.config.algorithm.name,
        f"checkpoint of step {record.iteration:,}",
        Coverage(infosets=algorithm.num_infosets()),
        [],
    )

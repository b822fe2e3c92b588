# SPDX-License-Identifier: MIT
"""`train`: a run from a config file to its end."""

from collections.abc import Callable
from pathlib import Path

from regretless.config import RunConfig, read_config, with_own_code
from regretless.errors import InputError
from regretless.storage.run import Run
from regretless.training import Progress
from regretless.training import train as train_run
from regretless.watch import UNWATCHED, Watch


def train(
    config: str | Path | RunConfig,
    *overrides: str,
    report: Callable[[Progress], None] = lambda _: None,
    note: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
) -> Run:
    """Train as a config says, `train("configs/kuhn_cfr.yaml", "budget.seconds=5")`, to its end.

    The run that is returned has the `path` that `evaluate`, `match` and `open_policy` take.
    `report` hears how far it is, `note` what a user should know. `watch` may stop it: then it is
    saved, and `regretless resume` goes on.
    """
    if isinstance(config, RunConfig):
        if overrides:
            raise InputError(f"{overrides[0]}: overrides are for a config file")
        config = with_own_code(config, Path.cwd())
        names = (Path(each.name).stem for each in (config.game, config.algorithm))
        run = Run.new(config, "_".join(names))
    else:
        run = Run.new(read_config(config, overrides), Path(config).stem)
    train_run(run, report=report, tell=note, watch=watch)
    return run

# SPDX-License-Identifier: MIT
"""`train`: a run from a config file to its end; `forecast_run`: the memory and disk it needs."""

from collections.abc import Callable
from pathlib import Path

from regretless.errors import InputError
from regretless.pictures.progress_bar import ProgressBar
from regretless.recipes.config import RunConfig, read_config, with_custom_code
from regretless.recipes.names import config_file
from regretless.runs.run import Run, claimed_run
from regretless.training.forecast import Forecast
from regretless.training.loop import Progress
from regretless.training.loop import train as train_run
from regretless.training.preparation import run_forecast
from regretless.training.progress_line import progress_line, progress_share
from regretless.watch import UNWATCHED, Watch


def train(
    config: str | Path | RunConfig,
    *overrides: str,
    report: Callable[[Progress], None] = lambda _: None,
    note: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
    progress: bool | None = None,
) -> Run:
    """Trains a config to its end: `train("configs/kuhn_cfr.yaml", "budget.seconds=5")`.

    A recipe that ships goes by its name: `train("kuhn_cfr")`. The run that is returned has the
    `path` that `evaluate`, `match` and `open_policy` take.
    `report` receives the progress, `note` lines for the user. `watch` may stop the run, which is
    then saved; `regretless resume` continues it. `progress` shows a bar, by default in a notebook.
    """
    with claimed_run(*_read(config, overrides)) as run, ProgressBar(progress) as bar:
        budget = run.config.budget

        def show(at: Progress) -> None:
            report(at)
            bar.say(progress_line(at, budget), progress_share(at, budget))

        train_run(run, report=show, tell=note, watch=bar.watch(watch))
    return run


def forecast_run(
    config: str | Path | RunConfig, *overrides: str, note: Callable[[str], None] = lambda _: None
) -> Forecast:
    """Returns the memory and disk that `train` would need, and what is free; nothing is begun."""
    return run_forecast(Run.new(*_read(config, overrides)), tell=note)


def _read(config: str | Path | RunConfig, overrides: tuple[str, ...]) -> tuple[RunConfig, str]:
    """Returns the config of a new run and the stem of its name."""
    if isinstance(config, RunConfig):
        if overrides:
            raise InputError(f"{overrides[0]}: overrides are for a config file")
        config = with_custom_code(config, Path.cwd())
        names = (Path(each.name).stem for each in (config.game, config.algorithm))
        return config, "_".join(names)
    file = config_file(config)
    return read_config(file, overrides), file.stem

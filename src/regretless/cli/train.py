# SPDX-License-Identifier: MIT
"""`regretless train`: begin a run from a config file."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.output import JsonFlag
from regretless.cli.session import train_and_show
from regretless.config import read_config
from regretless.storage.run import Run

Overrides = Annotated[
    list[str] | None, typer.Argument(help="Such as algorithm.name=dcfr budget.steps=500.")
]


def train(
    config: Annotated[Path, typer.Argument(help="A YAML file, such as those in configs/.")],
    overrides: Overrides = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="A run to begin with: its networks, as start_from=RUN."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Train as a config file says; the run's directory holds metrics and checkpoints."""
    begin = [] if from_ is None else [f"start_from={from_}"]
    run = Run.new(read_config(config, [*(overrides or ()), *begin]), config.stem)
    train_and_show(run, json)

# SPDX-License-Identifier: MIT
"""`regretless train` begins a run from a config file, `regretless resume` goes on with one."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.output import JsonFlag, print_json, print_line, print_note
from regretless.cli.progress import Telling
from regretless.cli.session import train_and_show
from regretless.recipes.config import read_config
from regretless.recipes.names import config_file
from regretless.runs.run import Run, claimed_run
from regretless.training.preparation import run_forecast

Overrides = Annotated[
    list[str] | None,
    typer.Argument(help="Overrides, such as algorithm.name=dcfr budget.steps=500."),
]


def train(
    config: Annotated[
        Path,
        typer.Argument(help="A YAML file, or the name of a shipped recipe, such as leduc_cfr."),
    ],
    overrides: Overrides = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="A run whose networks to start from (start_from=RUN)."),
    ] = None,
    forecast: Annotated[
        bool,
        typer.Option(
            "--forecast",
            help="Print the memory, disk and time that a run takes, and do not start it.",
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Train by a config file; the directory of the run holds metrics and checkpoints."""
    begin = [] if from_ is None else [f"start_from={from_}"]
    file = config_file(config)
    read = read_config(file, [*(overrides or ()), *begin])
    if not forecast:
        with claimed_run(read, file.stem) as run:
            train_and_show(run, json)
        return
    notes: list[str] = []
    with Telling("estimating memory and disk", for_programs=json):
        found = run_forecast(Run.new(read, file.stem), tell=notes.append if json else print_note)
    print_json({**found.to_json(), "notes": notes}) if json else print_line(str(found))


def resume(
    run: Annotated[Path, typer.Argument(help="The directory of the run.")],
    overrides: Overrides = None,
    json: JsonFlag = False,
) -> None:
    """Resume a run from its newest good checkpoint."""
    train_and_show(Run.existing(run, tuple(overrides or ())), json)

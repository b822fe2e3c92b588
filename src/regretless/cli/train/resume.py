# SPDX-License-Identifier: MIT
"""`regretless resume`: go on with a run that was stopped, killed or given a larger budget."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.output import JsonFlag
from regretless.cli.session import train_and_show
from regretless.cli.train.train import Overrides
from regretless.runs.run import Run


def resume(
    run: Annotated[Path, typer.Argument(help="The directory of the run.")],
    overrides: Overrides = None,
    json: JsonFlag = False,
) -> None:
    """Resume a run from its newest good checkpoint."""
    train_and_show(Run.existing(run, tuple(overrides or ())), json)

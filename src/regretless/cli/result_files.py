# SPDX-License-Identifier: MIT
"""Tables of commands as files: `--csv` and `--latex`."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.pictures.result_table import ResultTable
from regretless.storage.files import told_on_failure, write_file

LatexFile = Annotated[
    Path | None, typer.Option("--latex", help="Write the rows to this file as a LaTeX tabular.")
]


def write_tables(table: ResultTable, csv: Path | None, latex: Path | None) -> None:
    """Writes the table to the files that are given."""
    for path, text in ((csv, table.to_csv), (latex, table.to_latex)):
        if path is not None:
            with told_on_failure(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_file(path, text())

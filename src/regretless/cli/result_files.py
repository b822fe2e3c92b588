# SPDX-License-Identifier: MIT
"""Tables of commands as files: `--csv` and `--latex`."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.pictures.result_table import ResultTable
from regretless.storage.files import require_file_place, told_on_failure, write_file

LatexFile = Annotated[
    Path | None, typer.Option("--latex", help="Write the rows to this file as a LaTeX tabular.")
]


def require_places(*paths: Path | None) -> None:
    """InputError if one of the files cannot be written: before the work, not after it."""
    for path in paths:
        if path is not None:
            require_file_place(path)


def write_tables(table: ResultTable, csv: Path | None, latex: Path | None) -> None:
    """Writes the table to the files that are given."""
    for path, text in ((csv, table.to_csv), (latex, table.to_latex)):
        if path is not None:
            with told_on_failure(path):
                write_file(path, text())

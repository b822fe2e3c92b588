# SPDX-License-Identifier: MIT
"""The command line in this process, as a person types it."""

import contextlib
import io
import re
import sys
from unittest import mock

from regretless.cli import main


def without_progress(errors: str) -> str:
    """Returns what a program wrote to stderr, less lines of progress: a busy machine shows some."""
    return re.sub(r"^.+   \d+ s\n", "", errors, flags=re.MULTILINE)


def command(*arguments: str, typed: str = "", status: int = 0) -> str:
    """Returns the output of a command, errors included; the command must end with this status."""
    said = io.StringIO()
    with (
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
    ):
        try:
            main(list(arguments))
        except SystemExit as end:
            assert end.code == status, f"{' '.join(arguments)}: {said.getvalue()}"
    return said.getvalue()

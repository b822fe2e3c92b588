# SPDX-License-Identifier: MIT
"""`regretless bench`: our speed beside other projects', measured in the same run.

The measures are in `benchmarks/` of a source checkout, not in the package.
"""

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import JsonFlag
from regretless.errors import InputError

Name = Annotated[str | None, typer.Argument(help="One measure (docs/benchmarks.md); default all.")]
Signature = Annotated[
    bool, typer.Option("--signature", help="Print hashes of results instead of speed.")
]
Quick = Annotated[bool, typer.Option("--quick", help="One short round, for a rough figure.")]


def bench(
    name: Name = None, json: JsonFlag = False, quick: Quick = False, signature: Signature = False
) -> None:
    """Measure speed on one core, beside the peers that `make bench` installs."""
    report = _report()
    if signature:
        report.print_signature(json)
    else:
        report.print_speed(name, json=json, quick=quick)


def _report() -> Any:
    checkout = Path(__file__).resolve().parents[4]
    if not (checkout / "benchmarks" / "report.py").is_file():
        raise InputError("bench: needs a source checkout: the package has no benchmarks")
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    return importlib.import_module("benchmarks.report")

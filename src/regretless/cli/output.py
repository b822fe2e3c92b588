# SPDX-License-Identifier: MIT
"""What every command shares about its output: `--json` prints one JSON object and nothing else."""

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

console = Console()


def print_json(result: dict[str, Any]) -> None:
    json.dump(result, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")

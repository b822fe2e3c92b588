# SPDX-License-Identifier: MIT
"""`regretless export`: the networks of a run or of a bundle as an ONNX file."""

from pathlib import Path
from typing import Annotated

import typer

from regretless.cli.output import JsonFlag, print_json, print_line, print_note
from regretless.training.onnx_export import MOST_DIFFERENCE, Export, export_onnx


def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RUN_OR_BUNDLE",
            help="The directory of a run or of a bundle, or a name of `bundle list`.",
        ),
    ],
    onnx: Annotated[Path, typer.Option(help="The file to write, such as model.onnx.")],
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Compare with PyTorch at decisions of real play, and write nothing if they "
            f"differ by more than {MOST_DIFFERENCE:g}.",
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Write a network, or one per seat, as an ONNX file."""
    made = export_onnx(source, onnx, verify=verify, note=print_note)
    print_json(made.to_json()) if json else _show(made)


def _show(made: Export) -> None:
    facts, size = made.file.facts, len(made.file.model)
    seats = "" if facts.seats is None else f", a network for each of {facts.seats} seats"
    print_line(
        f"{made.path}: {facts.algorithm.name} on {facts.game.name}, {size:,} bytes{seats}, "
        f"{facts.encoder.features} features of {facts.encoder.name} to {len(facts.slots)} slots"
    )
    if (found := made.comparison) is not None:
        print_line(
            f"largest difference from PyTorch {found.largest:.2g} (outputs {found.outputs:.2g}, "
            f"probabilities {found.probabilities:.2g}) at {found.decisions:,} decisions"
        )

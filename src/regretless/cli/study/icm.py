# SPDX-License-Identifier: MIT
"""`regretless icm`: what the stacks of a tournament are worth in prizes."""

from typing import Annotated

import typer

from regretless.cli.output import JsonFlag, console, print_json, rows_table
from regretless.preflop.icm import icm_equities
from regretless.preflop.push_fold import parse_amounts


def icm(
    stacks: Annotated[str, typer.Argument(help="Stacks of all players: 5000,3000,2000.")],
    prizes: Annotated[str, typer.Option(help="Prizes from the first place on: 50,30,20.")],
    json: JsonFlag = False,
) -> None:
    """Show the expected prize of each stack by the Independent Chip Model (Malmuth-Harville)."""
    chips, paid = parse_amounts(stacks, "stacks"), parse_amounts(prizes, "prizes")
    equities = icm_equities(chips, paid).tolist()
    if json:
        print_json({"stacks": chips, "prizes": paid, "equities": equities})
        return
    total, pool = sum(chips), sum(equities)
    rows = [
        [f"{stack:g}", f"{stack / total:.2%}", f"{equity:.5f}", f"{equity / pool:.2%}"]
        for stack, equity in zip(chips, equities, strict=True)
    ]
    console.print(rows_table(["stack", "of the chips", "expected prize", "of the prizes"], rows))

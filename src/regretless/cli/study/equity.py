# SPDX-License-Identifier: MIT
"""`regretless equity`: what hands and ranges are worth against each other."""

from typing import Annotated

import typer
from rich.table import Table

from regretless.cli.output import JsonFlag, console, print_json
from regretless.cli.progress import Telling
from regretless.equities import DEFAULT_SAMPLES, RULES, Equity
from regretless.equities import equity as find_equity
from regretless.errors import InputError
from regretless.notation.cards import format_cards
from regretless.seats.descriptions import equity_json


def equity(
    hands: Annotated[
        list[str],
        typer.Argument(
            metavar="HANDS...", help="A hand or range per player, 2 to 9: JsTs 2h2d, 'TT+,AKs:0.5'."
        ),
    ],
    board: Annotated[str, typer.Option(help="Board cards, up to five.")] = "",
    dead: Annotated[str, typer.Option(help="Dead cards.")] = "",
    rule: Annotated[str, typer.Option(help=f"One of {', '.join(RULES)}.")] = "holdem",
    samples: Annotated[
        int | None,
        typer.Option(
            help="Sample this many deals instead of counting all; "
            f"without it, {DEFAULT_SAMPLES} where counting would take long.",
            show_default=False,
        ),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Count all deals, however long it takes.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of sampled deals.")] = 0,
    threads: Annotated[int, typer.Option(help="Number of threads; 0 uses all processors.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Show the share of the pot that each hand or range wins on average."""
    if exact and samples is not None:
        raise InputError("--exact counts all deals: it does not go with --samples")
    with Telling(for_programs=as_json, forecasts=True) as telling:
        telling.tell("dealing", 0.0)
        result = find_equity(
            hands,
            board,
            dead,
            rule=rule,
            method="exact" if exact else "monte-carlo" if samples is not None else "auto",
            samples=DEFAULT_SAMPLES if samples is None else samples,
            seed=seed,
            threads=threads,
            progress=lambda done: telling.tell("dealing", done),
        )
    if as_json:
        print_json(equity_json(hands, result, rule))
    else:
        _show(hands, result, rule)


def _show(hands: list[str], result: Equity, rule: str) -> None:
    sampled = result.method == "monte-carlo"
    title = f"{rule}, board {format_cards(result.board, RULES[rule].deck) or 'empty'}"
    how = f"Monte Carlo, {result.samples:,} deals" if sampled else "exact"
    table = Table(title=title, caption=how)
    table.add_column("hands", overflow="fold")
    for name in ("combos", "weight", "equity", "win", "tie"):
        table.add_column(name, justify="right")
    if sampled:
        table.add_column("± error", justify="right")
    for i, hand in enumerate(hands):
        shares = [result.equities[i], result.wins[i], result.ties[i]]
        cells = [hand, f"{result.combos[i]:,}", f"{round(result.weights[i], 4):,}"]
        cells += [f"{share:.4%}" for share in shares]
        table.add_row(*cells, *([f"{result.standard_errors[i]:.4%}"] if sampled else []))
    console.print(table)

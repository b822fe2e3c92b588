# SPDX-License-Identifier: MIT
"""The options of a spot, for every command that solves one."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.solving.spot_options import SpotOptions

_StreetBets = Annotated[str | None, typer.Option(help="Bet sizes on this street.")]

_OPTIONS: dict[str, Any] = {  # a field of SpotOptions each
    "board": Annotated[str, typer.Option(help="Board of a hold'em spot, 3 to 5 cards.")],
    "pot": Annotated[int | None, typer.Option(help="Chips in the pot.")],
    "stack": Annotated[int | None, typer.Option(help="Chips behind, for each player.")],
    "range_oop": Annotated[str, typer.Option(help="Range out of position.")],
    "range_ip": Annotated[str, typer.Option(help="Range in position.")],
    "bets": Annotated[str, typer.Option(help="Bet sizes, such as 33%,75%,a.")],
    "raises": Annotated[str, typer.Option(help="Raise sizes, such as 2.5x,a.")],
    "add_all_in": Annotated[
        float, typer.Option(help="Add all-in where it is at most this many pots.")
    ],
    "force_all_in": Annotated[
        float, typer.Option(help="Bet all-in instead of leaving at most this many pots behind.")
    ],
    "merge": Annotated[float, typer.Option(help="Merge sizes closer than this share of the pot.")],
    "menu": Annotated[
        Path | None, typer.Option(help="YAML file of sizes by street and seat (see notation.md).")
    ],
    "stack_ip": Annotated[int | None, typer.Option(help="Chips behind in position, if different.")],
    "rake": Annotated[float, typer.Option(help="Rake, in percent of the pot.")],
    "rake_cap": Annotated[int | None, typer.Option(help="Most chips of rake.")],
    "bets_flop": _StreetBets,
    "bets_turn": _StreetBets,
    "bets_river": _StreetBets,
    "bets_oop": Annotated[str | None, typer.Option(help="Bet sizes out of position.")],
    "donks": Annotated[
        str | None,
        typer.Option(
            help="Bet sizes into the aggressor of the previous street, or none.",
            show_default="as --bets",
        ),
    ],
    "aggressor": Annotated[
        str, typer.Option(help="Aggressor before the board, for donk bets (oop, ip, none).")
    ],
}


def takes_spot(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command these options, except `without`, in place of its parameter `spot`."""
    told = {name: kind for name, kind in _OPTIONS.items() if name not in without}

    def take(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            spot = SpotOptions(**{name: given.pop(name) for name in told})
            command(**given, spot=spot)

        parameters: list[inspect.Parameter] = []
        for each in inspect.signature(command).parameters.values():
            if each.name != "spot":
                parameters.append(each)
                continue
            parameters += (
                each.replace(name=name, annotation=kind, default=getattr(SpotOptions, name))
                for name, kind in told.items()
            )
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return take

# SPDX-License-Identifier: MIT
"""The options that describe a spot, the same for every command that solves one."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.solving.spot_options import SpotOptions

_StreetBets = Annotated[str | None, typer.Option(help="Sizes of bets on this street alone.")]

_OPTIONS: dict[str, Any] = {  # a field of SpotOptions each
    "board": Annotated[str, typer.Option(help="Of a hold'em spot: 3, 4 or 5 cards.")],
    "pot": Annotated[int | None, typer.Option(help="Chips in the middle.")],
    "stack": Annotated[int | None, typer.Option(help="Chips behind, each.")],
    "range_oop": Annotated[str, typer.Option(help="Range of the first to speak.")],
    "range_ip": Annotated[str, typer.Option(help="Range of the other.")],
    "bets": Annotated[str, typer.Option(help="Sizes of bets, such as 33%,75%,a.")],
    "raises": Annotated[str, typer.Option(help="Sizes of raises, such as 2.5x,a.")],
    "add_all_in": Annotated[
        float, typer.Option(help="Offer all-in where it is at most so many pots.")
    ],
    "force_all_in": Annotated[
        float, typer.Option(help="All-in instead of what leaves at most so many pots behind.")
    ],
    "merge": Annotated[
        float, typer.Option(help="Drop the smaller of sizes closer than this share of the pot.")
    ],
    "menu": Annotated[
        Path | None, typer.Option(help="Sizes by street and seat, a YAML file (see notation.md).")
    ],
    "stack_ip": Annotated[
        int | None, typer.Option(help="Chips behind of the other, if not as many.")
    ],
    "rake": Annotated[float, typer.Option(help="Percent of the pot that the house takes.")],
    "rake_cap": Annotated[int | None, typer.Option(help="At most so many chips of rake.")],
    "bets_flop": _StreetBets,
    "bets_turn": _StreetBets,
    "bets_river": _StreetBets,
    "bets_oop": Annotated[str | None, typer.Option(help="Sizes of bets of the first to speak.")],
    "donks": Annotated[
        str | None,
        typer.Option(
            help="Sizes of bets into the one who bet last on the street before, or none.",
            show_default="as other bets",
        ),
    ],
    "aggressor": Annotated[
        str, typer.Option(help="With donk sizes: who bet last before the board (oop, ip, none).")
    ],
}


def takes_spot(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose parameter `spot` is told by these options, all but those named here."""
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

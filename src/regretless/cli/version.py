# SPDX-License-Identifier: MIT
"""`regretless --version`: the version, and which compilation of the native core is used."""

from typing import Annotated

import typer

import regretless
from regretless.levels import chosen_level, installed_levels, processor_levels


def _show(is_asked: bool) -> None:
    if is_asked:
        print(f"regretless {regretless.__version__}, {describe_level()}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option(
        "--version", callback=_show, is_eager=True, help="Show the version and processor level."
    ),
]


def describe_level() -> str:
    """The level that is used, and the other levels."""
    from regretless import _native  # not above: what does not fit is for main to say

    if chosen_level() == "native":
        return f"{_native.level()} (compiled for this processor)"
    there_are, best = ", ".join(reversed(installed_levels())), processor_levels()[0]
    return f"{_native.level()} (of {there_are}; the processor has {best})"

# SPDX-License-Identifier: MIT
"""The table of the parts of the campaign."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from turn import Turn


@dataclass(frozen=True)
class Part:
    """A module of this folder with a function `run(turn)`."""

    module: str
    about: str
    share: float
    """Its share of the campaign's time, relative to the other parts."""
    seconds: float
    """Seconds of one turn."""
    needs: tuple[str, ...] = ()
    """Packages or programs without which the part is skipped."""

    def load(self) -> Callable[[Turn], None]:
        run: Callable[[Turn], None] = importlib.import_module(self.module).run
        return run


PARTS = {
    "readers": Part("readers", "damaged and strange inputs for every reader", 4, 60),
    "commands": Part("commands", "random command lines", 1, 60),
}

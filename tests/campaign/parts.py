# SPDX-License-Identifier: MIT
"""The table of the parts of the campaign."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from turn import Turn


@dataclass(frozen=True)
class Part:
    """A module of this folder with a function of a turn."""

    module: str
    """Its name, and after a colon the name of the function, unless that is `run`."""
    about: str
    share: float
    """Its share of the campaign's time, relative to the other parts."""
    seconds: float
    """Seconds of one turn."""
    needs: tuple[str, ...] = ()
    """Packages, programs or built files without which the part is skipped."""

    def load(self) -> Callable[[Turn], None]:
        name, _, function = self.module.partition(":")
        run: Callable[[Turn], None] = getattr(importlib.import_module(name), function or "run")
        return run


NATIVE_FUZZ = "build/fuzz-native/native_fuzz"  # which `make fuzz-native` builds

PARTS = {
    "readers": Part("fuzzers:read_inputs", "damaged and strange inputs for every reader", 4, 60),
    "guided": Part("guided", "the readers under coverage-guided fuzzing", 3, 80, ("atheris",)),
    "native": Part("fuzzers:feed_core", "bytes for the native core", 4, 60, (NATIVE_FUZZ,)),
    "commands": Part("fuzzers:run_commands", "random command lines", 1, 60),
    "rules": Part("rules", "random hands in lockstep with pokerkit", 4, 60, ("pokerkit",)),
    "kills": Part("kills", "SIGKILL at changes of files and at any instant", 4, 60, ("c++",)),
    "faults": Part("faults", "broken disks, limits, strange surroundings", 3, 90, ("c++",)),
    "damages": Part("damages", "changed bytes in files of every sealed kind", 2, 60),
    "misuse": Part("misuse", "random calls of the native module", 4, 60),
    "server": Part("server", "nonsense for the server, and hidden cards", 3, 60, ("httpx",)),
    "crowds": Part("crowds", "many tables, bursts, and a server's day", 3, 60, ("httpx",)),
}

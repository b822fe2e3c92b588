# SPDX-License-Identifier: MIT
"""The choice of a compiled native core: a build has one or several, by processor level.

`_native.py` imports the best that the processor runs; REGRETLESS_LEVEL names another.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from regretless.errors import InputError

VARIABLE = "REGRETLESS_LEVEL"

# The module of each level, best first. `native` is compiled for the processor at hand.
MODULES = {
    "native": "_native_local",
    "x86-64-v4": "_native_x86_64_v4",
    "x86-64-v3": "_native_x86_64_v3",
    "x86-64-v2": "_native_x86_64_v2",
    "x86-64": "_native_x86_64",
    "aarch64": "_native_aarch64",
    "other": "_native_other",
}


class LevelError(InputError, ImportError):
    """No compiled core fits the processor, or the requested one does not."""


def installed_levels() -> list[str]:
    """Returns the levels of this build, best first."""
    return [level for level, name in MODULES.items() if find_spec(f"regretless.{name}")]


def processor_levels() -> list[str]:
    """Returns the levels that the processor and the system can run, best first."""
    found: list[str] = import_module("regretless._processor").levels()
    return found


def chosen_level() -> str:
    """Returns the level in use."""
    return choose(installed_levels(), processor_levels(), os.environ.get(VARIABLE))


def choose(installed: Sequence[str], runnable: Sequence[str], wanted: str | None) -> str:
    """Returns the wanted level, or else the best installed level that can be run."""
    here = ", ".join(installed)
    if not installed:
        raise LevelError("no native core is installed: pip install regretless, or make demo")
    if not wanted:
        for level in installed:
            if level == "native" or level in runnable:
                return level
        raise LevelError(f"this processor is {runnable[0]} and runs none of this build: {here}")
    if wanted not in MODULES:
        raise LevelError(f"{VARIABLE}: no level is called {wanted!r}; this build has {here}")
    if wanted not in installed:
        raise LevelError(f"{VARIABLE}: {wanted} is not in this build, which has {here}")
    if wanted != "native" and wanted not in runnable:
        best = runnable[0]
        raise LevelError(f"{VARIABLE}: this processor cannot run {wanted}; its level is {best}")
    return wanted


def load_native() -> ModuleType:
    """Imports the native core of the chosen level."""
    return import_module(f"regretless.{MODULES[chosen_level()]}")

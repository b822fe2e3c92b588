# SPDX-License-Identifier: MIT
"""Algorithms by name; importing this imports none of them."""

import difflib
import importlib
from typing import Any

from regretless.algorithm import Algorithm
from regretless.errors import InputError

ALGORITHMS = {
    "cfr": "regretless.algorithms.cfr:make",
    "cfr+": "regretless.algorithms.cfr:make",
    "linear": "regretless.algorithms.cfr:make",
    "dcfr": "regretless.algorithms.cfr:make",
    "pcfr+": "regretless.algorithms.cfr:make",
    "pdcfr+": "regretless.algorithms.cfr:make",
}


def make_algorithm(name: str, game: Any, **options: Any) -> Algorithm:
    """The algorithm of that name on a game; options it does not know are an InputError."""
    if name not in ALGORITHMS:
        near = difflib.get_close_matches(name, ALGORITHMS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(ALGORITHMS)}"
        raise InputError(f"unknown algorithm {name!r}; {hint}")
    module, function = ALGORITHMS[name].split(":")
    made: Algorithm = getattr(importlib.import_module(module), function)(name, game, **options)
    return made

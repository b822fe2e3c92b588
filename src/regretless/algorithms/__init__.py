# SPDX-License-Identifier: MIT
"""Algorithms by name; a module is imported when its algorithm is asked for."""

import difflib
from importlib import import_module
from typing import Any

from regretless.errors import InputError

# name: "module:class"
ALGORITHMS: dict[str, str] = {
    "fictitious-play": "regretless.algorithms.fictitious_play:FictitiousPlay",
}

# What the name means for a game written out in full: an ExplicitTree, or a game in Python.
EXPLICIT_ALGORITHMS: dict[str, str] = {
    "cfr": "regretless.algorithms.explicit_cfr:ExplicitCFR",
    "cfr+": "regretless.algorithms.explicit_cfr:ExplicitCFR",
    "linear": "regretless.algorithms.explicit_cfr:ExplicitCFR",
    "dcfr": "regretless.algorithms.explicit_cfr:ExplicitCFR",
    "pcfr+": "regretless.algorithms.explicit_cfr:ExplicitCFR",
    "pdcfr+": "regretless.algorithms.explicit_cfr:ExplicitCFR",
}


def algorithm_class(name: str, is_explicit: bool = False) -> Any:
    """The class of that name; `is_explicit` says that the game is written out in full."""
    table = ALGORITHMS | EXPLICIT_ALGORITHMS if is_explicit else ALGORITHMS
    if name not in table:
        close = difflib.get_close_matches(name, table, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(table)}"
        raise InputError(f"unknown algorithm {name!r}; {hint}")
    module, class_name = table[name].split(":")
    return getattr(import_module(module), class_name)

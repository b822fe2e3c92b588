# SPDX-License-Identifier: MIT
"""The one exception for bad input: its message is one line that names the place."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Something the user wrote cannot be understood; the message says what and where."""

    @classmethod
    def at(cls, text: str, start: int, end: int, problem: str) -> "InputError":
        """An error about `text[start:end]`, which the message quotes with its place."""
        return cls(f"{problem}: {text[start:end]!r} at column {start + 1} of {text!r}")

    @classmethod
    def unknown(cls, what: str, name: str, known: Iterable[str]) -> "InputError":
        """An error about a name that is none of the `known`: it suggests the nearest, or all."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=1)
        if not names:
            return cls(f"{what}; there are none")
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
        return cls(f"{what}; {hint}")


class TooLargeError(InputError):
    """What was asked for is well said, and too large to be done."""

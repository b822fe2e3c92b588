# SPDX-License-Identifier: MIT
"""The exception for bad input, whose message is one line that names the place, and its kinds."""

import difflib
import math
from collections.abc import Iterable

_MOST_NAMES = 40  # that are listed where none is near
_MOST_CHARACTERS = 2000  # of a message; the middle of a longer one is left out


class InputError(ValueError):
    """Something the user wrote cannot be understood; the message says what and where."""

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))

    @classmethod
    def at(cls, text: str, start: int, end: int, problem: str) -> "InputError":
        """An error about `text[start:end]`, which the message quotes with its place."""
        return cls(f"{problem}: {text[start:end]!r} at column {start + 1} of {text!r}")

    @classmethod
    def unknown(cls, what: str, name: str, known: Iterable[str]) -> "InputError":
        """An error about a name that is not `known`: it suggests the nearest, or all if few."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=1)
        if not names:
            return cls(f"{what}; there are none")
        if near:
            return cls(f"{what}; did you mean {near[0]!r}?")
        return cls(f"{what}; there are {', '.join(names)}" if len(names) <= _MOST_NAMES else what)


def _one_line(message: str) -> str:
    """What was quoted may be long, and may hold ends of lines and signs of no shape."""
    if len(message) > _MOST_CHARACTERS:
        half = _MOST_CHARACTERS // 2
        message = f"{message[:half]} ... {message[-half:]}"
    if message.isprintable():
        return message
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)


class TooLargeError(InputError):
    """What was asked for is possible, but not for something so large."""


class DivergedError(InputError):
    """Training came to a number that is not finite; the message says which."""

    @classmethod
    def check(cls, name: str, value: float) -> None:
        """Raise it if the figure of this name is NaN or infinite."""
        if not math.isfinite(value):
            raise cls(f"{name} is {value}")

# SPDX-License-Identifier: MIT
"""The exception for bad input, whose message is one line that names the place, and its kinds."""

import difflib
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_MOST_NAMES = 40  # that are listed where none is near
_MOST_CHARACTERS = 2000  # of a message; the middle of a longer one is left out


class InputError(ValueError):
    """Bad input of a user; the message is one line that says what is wrong and where."""

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))

    @classmethod
    def at(cls, text: str, start: int, end: int, problem: str) -> "InputError":
        """Makes an error about `text[start:end]`, which the message quotes with its place."""
        return cls(f"{problem}: {text[start:end]!r} at column {start + 1} of {text!r}")

    @classmethod
    def unknown(cls, what: str, name: str, known: Iterable[str]) -> "InputError":
        """Makes an error about an unknown name: it suggests the nearest, or all if few."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=1)
        if not names:
            return cls(f"{what}; there are none")
        if near:
            return cls(f"{what}; did you mean {near[0]!r}?")
        return cls(f"{what}; there are {', '.join(names)}" if len(names) <= _MOST_NAMES else what)


def _one_line(message: str) -> str:
    """Shortens a long message and escapes line ends and unprintable characters."""
    if len(message) > _MOST_CHARACTERS:
        half = _MOST_CHARACTERS // 2
        message = f"{message[:half]} ... {message[-half:]}"
    if message.isprintable():
        return message
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)


class TooLargeError(InputError):
    """The request is possible, but not for a game of this size."""


@contextmanager
def refusing(place: str = "", kind: type[InputError] = InputError) -> Iterator[None]:
    """Turns a ValueError, such as the core raises, into an InputError that names the place."""
    try:
        yield
    except ValueError as error:
        raise kind(f"{place}: {error}" if place else str(error)) from None


class DivergedError(InputError):
    """A figure of training is not finite; the message names it."""

    @classmethod
    def check(cls, name: str, value: float) -> None:
        """Raises the error if the figure of this name is NaN or infinite."""
        if not math.isfinite(value):
            raise cls(f"{name} is {value}")


class ClusterError(InputError):
    """The workers of a cluster cannot go on; a learner is as before the shard that it waits for."""


_EXTRAS = {
    "cupy": "cuda",
    "matplotlib": "plot",
    "onnxruntime": "onnx",
    "pyarrow": "pandas",
}  # of packages with another name


@contextmanager
def needing(what: str, *packages: str) -> Iterator[None]:
    """Turns the lack of one of these packages into an InputError that names it."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in packages:
            raise
        extras = ",".join(dict.fromkeys(_EXTRAS.get(each, each) for each in packages))
        raise InputError(f"{what} needs {name}: pip install 'regretless[{extras}]'") from None

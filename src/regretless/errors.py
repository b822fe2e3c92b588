# SPDX-License-Identifier: MIT
"""The one exception for bad input: its message is one line that names the place."""


class InputError(ValueError):
    """Something the user wrote cannot be understood; the message says what and where."""

    @classmethod
    def at(cls, text: str, start: int, end: int, problem: str) -> "InputError":
        """An error about `text[start:end]`, which the message quotes with its place."""
        return cls(f"{problem}: {text[start:end]!r} at column {start + 1} of {text!r}")

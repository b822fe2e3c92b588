# SPDX-License-Identifier: MIT
"""A piece of what the user wrote that remembers where it stood, so that errors can point at it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regretless.errors import InputError


@dataclass(frozen=True)
class Token:
    """The characters `source[start:end]`."""

    source: str
    start: int
    end: int

    @classmethod
    def whole(cls, source: str) -> "Token":
        return cls(source, 0, len(source))

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    def slice(self, start: int, end: int) -> "Token":
        """The characters from `start` to `end`, counted inside this token."""
        return Token(self.source, self.start + start, self.start + end)

    def strip(self) -> "Token":
        text = self.text
        start = len(text) - len(text.lstrip())
        return self.slice(start, max(start, len(text.rstrip())))

    def split(self, pattern: str) -> Iterator["Token"]:
        """The stripped pieces between matches of the regular expression `pattern`."""
        start = 0
        for match in re.finditer(pattern, self.text):
            yield self.slice(start, match.start()).strip()
            start = match.end()
        yield self.slice(start, self.end - self.start).strip()

    def error(self, problem: str) -> InputError:
        return InputError.at(self.source, self.start, self.end, problem)

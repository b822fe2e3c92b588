# SPDX-License-Identifier: MIT
"""How long work is watched from outside: it says how far it is, and hears that it should stop."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from regretless.errors import InputError


class Stopped(Exception):
    """Work was told to stop before its end; what it has done so far counts for nothing."""


@dataclass(frozen=True)
class Watch:
    """Given to steps and measures that may take long; they look at it about once a second."""

    should_stop: Callable[[], bool] = lambda: False
    tell: Callable[[str, float | None], None] = lambda what, share: None
    """Hears what is being done and which share of it is done, if that is known."""

    def look(self, what: str, share: float | None = None) -> None:
        """Say how far the work is; `Stopped` if it should stop."""
        self.tell(what, share)
        if self.should_stop():
            raise Stopped

    def pieces(self, count: int, most: int) -> Iterator[int]:
        """`count` in pieces of at most `most`, as long as the work should not stop."""
        if count < 0:
            raise InputError(f"count: must not be negative, not {count}")
        while count > 0 and not self.should_stop():
            piece = min(count, max(most, 1))
            yield piece
            count -= piece


UNWATCHED = Watch()

# SPDX-License-Identifier: MIT
"""How long work is watched from outside: it says how far it is, and hears that it should stop."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from regretless import _native
from regretless.errors import InputError

_PIECE_SECONDS = 0.1  # pieces grow until they take so long


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
        """`count` in pieces of at most `most`, as long as the work should not stop.

        If somebody watches, the first pieces are small, and larger ones follow if those are quick.
        """
        if count < 0:
            raise InputError(f"count: must not be negative, not {count}")
        size = most if self is UNWATCHED else 1
        while count > 0 and not self.should_stop():
            piece = min(count, max(min(size, most), 1))
            begun = time.perf_counter()
            yield piece
            count -= piece
            size = 2 * piece if time.perf_counter() - begun < _PIECE_SECONDS else piece

    @contextmanager
    def over(self, what: str) -> Iterator[None]:
        """Within, long native calls of this thread look, too; `Stopped` comes out of them."""
        if self is UNWATCHED:
            yield
            return
        self.look(what)
        before = getattr(_LISTENERS, "now", None)
        _listen(lambda: self.look(what))
        try:
            yield
        finally:
            _listen(before)

    def ending_at(self, when: float) -> "Watch":
        """The same, which also stops when `time.perf_counter()` says so."""
        return replace(self, should_stop=lambda: self.should_stop() or time.perf_counter() >= when)


_LISTENERS = threading.local()  # `now` is what the native core calls: it must stay alive


def _listen(listener: Callable[[], None] | None) -> None:
    _native.listen(listener)
    _LISTENERS.now = listener


UNWATCHED = Watch()

# SPDX-License-Identifier: MIT
"""A watch over long work: it receives the progress and may stop the work."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from regretless import _native
from regretless.errors import InputError

_PIECE_SECONDS = 0.1  # pieces double in size until one takes this long
_TRIAL_SECONDS = 0.8
_TRIAL_SHARE = 0.05  # of the work, at most


def trial_seconds(work: Callable[[int], object], count: int, first: int = 4) -> float:
    """Returns the seconds that `work(count)` will take, by trials whose results are dropped.

    Trials grow from `first`, at least once, until one takes nearly a second; they stay below a
    twentieth of the work, and a first one of 4 is all for little work. What a trial takes whatever
    its size counts once.
    """
    size = last = min(first, max(4, int(_TRIAL_SHARE * count)))
    before, begun = 0.0, time.perf_counter()
    work(4)  # which loads what is needed
    seconds = time.perf_counter() - begun
    if _TRIAL_SHARE * count < 4:
        return seconds / 4 * count
    while True:
        begun = time.perf_counter()
        work(size)
        before, seconds = seconds, time.perf_counter() - begun
        is_long = seconds >= _TRIAL_SECONDS and size > last
        if is_long or 4 * size > _TRIAL_SHARE * count:
            break
        last, size = size, 4 * size
    rate = (seconds - before) / (size - last) if size > last else seconds / size
    return seconds + max(0.0, rate) * (count - size)


class Stopped(Exception):
    """Work was stopped before its end; its partial results are discarded."""


@dataclass(frozen=True)
class Watch:
    """An argument of long steps and measures, which look at it about once a second."""

    should_stop: Callable[[], bool] = lambda: False
    tell: Callable[[str, float | None], None] = lambda what, share: None
    """Receives the name of the work and the share that is done, if that is known."""
    end: float = math.inf
    """The moment of `time.perf_counter()` at which the work will be stopped."""

    def look(self, what: str, share: float | None = None) -> None:
        """Reports the share that is done; `Stopped` if the work should stop.

        Work that was given no watch of its own is watched by the enclosing `over`, if there is one.
        """
        if self is UNWATCHED:
            if (listener := getattr(_LISTENERS, "now", None)) is not None:
                listener()
            return
        self.tell(what, share)
        if self.should_stop():
            raise Stopped

    def pieces(self, count: int, most: int) -> Iterator[int]:
        """Yields `count` in pieces of at most `most`, until the work should stop.

        Where the work is watched, the first pieces are small, and larger ones follow quick ones.
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
        """Makes long native calls of this thread look, too: they raise `Stopped`."""
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
        """Returns a watch that also stops at a moment of `time.perf_counter()`."""
        end = min(self.end, when)
        is_over = self.should_stop
        return replace(self, should_stop=lambda: is_over() or time.perf_counter() >= end, end=end)


_LISTENERS = threading.local()  # `now` is called by the native core: it must stay alive


def _listen(listener: Callable[[], None] | None) -> None:
    _native.listen(listener)
    _LISTENERS.now = listener


UNWATCHED = Watch()

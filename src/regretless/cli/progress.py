# SPDX-License-Identifier: MIT
"""Progress of long work on stderr, after two seconds and at least every five."""

import sys
import threading
import time
from collections.abc import Callable

from rich.console import Console
from rich.live import Live
from rich.text import Text

from regretless.watch import Watch

_PATIENCE = 2.0  # seconds of silence
_LEAST_PATIENCE = 0.5  # where a command has taken long before
_REFRESH = 0.125
_MOST_WAIT = 5.0  # between two lines where stderr is no terminal
_PROBE = 0.25  # seconds of work that are enough for a forecast
_PROBE_SHARE = 0.05  # of the work, unless that takes four times as long
_LONG = 10.0  # seconds of work that need a forecast
_HAND_BYTES = 2048  # of a record of a match: 1.1 KB of random play of no-limit hold'em


_started: list[float] = []  # the moment at which a command began


def start(moment: float) -> None:
    """Notes the moment at which a command began."""
    _started[:] = [moment]


def started() -> float:
    """The moment at which the command began, by `time.perf_counter`; now if none did."""
    return _started[0] if _started else time.perf_counter()


class Telling:
    """A line of progress that a thread draws while the block lasts.

    Without a terminal, lines are printed after 2 seconds, then at least every 5, and none if the
    output is for programs. With `forecasts`, a note says how long work will take: by `forecast`, or
    as soon as a quarter of a second of it has shown its speed.
    """

    def __init__(
        self, text: str = "", *, for_programs: bool = False, forecasts: bool = False
    ) -> None:
        self._text, self._work = text, ""
        self._for_programs, self._forecasts = for_programs, forecasts
        self._first: tuple[float, float] | None = None  # moment and share of the present work
        self._last_share, self._is_forecast, self._is_all_forecast = 0.0, False, False
        self._end = 0.0  # the moment at which the present work should be done
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._draw, daemon=True)
        self._begun = time.perf_counter()

    def say(self, text: str) -> None:
        """Shows this text from now on."""
        self._text, self._work = text, ""

    def tell(self, what: str, share: float | None) -> None:
        """Shows the progress of a `Watch` behind the text, until there is another."""
        self._work, self._end = what if share is None else f"{what} {share:.0%}", 0.0
        if self._forecasts and share is not None:
            self._note_pace(what, share)

    def forecast(self, what: str, seconds: float, hands: int = 0) -> None:
        """Prints what all the work will take, with the records of a shard of hands."""
        self._is_all_forecast = True
        if seconds < _LONG or self._for_programs:
            return
        from regretless.runs.room import free_memory, peak_memory, size_text  # 0.1 s: only here
        from regretless.training.forecast import duration_text

        room = size_text(peak_memory() + _HAND_BYTES * min(hands, 1 << 16))
        memory = f"memory about {room} ({size_text(free_memory() or 0)} free)"
        text = f"note: {what}: time about {duration_text(seconds)}; {memory}"
        print(text, file=sys.stderr, flush=True)

    def _note_pace(self, what: str, share: float) -> None:
        """Adds the time that is left; a share that falls is that of other work."""
        now = time.perf_counter()
        if self._first is None or share < self._last_share:
            self._first, self._is_forecast = (now, share), False
        self._last_share = share
        taken, done = now - self._first[0], share - self._first[1]
        if taken < _PROBE or (done < _PROBE_SHARE and taken < 4 * _PROBE) or done <= 0:
            return
        left = taken / done * (1 - share)
        self._end = now + left
        if not (self._is_forecast or self._is_all_forecast) and taken + left >= _LONG:
            self._is_forecast = True
            self.forecast(what, taken + left)
            self._is_all_forecast = False  # other work may follow

    def watch(self, should_stop: Callable[[], bool] = lambda: False) -> Watch:
        """A watch whose progress is shown here."""
        return Watch(should_stop, self.tell)

    def __enter__(self) -> "Telling":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _line(self) -> Text:
        now = time.perf_counter()
        texts = [each for each in (self._text, self._work) if each] or ["working"]
        if self._end > now:
            from regretless.training.forecast import duration_text  # 0.1 s: only here

            texts.append(f"{duration_text(self._end - now)} left")
        return Text("   ".join([*texts, f"{now - self._begun:.0f} s"]))

    def _draw(self) -> None:
        rest = _PATIENCE - (self._begun - started())  # the start of the program counts
        if self._is_over.wait(min(max(rest, _LEAST_PATIENCE), _PATIENCE)):
            return
        console = Console(stderr=True)
        if console.is_terminal:
            with Live(
                get_renderable=self._line, console=console, transient=True, auto_refresh=False
            ) as live:
                while not self._is_over.wait(_REFRESH):
                    live.refresh()
            return
        wait = _PATIENCE
        while not self._for_programs:
            print(self._line().plain, file=sys.stderr, flush=True)
            if self._is_over.wait(wait):
                return
            wait = min(2 * wait, _MOST_WAIT)

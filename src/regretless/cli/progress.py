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
_REFRESH = 0.125
_MOST_WAIT = 5.0  # between two lines where stderr is no terminal


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
    output is for programs.
    """

    def __init__(self, *, for_programs: bool = False, most_wait: float = _MOST_WAIT) -> None:
        self._most_wait = most_wait
        self._text = self._work = ""  # nothing to say yet
        self._for_programs = for_programs
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._draw, daemon=True)
        self._begun = time.perf_counter()

    def say(self, text: str) -> None:
        """Shows this text from now on."""
        self._text, self._work = text, ""

    def tell(self, what: str, share: float | None) -> None:
        """Shows the progress of a `Watch` behind the text, until there is another."""
        self._work = what if share is None else f"{what} {share:.0%}"

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
        seconds = f"{time.perf_counter() - self._begun:.0f} s"
        told = [each for each in (self._text, self._work) if each] or ["working"]
        return Text("   ".join([*told, seconds]))

    def _draw(self) -> None:
        if self._is_over.wait(_PATIENCE):
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
            wait = min(2 * wait, self._most_wait)

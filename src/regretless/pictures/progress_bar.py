# SPDX-License-Identifier: MIT
"""Progress of long calls from Python: a bar in a notebook, a line in a terminal, else plain lines.

Commands draw theirs in a thread of their own (`cli/progress.py`); a bar is drawn by the call itself
when there is news, so it needs no widgets and leaves no thread behind.
"""

import importlib
import sys
import time
from dataclasses import replace
from html import escape
from typing import Any

from regretless.watch import Watch

_PATIENCE = 1.0  # seconds before anything is shown
_REFRESH = 0.2  # where the line replaces the one before
_MOST_WAIT = 60.0  # between two plain lines, of which each waits twice as long as the one before


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this program."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


class ProgressBar:
    """The progress of the work in its block.

    `is_wanted` None shows it in a notebook and nowhere else; short work shows nothing at all.
    """

    def __init__(self, is_wanted: bool | None = None) -> None:
        self._is_notebook = in_notebook()
        self.is_shown = self._is_notebook if is_wanted is None else is_wanted
        self._begun = time.perf_counter()
        self._next, self._wait = self._begun + _PATIENCE, _PATIENCE
        self._handle: Any = None  # of the bar in the notebook
        self._is_drawn = False
        self._last: tuple[str, float | None] = ("", None)

    def say(self, text: str, share: float | None = None) -> None:
        """Shows a text and, where it is known, the share that is done."""
        self._last, now = (text, share), time.perf_counter()
        if self.is_shown and now >= self._next:
            self._draw(text, share)
            self._is_drawn = True
            self._wait = _REFRESH if self._replaces else min(2 * self._wait, _MOST_WAIT)
            self._next = now + self._wait

    def watch(self, inner: Watch) -> Watch:
        """Returns a watch that shows its progress here, too; the same one if nothing is shown."""
        if not self.is_shown:
            return inner

        def tell(what: str, share: float | None) -> None:
            inner.tell(what, share)
            self.say(what, share)

        return replace(inner, tell=tell)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *error: object) -> None:
        """Leaves the last line in a notebook, and nothing in a terminal."""
        if not self._is_drawn:
            return
        if self._is_notebook:
            self._draw(self._last[0], None if error[0] else 1.0)
        elif self._replaces:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    @property
    def _replaces(self) -> bool:
        return self._is_notebook or sys.stderr.isatty()

    def _draw(self, text: str, share: float | None) -> None:
        seconds = f"{time.perf_counter() - self._begun:.0f} s"
        if self._is_notebook:
            self._draw_html(text, share, seconds)
            return
        done = "" if share is None else f"{share:.0%}"
        line = "   ".join(each for each in (text, done, seconds) if each)
        sys.stderr.write(f"\r\x1b[K{line}" if self._replaces else f"{line}\n")
        sys.stderr.flush()

    def _draw_html(self, text: str, share: float | None, seconds: str) -> None:
        ipython: Any = importlib.import_module("IPython.display")
        value = "" if share is None else f' value="{min(max(share, 0.0), 1.0):.3f}"'
        shown = ipython.HTML(f"<progress{value}></progress> {escape(text)} {seconds}")
        if self._handle is None:
            self._handle = ipython.display(shown, display_id=True)
        else:
            self._handle.update(shown)

# SPDX-License-Identifier: MIT
"""What every page has: the line at the top with the way to the others."""

import contextlib
from collections.abc import Iterator

from nicegui import ui

LINKS = {"Library": "/", "API": "/api/docs"}


@contextlib.contextmanager
def frame(title: str) -> Iterator[None]:
    """A page of this title; what is made inside stands below the line at the top."""
    ui.page_title(f"{title} · regretless")
    with ui.header().classes("items-center gap-6 py-2"):
        ui.link("regretless", "/").classes("text-white text-lg font-bold no-underline")
        for text, target in LINKS.items():
            ui.link(text, target).classes("text-white no-underline")
    with ui.column().classes("w-full max-w-6xl mx-auto p-4"):
        yield

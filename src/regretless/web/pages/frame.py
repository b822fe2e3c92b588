# SPDX-License-Identifier: MIT
"""The frame of every page: the header with links, the palette, light or dark."""

import contextlib
import functools
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, ParamSpec

from nicegui import ui

from regretless.errors import InputError
from regretless.web.parts.palette import PALETTES, palette_css

LINKS = {"Library": "/", "Table": "/table", "Solve": "/solve", "Runs": "/runs", "API": "/api/docs"}
_P = ParamSpec("_P")
_LAYOUT, _STYLE = (Path(__file__).with_name(each) for each in ("layout.css", "style.css"))
WAIT = 120.0  # seconds until a page must be there; opening a strategy takes some
_COOKIE = "regretless-dark"
_PALETTE_KEPT = (
    "document.documentElement.dataset.palette = localStorage.getItem('regretless-palette') || 0;"
)
_PALETTE_CHOSEN = (
    "() => { localStorage.setItem('regretless-palette', NUMBER); "
    "document.documentElement.dataset.palette = NUMBER; }"
)


@contextlib.contextmanager
def frame(title: str) -> Iterator[None]:
    """A page of this title; elements made inside come below the header.

    An InputError inside becomes a line on the page.
    """
    ui.page_title(f"{title} · regretless")
    ui.add_css(_LAYOUT)
    ui.add_css(_STYLE)
    ui.add_css(palette_css())
    ui.colors(primary="#005a8f")
    ui.add_head_html('<meta name="viewport" content="width=device-width, initial-scale=1">')
    ui.add_head_html(f"<script>document.documentElement.lang = 'en'; {_PALETTE_KEPT}</script>")
    with ui.header().classes("items-center gap-x-5 gap-y-0 py-2"):
        ui.link("regretless", "/").classes("text-white text-lg font-bold no-underline")
        for text, target in LINKS.items():
            ui.link(text, target).classes("text-white no-underline")
        ui.space()
        _palette_menu()
        _dark_button()
    with ui.element("div").classes("page w-full max-w-6xl mx-auto p-1 flex flex-col gap-4"):
        ui.element("h1").classes("text-2xl").add_slot("default", _text(title))
        try:
            yield
        except InputError as error:
            show_error(error)


def show_error(error: InputError) -> None:
    """Shows an error as a line of the page."""
    ui.label(" ".join(str(error).split())).classes("text-lg").props("role=alert")


def tell_error(error: InputError) -> None:
    """Shows an error as a notification on a page that stays."""
    ui.notify(" ".join(str(error).split()), type="negative", color="#9c2c00", timeout=8000)


def tells_errors(
    handler: Callable[_P, Awaitable[None]],
) -> Callable[_P, Coroutine[Any, Any, None]]:
    """A handler of events whose InputError becomes a notification."""

    @functools.wraps(handler)
    async def handle(*args: _P.args, **given: _P.kwargs) -> None:
        try:
            await handler(*args, **given)
        except InputError as error:
            tell_error(error)

    return handle


def small_button(text: str, on_click: Callable[..., Any]) -> ui.button:
    return ui.button(text, on_click=on_click).props("outline no-caps dense")


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("{", "&#123;")


def _palette_menu() -> None:
    button = ui.button(icon="palette").props('flat dense aria-label="colours"')
    with button.classes("text-white"), ui.menu().props('aria-label="colours"'):
        for number, name in enumerate(PALETTES):
            chosen = _PALETTE_CHOSEN.replace("NUMBER", str(number))
            ui.menu_item(name).props("role=menuitem").on("click", js_handler=chosen)


def _dark_button() -> None:
    kept = ui.context.client.request.cookies.get(_COOKIE)
    mode = ui.dark_mode({"1": True, "0": False}.get(kept or ""))

    async def turn() -> None:
        if mode.value is None:
            is_dark = await ui.run_javascript("document.body.classList.contains('body--dark')")
        else:
            is_dark = mode.value
        mode.value = not is_dark
        cookie = f"{_COOKIE}={int(mode.value)};path=/;max-age=31536000;SameSite=Strict"
        ui.run_javascript(f"document.cookie = '{cookie}'")

    button = ui.button(icon="contrast", on_click=turn).classes("text-white")
    button.props('flat dense aria-label="dark or light"')

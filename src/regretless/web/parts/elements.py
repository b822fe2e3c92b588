# SPDX-License-Identifier: MIT
"""Elements that several pages share: buttons, notes, places for HTML, keys, errors."""

import functools
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec

from nicegui import events, ui

from regretless.errors import InputError

_P = ParamSpec("_P")
_POINT = """(event) => {
  const part = event.target.closest('[data-KEY]');
  if (part && !part.disabled) emit(part.dataset.KEY);
}"""


def small_button(text: str, on_click: Callable[..., Any]) -> ui.button:
    return ui.button(text, on_click=on_click).props("outline dense")


def note(text: str = "") -> ui.label:
    """A line of less weight."""
    return ui.label(text).classes("dim")


def plain_link(text: str, target: str, *, new_tab: bool = False) -> ui.link:
    return ui.link(text, target, new_tab=new_tab).classes("plainlink")


def fields() -> ui.row:
    """A row of fields of a form."""
    return ui.row().classes("w-full items-end gap-4")


def html_place(content: str = "", classes: str = "w-full") -> ui.html:
    """An element for HTML whose parts can be pressed."""
    return ui.html(content, sanitize=False).classes(classes)


def on_point(
    place: ui.html,
    key: str,
    choose: Callable[[str], Any],
    event: str = "click",
    throttle: float = 0.0,
) -> ui.html:
    """Calls `choose` with the attribute `data-KEY` of the part that is pressed."""
    script = _POINT.replace("KEY", key)
    return place.on(event, lambda e: choose(str(e.args)), throttle=throttle, js_handler=script)


def on_keys(press: Callable[[str], Awaitable[None]], *, repeating: bool = True) -> None:
    """Calls `press` with the name of a key that is pressed outside of fields, without Ctrl."""

    async def handle(event: events.KeyEventArguments) -> None:
        is_alone = not event.modifiers.ctrl and not event.modifiers.alt
        if event.action.keydown and is_alone:
            await press(event.key.name)

    ui.keyboard(on_key=handle, repeating=repeating, ignore=["input", "select", "textarea"])


def lines_of(text: str | None) -> list[str]:
    """The lines of a text field that are not blank."""
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


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

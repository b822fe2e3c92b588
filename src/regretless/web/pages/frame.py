# SPDX-License-Identifier: MIT
"""The frame of every page: the header with links, the palette, light or dark; sections."""

import contextlib
from collections.abc import Iterator
from html import escape
from pathlib import Path

from nicegui import ui

from regretless.errors import InputError
from regretless.games.amounts import UNITS, preferred_unit
from regretless.web.parts.elements import plain_link, show_error
from regretless.web.parts.palette import PALETTES, palette_css

LINKS = {"Library": "/", "Table": "/table", "Solve": "/solve", "Runs": "/runs", "API": "/api/docs"}
SECTIONS = {"Runs": "/runs", "Leaderboard": "/leaderboard", "Cross-play": "/cross"}
_LAYOUT, _STYLE = (Path(__file__).with_name(each) for each in ("layout.css", "style.css"))
WAIT = 120.0  # seconds until a page must be there; opening a strategy takes some
_COOKIE, _UNIT_COOKIE = "regretless-dark", "regretless-unit"
_PALETTE_KEPT = (
    "document.documentElement.dataset.palette = localStorage.getItem('regretless-palette') || 0;"
)
_PALETTE_CHOSEN = (
    "() => { localStorage.setItem('regretless-palette', NUMBER); "
    "document.documentElement.dataset.palette = NUMBER; }"
)
_KEEP_FOCUS = """<script>(() => {
  let label = null;
  const found = (target) => target.closest?.('button[aria-label]')?.getAttribute('aria-label');
  document.addEventListener('pointerdown', () => { label = null; }, true);
  document.addEventListener('focusin', (event) => { label = found(event.target) ?? null; });
  new MutationObserver(() => {
    if (label === null || document.activeElement !== document.body) return;
    const buttons = [...document.querySelectorAll('button[aria-label]')];
    buttons.find((each) => each.getAttribute('aria-label') === label)?.focus();
  }).observe(document.documentElement, {childList: true, subtree: true});
})()</script>"""


@contextlib.contextmanager
def frame(title: str, *, is_wide: bool = False) -> Iterator[None]:
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
            link = ui.link(text, target).classes("text-white no-underline")
            if text == "API":
                link.classes("not-on-phones")
        ui.space()
        _unit_button()
        _palette_menu()
        _dark_button()
    width = "max-w-wide" if is_wide else "max-w-6xl"
    with ui.element("div").classes(f"page w-full {width} mx-auto p-1 flex flex-col gap-4"):
        ui.html(escape(title), sanitize=False, tag="h1").classes("text-2xl")
        try:
            yield
        except InputError as error:
            show_error(error)


def sections(here: str) -> None:
    """Links to the others, with this one marked."""
    with ui.element("nav").classes("flex gap-5").props('aria-label="runs and results"'):
        for text, target in SECTIONS.items():
            link = plain_link(text, target).classes("section")
            if text == here:
                link.props("aria-current=page")


def keep_focus() -> None:
    """Whoever is at a button by keys stays there when its table is drawn anew."""
    ui.add_head_html(_KEEP_FOCUS)


def chosen_unit() -> str:
    """The unit of amounts that the visitor has chosen: `bb` or `chips`."""
    kept = ui.context.client.request.cookies.get(_UNIT_COOKIE)
    return kept if kept in UNITS else preferred_unit()


def _unit_button() -> None:
    unit = chosen_unit()
    other = UNITS[1 - UNITS.index(unit)]
    script = f"document.cookie = '{_cookie(_UNIT_COOKIE, other)}'; location.reload()"
    button = ui.button(unit).props(f'flat dense no-caps aria-label="amounts in {unit}"')
    button.classes("text-white").on("click", js_handler=f"() => {{ {script} }}")
    button.tooltip(f"Amounts are in {unit}; click for {other}").mark("unit")


def _cookie(name: str, value: object) -> str:
    return f"{name}={value};path=/;max-age=31536000;SameSite=Strict"


def _palette_menu() -> None:
    button = ui.button(icon="palette").props('flat dense aria-label="colours"')
    with button.classes("text-white not-on-phones"), ui.menu().props('aria-label="colours"'):
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
        ui.run_javascript(f"document.cookie = '{_cookie(_COOKIE, int(mode.value))}'")

    button = ui.button(icon="contrast", on_click=turn).classes("text-white")
    button.props('flat dense aria-label="dark or light"')

# SPDX-License-Identifier: MIT
"""The links between the pages about runs, and texts of their tables."""

from nicegui import ui

SECTIONS = {"Runs": "/runs", "Leaderboard": "/leaderboard", "Cross-play": "/cross"}


def sections(here: str) -> None:
    """Links to the others, with this one marked."""
    with ui.element("nav").classes("flex gap-5").props('aria-label="runs and results"'):
        for text, target in SECTIONS.items():
            link = ui.link(text, target).classes("plainlink section")
            if text == here:
                link.props("aria-current=page")


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


def keep_focus() -> None:
    """Whoever is at a button by keys stays there when its table is drawn anew."""
    ui.add_head_html(_KEEP_FOCUS)


def figure_text(value: float | None) -> str:
    """Small figures keep their digits."""
    return "–" if value is None else f"{value:,.4g}"


def seconds_text(value: float) -> str:
    return f"{value:,.1f}" if value >= 10 else f"{value:.2g}"

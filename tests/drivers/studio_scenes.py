# SPDX-License-Identifier: MIT
"""A small library and the states of every page of the studio: for pictures and for measures."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from regretless import solve, train
from regretless.solving.spot_options import SpotOptions
from web_browser import settle

LOOKS = ("dark", "light")
SIZES = ((1440, 900), (1920, 1080), (390, 844))
_RANGES = (
    "99-22,ATs-A2s,K9s+,Q9s+,J8s+,T8s+,97s+,86s+,75s+,65s,54s,AJo-A8o,KTo+,QTo+,JTo",
    "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,A9o+,KTo+,QTo+,JTo",
)
_FLOP_RANGES = ("TT-66,AQs-A9s,KTs+,QTs+,JTs,AQo", "77+,ATs+,KTs+,QJs,JTs,AJo+,KQo")


def fill(directory: Path) -> None:
    """Solves a river, a turn, a flop and Leduc, and trains two recipes with two seeds each."""
    for name, board, stack, ranges in (
        ("river", "QsJh2h8d3c", 250, _RANGES),
        ("turn", "QsJh2h8d", 250, _RANGES),
        ("flop", "QsJh2h", 120, _FLOP_RANGES),
    ):
        bets = "50%,100%" if name != "flop" else "60%"
        spot = SpotOptions(board, 60, stack, *ranges, bets=bets).spot()
        assert spot is not None
        solve(spot, target=0.5).write_bundle(directory / f"btn-bb-{name}")
    solve("leduc", iterations=300).write_bundle(directory / "leduc")
    for seed in (1, 2):
        output = f"output={directory}"
        train("kuhn_cfr", f"seed={seed}", f"{output}/kuhn_cfr-{seed:03}", "budget.steps=2000")
        short = ("budget.steps=30", "evaluate={every_steps: 1, measures: [exact]}")
        few = "algorithm.iterations_per_step=1000"
        train("leduc_mccfr", f"seed={seed}", f"{output}/leduc_mccfr-{seed:03}", *short, few)


def views(page: Any) -> Iterator[tuple[str, tuple[int, int]]]:
    """Shows a page in every size and look."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for look in LOOKS:
            page.emulate_media(color_scheme=look)
            page.mouse.move(0, 0)
            settle(page)
            yield look, (width, height)


def _study_turn(page: Any) -> None:
    page.goto("/study/btn-bb-turn?line=x&pin=QTs")
    page.locator(".hand-grid").first.wait_for()


def _study_card(page: Any) -> None:
    page.goto("/study/btn-bb-turn?line=x%20b60%20c")
    page.locator(".deck-card").first.wait_for()


def _study_leduc(page: Any) -> None:
    page.goto("/study/leduc?line=x%20r")
    page.get_by_text("to act").first.wait_for()


def _study_network(page: Any) -> None:
    page.goto("/study/hunl-deep-cfr")
    page.locator(".hand-grid").first.wait_for()


def _design(page: Any) -> None:
    page.goto("/design")
    page.get_by_role("heading", name="Design").wait_for()


def _dialog(page: Any) -> None:
    _design(page)
    page.get_by_role("button", name="settings").click()
    page.get_by_role("dialog", name="Settings").wait_for()


def _api(page: Any) -> None:
    page.goto("/api/docs")
    page.locator("summary").first.click()


def _missing(page: Any) -> None:
    page.goto("/nothing/here")
    page.get_by_text("There is no page").wait_for()


SCENES: dict[str, Callable[[Any], None]] = {
    "study-turn": _study_turn,
    "study-card": _study_card,
    "study-leduc": _study_leduc,
    "study-network": _study_network,
    "design-all": _design,
    "design-settings": _dialog,
    "api-docs": _api,
    "missing-page": _missing,
}
"""Functions that bring a page to a state, by the names of page and state."""

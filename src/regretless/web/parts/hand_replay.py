# SPDX-License-Identifier: MIT
"""A finished hand, replayed step by step."""

from typing import Any

from nicegui import ui

from regretless.web.parts.elements import small_button, tells_errors
from regretless.web.parts.table_view import show_board, show_seats
from regretless.web.play.session import Session
from regretless.web.services import Services


class HandReplay:
    """The hand that one visitor replays, if any."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._steps: list[dict[str, Any]] = []
        self._names: list[str] = []
        self._hand, self._step = 0, 0

    @property
    def is_open(self) -> bool:
        return bool(self._steps)

    @tells_errors
    async def open(self, session: Session, hand: int) -> None:
        self._steps = await self.services.work(session.steps, hand)
        self._names, self._hand, self._step = session.row(hand)["players"], hand, 0
        self.show.refresh()

    def close(self) -> None:
        self._steps = []
        self.show.refresh()

    def press(self, key: str) -> None:
        """Handles an arrow key, or Escape."""
        if key == "escape":
            self.close()
        else:
            self._go(self._step + (1 if key == "arrowright" else -1))

    @ui.refreshable_method
    def show(self) -> None:
        if not self._steps:
            return
        step, last = self._steps[self._step], len(self._steps) - 1
        with ui.card().classes("w-full").props('role=region aria-label="replay"').mark("replay"):
            title = f"replay of hand {self._hand + 1}"
            show_board(step["seen"], title, id="replay", data_step=self._step)
            show_seats(step["seen"], self._names)
            seat = step["seat"]
            text = "the deal" if seat is None else f"{self._names[seat]}: {step['text']}"
            ui.label(f"{self._step} of {last}: {text}").props("role=status")
            with ui.row().classes("gap-2"):
                back, forward = max(self._step - 1, 0), min(self._step + 1, last)
                steps = {"First": 0, "Back": back, "Forward": forward, "Last": last}
                for text, to in steps.items():
                    button = small_button(text, lambda _, to=to: self._go(to))
                    button.classes("px-2").set_enabled(to != self._step)
                small_button("Close replay", self.close).classes("px-2")

    def _go(self, step: int) -> None:
        if 0 <= step < len(self._steps):
            self._step = step
            self.show.refresh()

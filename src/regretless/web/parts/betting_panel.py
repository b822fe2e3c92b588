# SPDX-License-Identifier: MIT
"""The buttons, the slider and the keys of a player whose turn it is."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from regretless.tables.seat_json import BettingControls, betting_controls
from regretless.tables.table import Table
from regretless.web.pages.frame import small_button
from regretless.web.play.open_table import Action


class BettingPanel:
    """The controls of one visitor; `act` is called with the action that was chosen."""

    def __init__(self, act: Callable[[Action], Awaitable[None]]) -> None:
        self.act = act
        self.amount = 0

    def reset(self, table: Table) -> None:
        """Sets the slider to the smallest bet."""
        self.amount = table.bet_range[0] if table.bet_range else 0

    def show(self, table: Table) -> None:
        controls = betting_controls(table)
        with ui.row().classes("gap-2 items-center"):
            for each in controls.buttons:
                action = Action(slot=each.slot, amount=each.amount)
                button = ui.button(each.text, on_click=lambda _, action=action: self.act(action))
                button.props("no-caps").mark("act")
        if controls.bets is not None:
            self._slider(controls, *controls.bets)

    async def press(self, key: str, table: Table) -> None:
        """Acts by a key: f, c, r or a in poker, else the number of a button."""
        controls = betting_controls(table)
        if table.episode.game.deck is None:
            if key.isdecimal() and 0 < int(key) <= len(controls.buttons):
                button = controls.buttons[int(key) - 1]
                await self.act(Action(slot=button.slot, amount=button.amount))
        elif key in ("f", "c"):
            await self.act(Action(text=key))
        elif key == "r" and controls.bets is not None:
            await self._bet()
        elif key in ("r", "a"):
            single = [each for each in controls.buttons if each.amount is not None]
            all_in = [amount for text, amount in controls.marks if text == "all-in"]
            if single:
                await self.act(Action(slot=single[0].slot, amount=single[0].amount))
            elif key == "a" and all_in:
                await self.act(Action(amount=all_in[0]))

    def _slider(self, controls: BettingControls, least: int, most: int) -> None:
        with ui.row().classes("gap-2 items-center w-full max-w-2xl"):
            for text, amount in controls.marks:
                button = small_button(text, lambda _, a=amount: setattr(self, "amount", a))
                button.classes("px-2")
        with ui.row().classes("gap-4 items-center w-full max-w-2xl no-wrap"):
            slider = ui.slider(min=least, max=most).bind_value(self, "amount").classes("flex-1")
            slider.props('aria-label="amount"')
            number = ui.number(min=least, max=most, format="%d").classes("w-24")
            number.props('aria-label="amount in chips" dense')
            number.bind_value(self, "amount", forward=lambda v: int(v or least))
            ui.button(on_click=self._bet).props("no-caps").bind_text_from(
                self, "amount", lambda amount: f"{controls.word} {amount:,}"
            ).mark("bet")

    async def _bet(self) -> None:
        await self.act(Action(amount=int(self.amount)))

# SPDX-License-Identifier: MIT
"""The seat that a browser keeps, so that whoever reloads or comes back finds his table again.

It lies in the storage of the browser and comes over the page's own socket, so the token is in no
address and in no log.
"""

import json
from typing import NamedTuple

from nicegui import ui

_KEY = "regretless-seat"
_SECONDS = 30.0  # for a browser to answer


class KeptSeat(NamedTuple):
    """A table, and the token of a player there."""

    table: str
    token: str


async def read_seat() -> KeptSeat | None:
    """None: there is none, or the browser keeps nothing."""
    script = (
        f"(() => {{ try {{ return localStorage.getItem('{_KEY}') }} catch {{ return null }} }})()"
    )
    try:
        told = json.loads(await ui.run_javascript(f"return {script}", timeout=_SECONDS) or "null")
    except (TimeoutError, ValueError):
        return None
    match told:
        case {"table": str(table), "token": str(token)}:
            return KeptSeat(table[:64], token[:200])
    return None


def keep_seat(table: str, token: str) -> None:
    value = json.dumps(json.dumps({"table": table, "token": token}))
    ui.run_javascript(f"try {{ localStorage.setItem('{_KEY}', {value}) }} catch {{}}")


def forget_seat() -> None:
    ui.run_javascript(f"try {{ localStorage.removeItem('{_KEY}') }} catch {{}}")

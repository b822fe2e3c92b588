# SPDX-License-Identifier: MIT
"""A table in HTML: the board, the seats, the log, finished hands and reviews."""

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui

from regretless.games import Game
from regretless.games.amounts import CHIPS, Amounts
from regretless.histories.seat_view import result_text
from regretless.tables.review import ReviewedChoice
from regretless.web.parts.elements import html_place, on_point
from regretless.web.parts.html import cards_html, row, scrolled, table, tag
from regretless.web.parts.texts import number_text, share_text
from regretless.web.play.open_table import SessionResult

_HIDDEN = tag("span", "?", class_="card back", role="img", aria_label="hidden")


def show_board(
    seen: dict[str, Any], title: str, amounts: Amounts = CHIPS, **attributes: object
) -> None:
    """Shows the game, the title, the pot and the board."""
    pot = [f"pot {amounts.text(seen['pot'])}"] if "pot" in seen else []
    line = tag("div", " · ".join([escape(seen["game"]), escape(title), *pot]))
    board = tag("div", cards_html("".join(seen.get("board", ""))), class_="board")
    html_place(tag("div", line + board, class_="text-lg", **attributes))


def show_seats(seen: dict[str, Any], names: list[str], amounts: Amounts = CHIPS) -> None:
    """Shows the seats; `names` are by seat."""
    seats = "".join(_seat_html(seen, seat, name, amounts) for seat, name in enumerate(names))
    html_place(tag("div", seats, class_="seats"))


def _seat_html(seen: dict[str, Any], seat: int, name: str, amounts: Amounts) -> str:
    each = seen["seats"][seat]
    states = {
        "acts": seen["actor"] == seat,
        "out": not each["is_live"],
        "own": seat == seen["viewer"],
    }
    folded = "" if each["is_live"] else " (folded)"
    parts = [f"<b>{escape(name)}</b> {escape(each['name'])}{folded}"]
    hand = cards_html(each["hand"]) if each["hand"] else _HIDDEN
    if "stack" in each:
        stack, bet = amounts.text(each["stack"]), amounts.text(each["bet"])
        parts.append(f"{stack} behind, bet {bet}")
    if each["payoff"] is not None:
        parts.append(f"<b>{amounts.text(each['payoff'], sign=True)}</b>")
    lines = [tag("div", part) for part in parts]
    lines.insert(1, tag("div", hand, class_="held"))
    return tag("div", "".join(lines), class_=" ".join(["seat", *filter(states.get, states)]))


def log_text(seen: dict[str, Any], names: list[str], amounts: Amounts = CHIPS) -> str:
    """The log of a hand as lines."""
    lines = []
    for entry in seen["log"]:
        seat, text = entry["seat"], amounts.in_text(entry["text"])
        if seat is not None:
            taken = f" (seen as {amounts.in_text(entry['seen'])})" if entry["seen"] else ""
            text = f"  {names[seat]} ({seen['seats'][seat]['name']}): {text}{taken}"
        lines.append(text)
    return "\n".join(lines)


def show_log(text: str, name: str) -> None:
    shown = {"class_": "log newest", "tabindex": 0, "role": "region", "aria_label": name}
    html_place(tag("div", tag("div", escape(text)), **shown))


def show_results(
    rows: list[dict[str, Any]], on_choose: Callable[[int], Any], amounts: Amounts = CHIPS
) -> None:
    """Finished hands as buttons, the newest first, from rows of `seen_row`."""
    buttons = ""
    for each in reversed(rows):
        won = result_text(each["payoffs"][each["seats"].index(0)], amounts)
        text = escape(f"hand {each['hand'] + 1}: {won}")
        buttons += tag("button", text, data_hand=each["hand"], title="replay")
    content = tag("div", buttons, class_="log results", role="group", aria_label="hands")
    on_point(html_place(content), "hand", lambda hand: on_choose(int(hand)))


def session_text(session: SessionResult) -> str:
    """The number of hands and the winnings."""
    text = f"{session.hands} hand{'' if session.hands == 1 else 's'}"
    if session.per_100 is not None:
        width = f" ± {session.half_width:,.1f}" if session.half_width is not None else ""
        unit = session.unit
        per = "bb/100" if unit == "big blinds" else f"{unit} per 100 hands"
        text += f", {session.per_100:+,.1f}{width} {per}"
    return text


def show_review(
    choices: list[ReviewedChoice], name: str, game: Game, amounts: Amounts = CHIPS
) -> None:
    """Shows the choices of the strategy of this name, decision by decision."""
    if not choices:
        ui.label("You made no decision in this hand.").mark("review")
        return
    rows = []
    for each in choices:
        chosen = each.chosen + (f" (seen as {each.seen_as})" if each.seen_as else "")
        mix = ", ".join(f"{text}: {share_text(p)}" for text, p in each.mix if p >= 0.0005)
        lost = None if each.lost is None else amounts.of_units(each.lost, game)
        cells = [amounts.in_text(text) for text in (each.place, chosen, mix or "unknown hand")]
        rows.append(row(map(escape, [*cells, number_text(lost)])))
    found = table(["decision", "you", name, f"EV lost, {amounts.name}"], rows)
    html_place(scrolled(found, "review")).mark("review")

# SPDX-License-Identifier: MIT
"""A table in HTML: the board, the seats, the log, finished hands and reviews."""

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui

from regretless.histories.seat_view import result_text
from regretless.tables.review import ReviewedChoice
from regretless.web.parts.html_place import html_place, html_row, on_point
from regretless.web.parts.node_tables import number_text, plain_table, share_text
from regretless.web.parts.palette import cards_html


def show_board(seen: dict[str, Any], title: str, mark: str = "") -> None:
    """`mark` has attributes of the element."""
    parts = [escape(seen["game"]), escape(title)]
    if "pot" in seen:
        parts.append(f"pot {seen['pot']:,}")
    board = cards_html("".join(seen["board"])) if seen.get("board") else ""
    line = f"<div>{' · '.join(parts)}</div>"
    content = f'<div class="text-lg" {mark}>{line}<div class="board">{board}</div></div>'
    ui.html(content, sanitize=False)


def show_seats(seen: dict[str, Any], names: list[str]) -> None:
    """Shows the seats; `names` are by seat."""
    told = "".join(_seat_html(seen, seat, name) for seat, name in enumerate(names))
    html_place(f'<div class="seats">{told}</div>')


def _seat_html(seen: dict[str, Any], seat: int, name: str) -> str:
    each = seen["seats"][seat]
    classes = "seat" + (" acts" if seen["actor"] == seat else "")
    classes += "" if each["is_live"] else " out"
    classes += " own" if seat == seen["viewer"] else ""
    hidden = '<span class="card back" role="img" aria-label="hidden">?</span>'
    hand = cards_html(each["hand"]) if each["hand"] else hidden
    chips = ""
    if "stack" in each:
        chips = f"<div>{each['stack']:,} behind, bet {each['bet']:,}</div>"
    if each["payoff"] is not None:
        chips += f"<div><b>{each['payoff']:+,}</b></div>"
    folded = "" if each["is_live"] else " (folded)"
    return (
        f'<div class="{classes}"><div><b>{escape(name)}</b> {escape(each["name"])}{folded}</div>'
        f'<div class="held">{hand}</div>{chips}</div>'
    )


def log_text(seen: dict[str, Any], names: list[str]) -> str:
    lines = []
    for entry in seen["log"]:
        seat, text = entry["seat"], entry["text"]
        if seat is not None:
            taken = f" (seen as {entry['seen']})" if entry["seen"] else ""
            text = f"  {names[seat]} ({seen['seats'][seat]['name']}): {text}{taken}"
        lines.append(text)
    return "\n".join(lines)


def show_log(text: str, name: str) -> None:
    content = (
        f'<div class="log newest" tabindex="0" role="region" aria-label="{name}">'
        f"<div>{escape(text)}</div></div>"
    )
    html_place(content)


def show_results(rows: list[dict[str, Any]], on_choose: Callable[[int], Any]) -> None:
    """Finished hands as buttons, the newest first, from rows of `seen_row`."""
    told = "".join(_result_html(row) for row in reversed(rows))
    content = f'<div class="log results" role="group" aria-label="hands">{told}</div>'
    on_point(html_place(content), "hand", lambda hand: on_choose(int(hand)))


def _result_html(row: dict[str, Any]) -> str:
    text = f"hand {row['hand'] + 1}: {result_text(row['payoffs'][row['seats'].index(0)])}"
    return f'<button data-hand="{row["hand"]}" title="replay">{escape(text)}</button>'


def session_text(session: dict[str, Any]) -> str:
    """The number of hands and the winnings, from `result_json`."""
    count = session["hands"]
    text = f"{count} hand{'' if count == 1 else 's'}"
    if count:
        unit = session["unit"]
        width = f" ± {session['half_width']:,.1f}" if session["half_width"] is not None else ""
        per = "bb/100" if unit == "big blinds" else f"{unit} per 100 hands"
        text += f", {session['per_100']:+,.1f}{width} {per}"
    return text


def show_review(choices: list[ReviewedChoice], name: str, unit: str) -> None:
    """Shows the choices of the strategy of this name, decision by decision."""
    if not choices:
        ui.label("You made no decision in this hand.").mark("review")
        return
    rows = []
    for each in choices:
        chosen = each.chosen + (f" (seen as {each.seen_as})" if each.seen_as else "")
        mix = ", ".join(f"{text}: {share_text(p)}" for text, p in each.mix if p >= 0.0005)
        cells = [each.place, chosen, mix or "unknown hand", number_text(each.lost)]
        rows.append(html_row(map(escape, cells)))
    table = plain_table(["decision", "you", name, f"EV lost, {unit}"], rows)
    with ui.element("div").classes("scroll").props('tabindex=0 role=region aria-label="review"'):
        ui.html(table, sanitize=False).mark("review")

# SPDX-License-Identifier: MIT
"""A node in HTML: its state, its choices, the line that led to it, its hands as tables."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from regretless.explorer.node_text import class_cells
from regretless.explorer.node_view import NodeView
from regretless.histories.lines import LineSpot
from regretless.web.parts.html import cards_html, dim, mix_bar, row, scrolled, table, tag
from regretless.web.parts.palette import choice_colours
from regretless.web.parts.texts import number_text, share_text

_NEXT_STREETS = {0: "flop", 3: "turn", 4: "river"}  # by cards on the board
_MOST_ROWS = 200


def state_html(node: NodeView) -> list[str]:
    """The street, the board, the pot and the amount to call."""
    parts = [escape(node.street)] if node.street else []
    parts += [cards_html(node.board)] if node.board else []
    parts += [f"pot {number_text(node.pot)} {escape(node.unit)}"] if node.pot else []
    parts += [f"{number_text(node.to_call)} to call"] if node.to_call else []
    return parts


def head_html(node: NodeView) -> str:
    """The state of the hand, and the equity and value of each range."""
    parts = state_html(node)
    if node.actor >= 0:
        parts.append(f"<b>{escape(node.seats[node.actor].name)}</b> to act")
    elif not node.cards:
        parts.append("<b>the end</b>")
    rows = [
        row([escape(s.name), number_text(s.combos), share_text(s.equity), number_text(s.value)])
        for s in node.seats
    ]
    ranges = table(["range", "combos", "equity", f"EV, {node.unit}"], rows)
    state = tag("div", " · ".join(parts), class_="text-lg mb-2")
    return state + tag("div", ranges, class_="max-w-lg")


def choices_html(node: NodeView, here: LineSpot) -> tuple[str, str]:
    """The mix over all hands as a bar, and a button for each choice."""
    colours, buttons = choice_colours(node.choices), ""
    choices = zip(node.choices, here.choices, colours, strict=True)
    for number, (each, to, colour) in enumerate(choices, 1):
        value = "" if each.value != each.value else f" · EV {number_text(each.value)}"
        words = tag("b", escape(each.text)) + tag("span", share_text(each.share) + value)
        words = tag("span", words + tag("kbd", f"key {number}"), class_="words")
        swatch = tag("span", class_="swatch", style=f"background:{colour}")
        buttons += tag("button", swatch + words, class_="choice", data_line=to.line)
    bar = mix_bar((each.share for each in node.choices), colours)
    return bar, tag("div", buttons, class_="flex flex-wrap gap-2")


def crumbs_html(spots: list[LineSpot], node: NodeView) -> str:
    """The places along the line, each with its choices."""
    return tag("div", "".join(_crumb(spot, node) for spot in spots), class_="crumbs")


def cards_wanted(node: NodeView, count: int) -> str:
    """The request for public cards, `count` of which are missing."""
    num_board = len(node.board) // 2
    street = _NEXT_STREETS.get(num_board, "board") if node.ranks else "board"
    return f"Choose {count} card{'s' if count > 1 else ''} for the {street}."


def _crumb(spot: LineSpot, node: NodeView) -> str:
    """A place with its choices; the one that was taken is marked, and any can be pressed."""
    if spot.choices:
        stack = f" {spot.stack}" if spot.stack else ""
        top, below = f"<b>{escape(node.seats[spot.actor].name)}</b>{stack}", ""
        for each in spot.choices:
            pressed = "true" if each.word == spot.chosen else "false"
            shown = {"data_line": each.line, "aria_pressed": pressed}
            below += tag("button", escape(each.text), **shown)
    else:
        top = escape(spot.street.split(" ")[0]) or "end"
        text = cards_html(spot.chosen) if spot.chosen else "end" if not spot.cards_due else "…"
        label = "other cards" if spot.chosen else None
        below = tag("button", text, data_line=spot.line, aria_label=label)
        below += tag("div", f"pot {spot.pot}", class_="px-2 dim")
    here = "crumb" if spot.chosen else "crumb here"
    return tag("div", tag("div", top, class_="top") + below, class_=here)


def hand_table(node: NodeView, seat: int, hands: Iterable[str] | None = None) -> str:
    """The hands of a seat at the node, or the named ones."""
    rows = list(node.rows(seat, None if hands is None else set(hands)))
    rows.sort(key=lambda each: -each["share"])
    if not rows:
        return dim("none of these hands is in the range")
    has_equity = any(each["equity"] is not None for each in rows)
    has_value = any(each["ev"] is not None for each in rows)
    choices = node.choices if seat == node.actor else []
    words, colours = [each.word for each in choices], choice_colours(choices)
    head = ["hand", "weight", "share"] + ["equity"] * has_equity + ["EV"] * has_value
    head += ["mix", *words] if words else []

    def line(each: dict[str, Any]) -> str:
        cells = [cards_html(each["hand"]), number_text(each["weight"]), share_text(each["share"])]
        cells += [share_text(each["equity"])] * has_equity + [number_text(each["ev"])] * has_value
        mix = _mix_cells([each[word] for word in words], colours)
        if has_value:  # below the share of each action its EV
            values = [number_text(each[f"ev {word}"]) for word in words]
            evs = [tag("small", f"EV {value}", class_="dim under") for value in values]
            mix[1:] = [share + value for share, value in zip(mix[1:], evs, strict=True)]
        return row(cells + mix, data_hand=each["hand"])

    found = scrolled(table(head, map(line, rows[:_MOST_ROWS])), "hands")
    return found + (dim(f"and {len(rows) - _MOST_ROWS:,} more") if len(rows) > _MOST_ROWS else "")


def class_table(node: NodeView, seat: int) -> str:
    """The hands of a seat by class; each class is a button with its name in `data-cell`."""
    choices = node.choices if seat == node.actor else []
    colours, cells = choice_colours(choices), class_cells(node, seat)
    total = sum(each.weight * each.hands for each in cells)
    head = ["class", "hands", "weight", "share"]
    head += ["mix", *(each.word for each in choices)] if choices else []
    rows = []
    for each in cells:
        share = each.weight * each.hands / total if total > 0 else float("nan")
        button = tag("button", escape(each.name), class_="plainlink", data_cell=each.name)
        shown = [button, f"{each.hands:,}", number_text(each.weight), share_text(share)]
        mix = each.mix or [float("nan")] * len(colours)
        rows.append(row(shown + _mix_cells(mix, colours), data_class=each.name))
    told = f"A sample of {len(node.seats[seat].hands):,} of {node.hands_in_all:,} hands."
    found = scrolled(table(head, rows), "classes of hands")
    return (dim(told) if node.hands_in_all else "") + found


def _mix_cells(mix: Sequence[float], colours: Sequence[str]) -> list[str]:
    """A bar, and the share of each choice."""
    return [mix_bar(mix, colours), *map(share_text, mix)] if colours else []

# SPDX-License-Identifier: MIT
"""Hands of a node as tables, hands of Omaha by class, and choices as coloured bars."""

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from regretless.explorer.node_text import class_cells
from regretless.explorer.node_view import Cell, NodeView
from regretless.web.parts.palette import cards_html, choice_colours

_MOST_ROWS = 200


def hand_table_html(node: NodeView, seat: int, hands: Iterable[str] | None = None) -> str:
    """The hands of a seat at the node, or the named ones."""
    rows = list(node.rows(seat, None if hands is None else set(hands)))
    rows.sort(key=lambda row: -row["share"])
    if not rows:
        return '<p class="dim">none of these hands is in the range</p>'
    has_equity = any(row["equity"] is not None for row in rows)
    has_value = any(row["ev"] is not None for row in rows)
    is_turn = seat == node.actor
    head = ["hand", "weight", "share"] + ["equity"] * has_equity + ["EV"] * has_value
    words = [each.word for each in node.choices] if is_turn else []
    head += ["mix"] * is_turn + words + ([f"EV {word}" for word in words] if has_value else [])
    colours = choice_colours(node.choices) if is_turn else []
    lines = [_row(row, words, colours, has_equity, has_value) for row in rows[:_MOST_ROWS]]
    more = f'<p class="dim">and {len(rows) - _MOST_ROWS:,} more</p>' * (len(rows) > _MOST_ROWS)
    return scrolled(plain_table(head, lines), "hands") + more


def plain_table(head: Iterable[str], lines: Iterable[str]) -> str:
    """A table of rows that are HTML."""
    cells = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    return f'<table class="plain"><tr>{cells}</tr>{"".join(lines)}</table>'


def scrolled(content: str, name: str) -> str:
    """A scrollable element, also by keys."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}">'
        f"{content}</div>"
    )


def mix_bar(shares: Iterable[float], colours: Iterable[str]) -> str:
    stripes = "".join(
        f'<span style="width:{100 * share:.2f}%;background:{colour}"></span>'
        for share, colour in zip(shares, colours, strict=True)
        if share > 0
    )
    return f'<div class="bars" aria-hidden="true">{stripes}</div>'


def share_text(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.1%}"


def number_text(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "–"
    return f"{value:,.3f}".rstrip("0").rstrip(".")


def _row(
    row: dict[str, Any], words: list[str], colours: list[str], has_equity: bool, has_value: bool
) -> str:
    cells = [cards_html(row["hand"]), number_text(row["weight"]), share_text(row["share"])]
    cells += [share_text(row["equity"])] * has_equity + [number_text(row["ev"])] * has_value
    told = "".join(f"<td>{each}</td>" for each in cells)
    if words:
        told += f'<td class="wide">{mix_bar((row[word] for word in words), colours)}</td>'
        told += "".join(f"<td>{share_text(row[word])}</td>" for word in words)
        if has_value:
            told += "".join(f"<td>{number_text(row[f'ev {word}'])}</td>" for word in words)
    return f'<tr data-hand="{escape(row["hand"])}">{told}</tr>'


def class_table_html(node: NodeView, seat: int) -> str:
    """The table of the hands of a seat; each class is a button with its name in `data-cell`."""
    is_turn = seat == node.actor
    colours = choice_colours(node.choices) if is_turn else []
    cells = class_cells(node, seat)
    total = sum(each.weight * each.hands for each in cells)
    head = ["class", "hands", "weight", "share"]
    head += ["mix", *(each.word for each in node.choices)] if is_turn else []
    rows = [_class_row(each, total, colours) for each in cells]
    note = ""
    if node.hands_in_all:
        told = f"A sample of {len(node.seats[seat].hands):,} of {node.hands_in_all:,} hands."
        note = f'<p class="dim">{told}</p>'
    return note + scrolled(plain_table(head, rows), "classes of hands")


def _class_row(cell: Cell, total: float, colours: list[str]) -> str:
    name = escape(cell.name)
    share = cell.weight * cell.hands / total if total > 0 else float("nan")
    button = f'<button class="plainlink" data-cell="{name}">{name}</button>'
    cells = [button, f"{cell.hands:,}", number_text(cell.weight), share_text(share)]
    told = "".join(f"<td>{each}</td>" for each in cells)
    if colours:
        mix = cell.mix or [float("nan")] * len(colours)
        bar = mix_bar((0 if each != each else each for each in mix), colours)
        told += f'<td class="wide">{bar}</td>'
        told += "".join(f"<td>{share_text(each)}</td>" for each in mix)
    return f'<tr data-class="{name}">{told}</tr>'

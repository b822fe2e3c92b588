# SPDX-License-Identifier: MIT
"""A node in words: its board, pot and ranges, its choices, and the line that led to it."""

from html import escape

from regretless.explorer.node_view import NodeView
from regretless.histories.lines import LineSpot
from regretless.web.parts.node_tables import mix_bar, number_text, plain_table, share_text
from regretless.web.parts.palette import cards_html, choice_colours

_NEXT_STREETS = {0: "flop", 3: "turn", 4: "river"}  # by cards on the board


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
        f"<tr><td>{escape(each.name)}</td><td>{number_text(each.combos)}</td>"
        f"<td>{share_text(each.equity)}</td><td>{number_text(each.value)}</td></tr>"
        for each in node.seats
    ]
    table = plain_table(["range", "combos", "equity", f"EV, {node.unit}"], rows)
    return f'<div class="text-lg mb-2">{" · ".join(parts)}</div><div class="max-w-lg">{table}</div>'


def choices_html(node: NodeView, here: LineSpot) -> tuple[str, str]:
    """The mix over all hands as a bar, and a button for each choice."""
    colours = choice_colours(node.choices)
    shares = (0 if each.share != each.share else each.share for each in node.choices)
    buttons = "".join(
        f'<button class="choice" data-line="{escape(to.line)}">'
        f'<span class="swatch" style="background:{colour}"></span><span class="words">'
        f"<b>{escape(each.text)}</b><span>{share_text(each.share)}"
        f"{'' if each.value != each.value else f' · EV {number_text(each.value)}'}</span>"
        f"<kbd>key {number}</kbd></span></button>"
        for number, (each, to, colour) in enumerate(
            zip(node.choices, here.choices, colours, strict=True), 1
        )
    )
    return mix_bar(shares, colours), f'<div class="flex flex-wrap gap-2">{buttons}</div>'


def crumbs_html(spots: list[LineSpot], node: NodeView) -> str:
    """The places along the line, each with its choices."""
    return f'<div class="crumbs">{"".join(_crumb(spot, node) for spot in spots)}</div>'


def cards_wanted(node: NodeView, count: int) -> str:
    """The request for public cards, `count` of which are missing."""
    num_board = len(node.board) // 2
    street = _NEXT_STREETS.get(num_board, "board") if node.ranks else "board"
    return f"Choose {count} card{'s' if count > 1 else ''} for the {street}."


def _crumb(spot: LineSpot, node: NodeView) -> str:
    """A place with its choices; the one that was taken is marked, and any can be pressed."""
    here = "" if spot.chosen else " here"
    if not spot.choices:
        text = cards_html(spot.chosen) if spot.chosen else "end" if not spot.cards_due else "…"
        top = f'<div class="top">{escape(spot.street.split(" ")[0]) or "end"}</div>'
        note = ' aria-label="other cards"' if spot.chosen else ""
        return (
            f'<div class="crumb{here}">{top}<button data-line="{escape(spot.line)}"{note}>{text}'
            f"</button><div class='px-2 dim'>pot {spot.pot:,}</div></div>"
        )
    stack = f" {spot.stack:,}" if spot.stack else ""
    buttons = "".join(
        f'<button data-line="{escape(each.line)}" aria-pressed="'
        f'{"true" if each.word == spot.chosen else "false"}">{escape(each.text)}</button>'
        for each in spot.choices
    )
    top = f'<div class="top"><b>{escape(node.seats[spot.actor].name)}</b>{stack}</div>'
    return f'<div class="crumb{here}">{top}{buttons}</div>'

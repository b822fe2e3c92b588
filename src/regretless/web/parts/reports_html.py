# SPDX-License-Identifier: MIT
"""Reports as tables: a range by made hand and draw, and all next cards."""

from collections.abc import Sequence
from html import escape
from typing import Any

from regretless.explorer.node_view import NodeView
from regretless.explorer.runouts import mean_runout
from regretless.web.parts.html import cards_html, dim, mix_bar, row, scrolled, table
from regretless.web.parts.palette import choice_colours
from regretless.web.parts.texts import number_text, share_text


def classes_html(node: NodeView, seat: int) -> str:
    """The hands of a seat that arrive, by made hand and by draw; empty before the flop."""
    choices = node.choices if seat == node.actor else []
    words, colours = [each.word for each in choices], choice_colours(choices)
    found = ""
    for by, name in (("made", "made hand"), ("draw", "draw")):
        rows = [
            row(
                [
                    escape(each["class"].replace("-", " ")),
                    share_text(each["share"]),
                    share_text(each["equity"]),
                    number_text(each["ev"]),
                    *([mix_bar([each[word] or 0.0 for word in words], colours)] if words else []),
                    *(share_text(each[word]) for word in words),
                ],
                data_class=each["class"],
            )
            for each in node.class_rows(seat, by)
        ]
        head = [name, "share", "equity", "EV", *(["mix", *words] if words else [])]
        found += scrolled(table(head, rows), f"range by {name}") if rows else ""
    return found


def runouts_html(rows: Sequence[dict[str, Any]]) -> str:
    """Next cards with the frequencies behind them, and EV and equity of both players."""
    if not rows:
        return dim("No card is due here.")
    mean = mean_runout(rows)
    names = [name for name in mean if name not in ("card", "cards")]

    def line(each: dict[str, Any]) -> str:
        cards = cards_html(each["cards"].replace(" ", "")) if each["cards"] else "<b>all</b>"
        figures = [
            number_text(each[name]) if name.startswith("ev ") else share_text(each[name])
            for name in names
        ]
        return row([cards, *figures], data_card=each["card"])

    return scrolled(table(["card", *names], map(line, [*rows, mean])), "next cards")

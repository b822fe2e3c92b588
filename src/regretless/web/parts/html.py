# SPDX-License-Identifier: MIT
"""HTML that several pages share: elements, tables, cards, bars of a mix."""

from collections.abc import Iterable
from html import escape

SUITS = {"s": ("♠", "spades"), "h": ("♥", "hearts"), "d": ("♦", "diamonds"), "c": ("♣", "clubs")}


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An element; `content` is HTML.

    `class_` and `data_line` are written `class` and `data-line`; attributes that are None are left
    out.
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{told}>{content}</{name}>"


def row(cells: Iterable[str], **attributes: object) -> str:
    """A row of a table, from cells that are HTML."""
    return tag("tr", "".join(tag("td", each) for each in cells), **attributes)


def table(head: Iterable[str], rows: Iterable[str], class_: str = "plain") -> str:
    """A table of rows that are HTML; texts of `head` without a name are no headings."""
    cells = "".join(tag("th", escape(each), scope="col") if each else "<td></td>" for each in head)
    return tag("table", tag("tr", cells) + "".join(rows), class_=class_)


def scrolled(content: str, name: str) -> str:
    """A scrollable element, also by keys."""
    return tag("div", content, class_="scroll", tabindex=0, role="region", aria_label=name)


def dim(text: str) -> str:
    """A line of less weight."""
    return tag("p", escape(text), class_="dim")


def dim_words(text: str) -> str:
    """Words of less weight within a line."""
    return tag("span", escape(text), class_="dim") if text else ""


def link(text: str, target: str) -> str:
    return tag("a", escape(text), class_="plainlink", href=target)


def mix_bar(shares: Iterable[float], colours: Iterable[str]) -> str:
    """Shares of choices as a bar; shares that are not known are left out."""
    stripes = "".join(
        tag("span", style=f"width:{100 * share:.2f}%;background:{colour}")
        for share, colour in zip(shares, colours, strict=True)
        if share > 0
    )
    return tag("div", stripes, class_="bars", aria_hidden="true")


def cards_html(text: str) -> str:
    """`Jc9d` as small cards; other text stays as it is."""
    ranks, suits = text[::2], text[1::2]
    if len(ranks) != len(suits) or any(suit not in SUITS for suit in suits):
        return escape(text)
    cards = ""
    for rank, suit in zip(ranks, suits, strict=True):
        symbol, name = SUITS[suit]
        shown = {"class_": f"card suit-{suit}", "role": "img", "aria_label": f"{rank} of {name}"}
        cards += tag("span", rank + symbol, **shown)
    return cards

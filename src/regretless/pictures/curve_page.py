# SPDX-License-Identifier: MIT
"""Curves and a table of where they end, as one HTML file that needs nothing else."""

import html
from collections.abc import Sequence

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; }
.wide { overflow-x: auto; }
svg { width: 100%; min-width: 42rem; height: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: right; white-space: nowrap;
  border-bottom: 1px solid #ddd; }
th:nth-child(-n+3), td:nth-child(-n+3) { text-align: left; }
"""


def curve_page(title: str, svg: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """`svg` is put in as it is; everything else is text. Columns from the fourth on are figures."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            f"<h1>{html.escape(title)}</h1>",
            f'<div class="wide">{svg}</div>',
            '<div class="wide"><table>',
            _row("th", headings),
            *(_row("td", row) for row in rows),
            "</table></div>",
            "</html>",
            "",
        ]
    )


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

# SPDX-License-Identifier: MIT
"""Results as tables: HTML for notebooks, CSV, LaTeX, pandas and Arrow from the same columns."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from regretless.errors import needing
from regretless.pictures.colours import GREEN, ORANGE, PURPLE, SKY, VERMILION, YELLOW

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table as ArrowTable

_MOST_ROWS = 30  # of a table in a notebook
_LATEX = {each: f"\\{each}" for each in "&%$#_{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}


@dataclass(frozen=True, eq=False)
class ResultTable:
    """Columns of equal length by name; None stands for an unknown value."""

    columns: Mapping[str, Sequence[Any]]
    title: str = ""

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Any]], title: str = "") -> "ResultTable":
        """Makes a table of rows that may lack some of the keys."""
        found = list(rows)
        names = dict.fromkeys(key for row in found for key in row)
        return cls({name: [row.get(name) for row in found] for name in names}, title)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return list(zip(*self.columns.values(), strict=True))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self) -> str:
        return f"<ResultTable {len(self):,} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """The first rows, for a notebook."""
        rows = self.rows
        more = f"<p>and {len(rows) - _MOST_ROWS:,} more rows</p>" if len(rows) > _MOST_ROWS else ""
        return table_html(self.columns, rows[:_MOST_ROWS], self.title) + more

    def to_csv(self) -> str:
        """The table with a heading, as in RFC 4180; unknown values are empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return out.getvalue()

    def to_latex(self) -> str:
        """A `tabular` with rules of the package booktabs; figures are right-aligned."""
        aligned = "".join("l" if _is_text(each) else "r" for each in self.columns.values())
        lines = [_latex_line(self.columns), "\\midrule", *map(_latex_line, self.rows)]
        begin = [f"\\begin{{tabular}}{{{aligned}}}", "\\toprule"]
        return "\n".join([*begin, *lines, "\\bottomrule", "\\end{tabular}"]) + "\n"

    def to_pandas(self) -> "DataFrame":
        """A pandas DataFrame; InputError if pandas is not installed."""
        with needing("to_pandas", "pandas"):
            from pandas import DataFrame
        return DataFrame(dict(self.columns))

    def to_arrow(self) -> "ArrowTable":
        """An Arrow table; InputError if pyarrow is not installed."""
        with needing("to_arrow", "pyarrow"):
            from pyarrow import table
        return table({name: list(each) for name, each in self.columns.items()})


class Tabular:
    """Adds the forms of its `table` to a result."""

    def table(self) -> ResultTable:
        """The result as a table."""
        raise NotImplementedError

    def to_pandas(self) -> "DataFrame":
        """The table as a pandas DataFrame: pip install 'regretless[pandas]'."""
        return self.table().to_pandas()

    def to_arrow(self) -> "ArrowTable":
        """The table as an Arrow table: pip install 'regretless[pandas]'."""
        return self.table().to_arrow()

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def table_html(
    head: Iterable[str], rows: Iterable[Iterable[Any]], title: str = "", *, facts: bool = False
) -> str:
    """A table in HTML; with `facts` the first cell of each row is its heading."""
    names = list(head)
    top = f'<caption style="white-space:nowrap">{escape(title)}</caption>' if title else ""
    if names:
        top += f"<thead><tr>{''.join(f'<th>{escape(each)}</th>' for each in names)}</tr></thead>"
    body = ""
    for first, *rest in rows:
        tag = "th" if facts else "td"
        cells = "".join(f"<td>{escape(cell_text(each))}</td>" for each in rest)
        body += f"<tr><{tag}>{escape(cell_text(first))}</{tag}>{cells}</tr>"
    return f"<table>{top}<tbody>{body}</tbody></table>"


def facts_html(title: str, facts: Mapping[str, Any]) -> str:
    """A table with one line for each fact that is known."""
    known = ((name, value) for name, value in facts.items() if value is not None)
    rows = [(name.replace("_", " "), value) for name, value in known]
    return table_html((), rows, title, facts=True)


def share_colours(words: Sequence[str]) -> list[str]:
    """A colour for each action by its word in a line: folding has its own, as in the browser."""
    others = (*_COLOURS, *[_COLOURS[-1]] * len(words))
    rest = iter(others if {"x", "c"} & {*words} else others[1:])
    return [SKY if word == "f" else next(rest) for word in words]


def legend_html(texts: Sequence[str], colours: Sequence[str]) -> str:
    """The actions on their colours, in one line."""
    style = "color:#000;padding:0 4px;margin-right:4px"
    pairs = zip(texts, colours, strict=True)
    return "".join(
        f'<span style="background:{colour};{style}">{escape(text)}</span>' for text, colour in pairs
    )


def grid_html(
    names: Sequence[Sequence[str]],
    shares: Sequence[Sequence[Sequence[float]]],
    colours: Sequence[str] = (ORANGE,),
) -> str:
    """Classes of hands as a square; a cell is filled from the bottom by its shares in order.

    `shares` [rows][columns] are parts of 1, one for each colour.
    """
    body = ""
    for row, parts in zip(names, shares, strict=True):
        cells = (_grid_cell(name, each, colours) for name, each in zip(row, parts, strict=True))
        body += f"<tr>{''.join(cells)}</tr>"
    return f'<table style="{_GRID}">{body}</table>'


_COLOURS = (GREEN, YELLOW, ORANGE, VERMILION, PURPLE, "#b9b9e0")
_GRID = "font-size:10px;text-align:center;color:#000;background:#eee"


def _grid_cell(name: str, shares: Sequence[float], colours: Sequence[str]) -> str:
    """A cell whose lower part is filled; hard stops, of which the last leaves the rest clear."""
    stops, done = [], 0.0
    for colour, share in zip(colours, shares, strict=False):
        begin, done = done, done + 100 * share
        if share > 0:
            stops.append(f"{colour} {begin:.0f}% {done:.0f}%")
    if not stops:
        return f"<td>{escape(name)}</td>"
    fill = ",".join([*stops, f"#0000 {done:.0f}%"])
    title = " ".join(f"{share:.0%}" for share in shares)
    return (
        f'<td style="background:linear-gradient(0deg,{fill})" title="{title}">{escape(name)}</td>'
    )


def cell_text(value: Any) -> str:
    """A value for a reader: six digits at most, and nothing for what is unknown."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _latex_line(cells: Iterable[Any]) -> str:
    texts = ("".join(_LATEX.get(sign, sign) for sign in cell_text(each)) for each in cells)
    return " & ".join(texts) + " \\\\"


def _is_text(column: Sequence[Any]) -> bool:
    return any(isinstance(each, str) for each in column)

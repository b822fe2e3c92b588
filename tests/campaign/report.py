# SPDX-License-Identifier: MIT
"""The figures of a campaign as a page in Markdown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parts import Part

BEGIN, END = "<!-- figures of the campaign -->", "<!-- end of figures -->"


def figures(rows: Sequence[Mapping[str, Any]], parts: Mapping[str, Part]) -> str:
    """Returns one table of parts and one list of the kinds of findings."""
    hours = max((row["clock"] for row in rows), default=0) / 3600
    seeds = ", ".join(sorted({str(row["seed"]) for row in rows}))
    lines = [
        f"{hours:.2f} hours, {len(rows):,} turns, seed {seeds}.",
        "",
        "| part | work | turns | CPU hours at most | figures | kinds of findings |",
        "|---|---|---|---|---|---|",
    ]
    for name, part in parts.items():
        mine = [row for row in rows if row["part"] == name]
        counts: Counter[str] = Counter()
        for row in mine:
            counts.update(row["counts"])
        shown = "; ".join(f"{n:,} {noun}" for noun, n in counts.items() if ":" not in noun)
        kinds = {each["kind"] for row in mine for each in row["findings"]}
        spent = sum(row["seconds"] for row in mine) / 3600
        lines.append(
            f"| {name} | {part.about} | {len(mine):,} | {spent:.2f} | {shown} | {len(kinds)} |"
        )
    found = Counter(each["kind"] for row in rows for each in row["findings"])
    lines += ["", *(f"- {kind}: {n:,}" for kind, n in found.most_common())]
    return "\n".join(lines).rstrip() + "\n"


def write_report(rows: Sequence[Mapping[str, Any]], parts: Mapping[str, Part], path: Path) -> None:
    """Writes the figures between two marks of a page, or a page that has only them."""
    text = path.read_text(encoding="utf-8") if path.exists() else f"{BEGIN}\n{END}\n"
    if BEGIN not in text:
        text = f"{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n{figures(rows, parts)}{END}{after}", encoding="utf-8")

# SPDX-License-Identifier: MIT
"""The figures of a campaign as a page in Markdown."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from parts import Part

BEGIN, END = "<!-- figures of the campaign -->", "<!-- end of figures -->"
Rows = Sequence[Mapping[str, Any]]


def figures(rows: Rows, parts: Mapping[str, Part]) -> str:
    """Returns a table of parts, what they did in detail, and the kinds of findings."""
    hours = max((row["clock"] for row in rows), default=0) / 3600
    spent = sum(row["seconds"] for row in rows) / 3600
    seeds = ", ".join(sorted({str(row["seed"]) for row in rows}))
    machines = ", ".join(sorted({f"{row['machine']}, Python {row['python']}" for row in rows}))
    lines = [
        f"{hours:.2f} hours, {len(rows):,} turns of {spent:.2f} hours together, seed {seeds} "
        f"({machines}).",
        "",
        "| part | work | turns | hours | figures | findings |",
        "|---|---|---|---|---|---|",
    ]
    for name, part in parts.items():
        mine = [row for row in rows if row["part"] == name]
        counts = _sum(mine)
        shown = "; ".join(f"{n:,} {noun}" for noun, n in counts.items() if ": " not in noun)
        kinds = {each["kind"] for row in mine for each in row["findings"]}
        time = sum(row["seconds"] for row in mine) / 3600
        lines.append(
            f"| {name} | {part.about} | {len(mine):,} | {time:.2f} | {shown} | {len(kinds)} |"
        )
    details = [*_details(_sum(rows))]
    found = Counter(each["kind"] for row in rows for each in row["findings"])
    kinds = [f"- {kind}: {n:,}" for kind, n in found.most_common()] or ["None."]
    lines += ["", *details, "", "Kinds of findings, with the number of times:", "", *kinds]
    return "\n".join(lines).rstrip() + "\n"


def _sum(rows: Rows) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row["counts"])
    return counts


def _details(counts: Mapping[str, int]) -> Iterator[str]:
    """Yields one line for each noun that is counted by kind: `kills: solve`."""
    nouns = dict.fromkeys(name.partition(": ")[0] for name in counts if ": " in name)
    for noun in nouns:
        kinds = {
            name.partition(": ")[2]: n for name, n in counts.items() if name.startswith(f"{noun}: ")
        }
        shown = ", ".join(f"{kind} {n:,}" for kind, n in sorted(kinds.items()))
        yield f"- {noun}: {shown}."


def write_report(rows: Rows, parts: Mapping[str, Part], path: Path) -> None:
    """Writes the figures between two marks of a page, or a page that has only them."""
    text = path.read_text(encoding="utf-8") if path.exists() else f"{BEGIN}\n{END}\n"
    if BEGIN not in text:
        text = f"{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n{figures(rows, parts)}{END}{after}", encoding="utf-8")

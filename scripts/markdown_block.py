# SPDX-License-Identifier: MIT
"""A part of a page that a program writes: what stands between two comments of the same name."""

import re
from pathlib import Path


def replace_block(page: Path, name: str, text: str) -> None:
    """Put `text` between `<!-- name begin -->` and `<!-- name end -->`."""
    begin, end = f"<!-- {name} begin -->", f"<!-- {name} end -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    whole = page.read_text(encoding="utf-8")
    if len(pattern.findall(whole)) != 1:
        raise ValueError(f"{page}: no place for {name!r}")
    page.write_text(pattern.sub(lambda _: f"{begin}\n{text}\n{end}", whole), encoding="utf-8")

# SPDX-License-Identifier: MIT
"""Links and anchors in all Markdown and in the notebooks lead somewhere."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_OUTSIDE = ("build", "dist", "runs", ".venv", "src/regretless/shipped")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"[a-z]+:")


def texts() -> dict[Path, str]:
    """Returns the Markdown of every page and notebook of the repository."""
    found = {}
    for path in sorted(ROOT.rglob("*.md")):
        if not str(path.relative_to(ROOT)).startswith((*_OUTSIDE, ".")):
            found[path] = path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "examples").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        written = ["".join(each["source"]) for each in cells if each["cell_type"] == "markdown"]
        found[path] = "\n\n".join(written)
    return found


def slug(heading: str) -> str:
    """Returns the anchor that GitHub gives a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip())
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


@cache
def anchors(path: Path) -> set[str]:
    """Returns the anchors of a page; equal headings are numbered."""
    found: set[str] = set()
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", text, re.MULTILINE):
        anchor, number = slug(heading), 0
        while (name := anchor if number == 0 else f"{anchor}-{number}") in found:
            number += 1
        found.add(name)
    return found


@pytest.mark.parametrize("path", texts(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links(path: Path) -> None:
    dead = []
    for link in _LINK.findall(_CODE.sub("", texts()[path])):
        if _ADDRESS.match(link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        is_there = target.exists() and target.is_relative_to(ROOT)
        if not is_there or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert not dead


def test_every_page_is_in_the_site() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert not [page for page in pages if page not in site]


def test_every_algorithm_has_equations() -> None:
    for path in (ROOT / "docs" / "algorithms").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert 3 <= text.count("```math") <= 7, path.name
        for formula in re.findall(r"^```math\n(.*?)^```", text, re.M | re.S):
            assert formula.count("{") == formula.count("}"), (path.name, formula)
            assert formula.count("\\begin") == formula.count("\\end"), (path.name, formula)
        outside = _CODE.sub("", text)
        assert outside.count("$") % 2 == 0, path.name

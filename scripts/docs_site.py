# SPDX-License-Identifier: MIT
"""Hooks of mkdocs.yml: which files are pages, and formulas as MathML, which needs no script.

`make docs` builds the site in build/site. Folders of the repository keep their places, so that a
link that works on GitHub works on the site; links to source code become plain code.
"""

import re
import shutil
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "native/README.md", "docs")
_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$\w])\$([^$\n]+?)\$(?![\w$])")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)")


def on_config(config: Any) -> Any:
    """Gathers the pages below the folder that MkDocs reads."""
    source = Path(config.docs_dir)
    shutil.rmtree(source, ignore_errors=True)
    for name in PAGES:
        path, target = ROOT / name, source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target)
        elif path.exists():
            shutil.copy(path, target)
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Renders inline formulas, and takes links off that lead to no page."""
    folder = Path(page.file.src_uri).parent
    parts = _CODE.split(markdown)
    for place in range(0, len(parts), 2):  # outside code
        parts[place] = _INLINE.sub(_inline, parts[place])
    return _LINK.sub(lambda found: _link(found, folder, Path(config.docs_dir)), "".join(parts))


def _inline(found: re.Match[str]) -> str:
    """A span, because a line that begins with `<math` would be a block of its own."""
    return f"<span>{_math(found[1], 'inline')}</span>"


def display_math(
    source: str, language: str, css_class: str, options: Any, md: Any, **_: Any
) -> str:
    """Renders a block of ```math."""
    return f'<div class="{css_class}">{_math(source, "block")}</div>'


def _math(source: str, display: str) -> str:
    return str(convert(source.strip(), display=display))


def _link(found: re.Match[str], folder: Path, source: Path) -> str:
    target = source / folder / found[2]
    if target.is_file():
        return found[0]
    return found[1] if found[1].startswith("`") else f"`{found[2].lstrip('./')}` ({found[1]})"

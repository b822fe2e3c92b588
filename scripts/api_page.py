# SPDX-License-Identifier: MIT
"""Writes docs/api.md and `__init__.pyi` from the table of public names and their docstrings.

python scripts/api_page.py          # a test checks that both are up to date
"""

import inspect
import re
from pathlib import Path
from typing import Any

import regretless

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
SOURCE = Path(__file__).parent.parent / "src" / "regretless" / "__init__.py"
STUB = SOURCE.with_suffix(".pyi")

INTRODUCTION = """# The public names

Everything here comes from `regretless` itself: `from regretless import load_game, solve, match`.
A name is imported when it is first used, so `import regretless` loads neither PyTorch nor SciPy.
Other names are imported from their modules, such as `regretless.algorithms.cfr`, and may change
without notice. `scripts/api_page.py` writes this page from the docstrings.
"""


def page() -> str:
    """Returns the text of docs/api.md."""
    parts = [INTRODUCTION]
    for heading, names in groups().items():
        parts.append(f"\n## {heading}\n")
        parts += [_entry(name) for name in names]
    return "\n".join(parts)


def stub() -> str:
    """Returns the text of `__init__.pyi`: the public names for type checkers."""
    imports = [
        f"from {module} import {name} as {name}" for name, module in regretless.PUBLIC.items()
    ]
    head = "# SPDX-License-Identifier: MIT\n# Written by scripts/api_page.py.\n"
    values = "__version__: str\nPUBLIC: dict[str, str]\n"
    return head + "\n".join(sorted(imports)) + "\n\n" + values


def groups() -> dict[str, list[str]]:
    """Returns the names below each comment of the table."""
    found: dict[str, list[str]] = {}
    table = SOURCE.read_text(encoding="utf-8").split("PUBLIC = {")[1].split("\n}")[0]
    for line in table.splitlines():
        if line.strip().startswith("#"):
            heading = line.strip(" #")
            found[heading] = []
        elif name := re.match(r'\s+"(\w+)":', line):
            found[heading].append(name[1])
    return found


def _entry(name: str) -> str:
    thing = getattr(regretless, name)
    if isinstance(thing, int):
        return f"**`{name}`**: the number {thing}, as `PythonGame.actor` says it.\n"
    if not inspect.isclass(thing) and not callable(thing):  # a union of types
        return f"**`{name}`**: {' or '.join(f'`{each.__name__}`' for each in thing.__args__)}.\n"
    text = " ".join((inspect.getdoc(thing) or "").split())
    members = f" Members: {_members(thing)}." if _members(thing) else ""
    return f"**`{_signature(name, thing)}`**: {text}{members}\n"


def _members(thing: Any) -> str:
    """Lists the members that a class defines itself; nothing for a function."""
    if not inspect.isclass(thing):
        return ""
    own = dict.fromkeys([*inspect.get_annotations(thing), *vars(thing)])
    return ", ".join(f"`{each}`" for each in own if not each.startswith(("_", "model_")))


def _signature(name: str, thing: Any) -> str:
    """`solve(game, *, algorithm, ...)`: the names of parameters; a class has only its name."""
    if inspect.isclass(thing):
        return name
    parameters = inspect.signature(thing).parameters.values()
    texts, is_named = [], False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not is_named:
            texts.append("*")
        is_named = is_named or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        texts.append(stars + each.name)
    return f"{name}({', '.join(texts)})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")

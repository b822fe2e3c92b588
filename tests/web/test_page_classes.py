# SPDX-License-Identifier: MIT
"""Pages have no framework of CSS classes beside Quasar's: each class that they name is defined."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "src" / "regretless" / "web"
MARKS = {"painted", "suit-"}  # looked for by scripts, and not drawn; a name that is completed


def named_classes(tree: ast.AST) -> Iterator[str]:
    """Returns the names in `.classes("...")`, in `class_` of elements and in `class="..."`."""
    for node in ast.walk(tree):
        given: list[ast.AST] = []
        if isinstance(node, ast.Call):
            given = [each.value for each in node.keywords if each.arg in ("class_", "classes")]
            if getattr(node.func, "attr", None) == "classes":
                given += node.args
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            given = [value for key, value in pairs if getattr(key, "value", None) == "class_"]
        for each in (inner for part in given for inner in ast.walk(part)):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield from each.value.split()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for found in re.findall(r'class="([^"]*)"', node.value):
                yield from found.split()


def test_classes_of_pages_are_defined() -> None:
    nicegui = pytest.importorskip("nicegui")
    files = [*WEB.rglob("*.css"), *(Path(nicegui.__file__).parent / "static").glob("quasar.*.css")]
    defined = set(re.findall(r"\.([\w-]+)", "".join(path.read_text("utf-8") for path in files)))
    named = {
        name: path.name
        for path in (*WEB.glob("pages/*.py"), *WEB.glob("parts/*.py"))
        for name in named_classes(ast.parse(path.read_text("utf-8")))
    }
    missing = {name: file for name, file in named.items() if name not in defined | MARKS}
    assert len(named) > 60 and not missing

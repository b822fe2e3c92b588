# SPDX-License-Identifier: MIT
"""Runs the cells of a notebook without Jupyter, and writes their outputs into it.

`python tests/drivers/notebook_cells.py examples/notebooks/*.ipynb` refreshes the outputs.
"""

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the cells with code, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, scope: dict[str, Any], place: str) -> list[dict[str, Any]]:
    """Runs a cell; returns what it prints, and its last expression as a notebook shows it."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, outputs, value = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, place, "exec"), scope)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), scope)
    if printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
        )
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = _lines(value._repr_html_())
        outputs.append({"data": data, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run_notebook(path: Path) -> dict[str, Any]:
    """Runs all cells in a new folder; returns the notebook with the outputs."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    scope: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for number, cell in enumerate(code_cells(notebook), 1):
                outputs = run_cell("".join(cell["source"]), scope, f"{path.name}, cell {number}")
                for each in outputs:
                    if each["output_type"] == "execute_result":
                        each["execution_count"] = number
                cell["execution_count"], cell["outputs"] = number, outputs
        finally:
            os.chdir(before)
    return notebook


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        made = run_notebook(Path(name).resolve())
        text = json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True)
        Path(name).write_text(text + "\n", encoding="utf-8")

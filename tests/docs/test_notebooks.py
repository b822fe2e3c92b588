# SPDX-License-Identifier: MIT
"""The notebooks of examples/notebooks run from their first cell to their last."""

import json
from pathlib import Path

import pytest

from notebook_cells import code_cells, run_notebook

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    pytest.importorskip("pyspiel")
    saved = json.loads(path.read_text(encoding="utf-8"))
    found = run_notebook(path)
    for before, after in zip(code_cells(saved), code_cells(found), strict=True):
        kinds = [each["output_type"] for each in after["outputs"]]
        assert [each["output_type"] for each in before["outputs"]] == kinds, after["source"]
        data = [key for each in before["outputs"] for key in each.get("data", ())]
        assert {*data} <= {"text/plain", "text/html"}  # no pictures, which would be noise


def test_the_notebooks_are_small() -> None:
    assert len(NOTEBOOKS) == 3
    assert all(path.stat().st_size < 40_000 for path in NOTEBOOKS)

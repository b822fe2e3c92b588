# SPDX-License-Identifier: MIT
"""Imports go down the layers of ARCHITECTURE.md, never up, and `import regretless` stays light."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "regretless"

# Lowest first; a module may import its own layer and those before it.
LAYERS = (
    {"_native", "levels", "errors", "__init__"},
    {"games"},
    {"options", "overrides", "config"},
    {"strategy_table"},
    {"policy", "hand_mixes", "beliefs"},
    {"algorithm"},
    {"search", "learning", "evaluation", "cfr_problem", "tensors"},
    {"algorithms"},
    {"solving", "storage", "forecast", "train", "benchmarks"},
    {"cli", "web", "distributed"},
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def _layer(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        found |= {m.split(".")[1] for m in modules if m.startswith("regretless.")}
    return found


def test_every_module_has_a_layer() -> None:
    assert {_layer(path) for path in SOURCE.rglob("*.py")} <= set(RANK)


def test_imports_go_down() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in SOURCE.rglob("*.py")
        for name in _imports(path)
        if name in RANK and RANK[name] > RANK[_layer(path)]
    ]
    assert not wrong


def test_algorithms_do_not_import_each_other() -> None:
    names = {path.stem for path in (SOURCE / "algorithms").glob("*.py")} - {"__init__"}
    for path in (SOURCE / "algorithms").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        others = [n for n in names - {path.stem} if f"regretless.algorithms.{n} " in text]
        assert not others or path.stem == "__init__", (path.name, others)


def test_import_is_light() -> None:
    script = "import sys, regretless, regretless.games; print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == "False", result.stderr

# SPDX-License-Identifier: MIT
"""The layers drawn in ARCHITECTURE.md hold: imports and includes go down, never up."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE, NATIVE = ROOT / "src" / "regretless", ROOT / "native"
PACKAGE = "regretless"


def drawn_ranks() -> tuple[dict[str, int], dict[str, int]]:
    """Returns the drawn rank of each Python module or folder, and of each native folder."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawing = text.split("## The map")[1].split("```")[1]
    above, _, below = drawing.partition("──  _native")
    rows = [re.split(r" {2,}", line.strip())[0] for line in above.splitlines() if line.strip(" ─")]
    python = {name: -row for row, names in enumerate(rows) for name in names.split(" · ")}
    (native,) = (line for line in below.splitlines() if "→" in line)
    folders = re.split(r" {2,}", native.strip())[0].split(" → ")
    return python, {name: -row for row, name in enumerate(folders)}


def room_of(path: Path) -> str:
    """Returns the folder or the module at the top level of the package that holds a file."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def room_imports(path: Path) -> set[str]:
    """Returns the imports of a file, also those in texts such as `regretless.errors:InputError`."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and re.fullmatch(
            rf"{PACKAGE}(\.\w+)+(:\w+)?", str(node.value)
        ):
            found.append(str(node.value).split(":")[0])
    parts = [name.split(".") for name in found if name.startswith(f"{PACKAGE}.")]
    return {module for _, module, *_ in parts if _is_module(module)}


def _is_module(name: str) -> bool:
    return (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file()


def test_every_module_is_drawn() -> None:
    drawn, folders = drawn_ranks()
    # `_native` is the line between both halves, `__init__` the face over all of them.
    units = {room_of(path) for path in SOURCE.rglob("*.py")} - {"_native", "__init__", "__main__"}
    assert units == set(drawn)
    native = {path.name for path in NATIVE.iterdir() if path.is_dir()}
    assert native - {"bindings", "tests", "processor"} == set(folders)


def test_imports_go_down() -> None:
    rank, _ = drawn_ranks()
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in SOURCE.rglob("*.py")
        for name in room_imports(path)
        if name in rank and room_of(path) in rank and rank[name] > rank[room_of(path)]
    ]
    assert not wrong


def test_includes_go_down() -> None:
    _, rank = drawn_ranks()
    wrong = [
        f"{path.relative_to(NATIVE)} includes {name}"
        for path in [*NATIVE.rglob("*.h"), *NATIVE.rglob("*.cpp")]
        if (folder := path.relative_to(NATIVE).parts[0]) in rank
        for name in re.findall(r'^#include "(\w+)/', path.read_text(encoding="utf-8"), re.M)
        if rank.get(name, 1) > rank[folder]
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

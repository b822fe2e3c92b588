# SPDX-License-Identifier: MIT
"""The size and the shape of the code stay within limits, which are listed in one table."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from test_layers import NATIVE, ROOT, SOURCE, drawn_ranks, room_imports, room_of


class Limit(NamedTuple):
    """An upper bound on a count. Raising one needs a reason in the commit."""

    goal: int
    allowed: int
    """The bound that holds today: it only falls, down to the goal."""


LIMITS = {
    "lines of Python in src": Limit(38_000, 53_100),
    "lines of C++ in native": Limit(29_000, 31_310),
    "modules at the top level": Limit(8, 8),
    "Python files in a folder": Limit(15, 15),
    "methods of a class": Limit(25, 25),
    "functions over 60 lines": Limit(0, 0),
    "ranks in the drawing": Limit(12, 12),
    "docstrings that begin as a fragment": Limit(0, 0),
    "native comments that begin as a fragment": Limit(0, 0),
}

MOST_LINES = 60
PYTHON = ("src", "tests", "benchmarks", "scripts", "examples")
FRAGMENT = re.compile(r"(Of|What|How|Where|The same)\b")
NATIVE_FRAGMENT = re.compile(r"^\s*//+ (Of|What) ")


def _check(name: str, count: int, offenders: list[str]) -> None:
    limit = LIMITS[name]
    shown = "\n".join(offenders)
    assert count <= limit.allowed, f"{name}: {count}, at most {limit.allowed}\n{shown}"


def _python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _native_files() -> list[Path]:
    return sorted([*NATIVE.rglob("*.h"), *NATIVE.rglob("*.cpp")])


def _sizes(paths: list[Path]) -> Counter[str]:
    return Counter({_place(path): path.read_bytes().count(b"\n") for path in paths})


def _place(path: Path, line: int | None = None) -> str:
    place = str(path.relative_to(ROOT))
    return place if line is None else f"{place}:{line}"


def _nodes(*folders: str) -> Iterator[tuple[Path, ast.AST]]:
    for path in _python_files(*folders):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path, node


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("lines of Python in src", _python_files("src")),
        ("lines of C++ in native", _native_files()),
    ],
)
def test_lines(name: str, paths: list[Path]) -> None:
    sizes = _sizes(paths)
    largest = [f"{lines} {place}" for place, lines in sizes.most_common(20)]
    _check(name, sum(sizes.values()), largest)


def test_modules_at_the_top_level() -> None:
    faces = {"__init__", "__main__", "_native"}
    modules = [path.stem for path in sorted(SOURCE.glob("*.py")) if path.stem not in faces]
    _check("modules at the top level", len(modules), modules)


def test_files_in_a_folder() -> None:
    name = "Python files in a folder"
    counts = Counter(_place(path.parent) for path in _python_files(*PYTHON))
    over = [f"{count} {folder}" for folder, count in counts.items() if count > LIMITS[name].goal]
    _check(name, max(counts.values()), over)


def test_methods_of_a_class() -> None:
    name = "methods of a class"
    counts = {
        f"{_place(path, node.lineno)} {node.name}": sum(
            isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body
        )
        for path, node in _nodes(*PYTHON)
        if isinstance(node, ast.ClassDef)
    }
    over = [f"{count} {place}" for place, count in counts.items() if count > LIMITS[name].goal]
    _check(name, max(counts.values()), over)


def test_lines_of_a_function() -> None:
    long = []
    for path, node in _nodes(*PYTHON):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES:
                long.append(f"{lines} {_place(path, node.lineno)} {node.name}")
    _check("functions over 60 lines", len(long), long)


def test_ranks_in_the_drawing() -> None:
    python, _ = drawn_ranks()
    ranks = sorted(set(python.values()))
    _check("ranks in the drawing", len(ranks), [str(rank) for rank in ranks])


def test_rooms_have_no_cycles() -> None:
    """Neither from row to row nor within a row of the drawing."""
    needs: dict[str, set[str]] = {}
    rooms = set(drawn_ranks()[0])
    for path in _python_files("src"):
        if room_of(path) in rooms:
            needs.setdefault(room_of(path), set()).update(room_imports(path) & rooms)
    left = {room: others - {room} for room, others in needs.items()}
    while free := [room for room, others in left.items() if not others & left.keys()]:
        for room in free:
            del left[room]
    cycle = {room: sorted(others & left.keys()) for room, others in sorted(left.items())}
    assert not cycle, f"rooms that import each other: {cycle}"


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    found = [
        f"{place} {text.splitlines()[0]}"
        for path in _python_files(*PYTHON)
        for place, text in _docstrings(path)
        if FRAGMENT.match(text)
    ]
    _check("docstrings that begin as a fragment", len(found), found)


def test_native_comments_begin_with_a_verb_or_a_noun() -> None:
    found = [
        f"{_place(path, number)} {line.strip()}"
        for path in _native_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if NATIVE_FRAGMENT.match(line)
    ]
    _check("native comments that begin as a fragment", len(found), found)


def _docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """Yields texts that stand alone as a statement, those below fields included."""
    source = path.read_text(encoding="utf-8")
    before = tokenize.NEWLINE
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and before == tokenize.NEWLINE and '"""' in token.string:
            yield _place(path, token.start[0]), ast.literal_eval(token.string).strip()
        if token.type not in skipped:
            before = token.type

# SPDX-License-Identifier: MIT
"""Games answer for themselves (`games/face.py`): nothing else asks for the class of a game."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "regretless"
ROOMS = {"games", "explicit"}  # where the classes and their faces are
CLASSES = {
    *("Poker", "LiarsDice", "ExplicitGame", "TabularGame", "NativeGame", "PlayedGame"),
    *("PokerEpisode", "LiarsDiceEpisode", "ExplicitEpisode", "ExplicitTree", "PythonGame"),
}
MOST = 15


def test_few_places_ask_for_the_class_of_a_game() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).parts[0] not in ROOMS
        for node in ast.walk(ast.parse(path.read_text()))
        if _is_switch(node)
    ]
    assert len(found) <= MOST, found


def _is_switch(node: ast.AST) -> bool:
    """Whether a node is `isinstance` of a game's class, or a `case` of one."""
    if isinstance(node, ast.MatchClass):
        return bool(_names(node.cls) & CLASSES)
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if not is_call or node.func.id not in ("isinstance", "issubclass"):
        return False
    return bool(_names(node.args[1]) & CLASSES)


def _names(node: ast.AST) -> set[str]:
    """The last names in an expression: `_native.Poker | ExplicitGame`."""
    attributes = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    return attributes | {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}

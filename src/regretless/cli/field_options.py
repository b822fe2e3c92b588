# SPDX-License-Identifier: MIT
"""Options of a command from the fields of a dataclass; the text below a field is its help."""

import ast
import functools
import inspect
from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise
from typing import Annotated, Any, get_type_hints

import typer

Command = Callable[..., None]


def takes(kind: type[Any], *without: str) -> Callable[[Command], Command]:
    """Gives a command an option for each field, except `without`, in place of one parameter.

    The parameter is the one that is annotated with the dataclass.
    """
    hints, texts = get_type_hints(kind), _texts(kind)
    options = {}
    for each in (field for field in fields(kind) if field.name not in without):
        names = [f"--{each.name.replace('_', '-')}"]  # a flag has no opposite
        annotation = Annotated[hints[each.name], typer.Option(*names, help=texts[each.name])]
        options[each.name] = inspect.Parameter(
            each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=annotation
        )

    def take(command: Command) -> Command:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            made = kind(**{name: given.pop(name) for name in options})
            command(**given, **{taken: made})

        parameters: list[inspect.Parameter] = []
        taken = ""
        for each in inspect.signature(command).parameters.values():
            if each.annotation is kind:
                taken = each.name
                parameters += options.values()
            else:
                parameters.append(each)
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return take


def _texts(kind: type[Any]) -> dict[str, str]:
    """The text below each field of a class, in one line."""
    tree: Any = ast.parse(inspect.getsource(kind)).body[0]
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(tree.body)
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr)
    }

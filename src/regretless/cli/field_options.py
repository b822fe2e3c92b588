# SPDX-License-Identifier: MIT
"""Options of a command from the fields of a dataclass; the text below a field is its help."""

import ast
import functools
import inspect
from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise
from typing import Annotated, Any, cast, get_type_hints

import typer

Command = Callable[..., None]


def takes(kind: type[Any], *without: str) -> Callable[[Command], Command]:
    """Gives a command an option for each field, except `without`, in place of one parameter.

    The parameter is the one that is annotated with the dataclass.
    """
    hints, texts = get_type_hints(kind), _texts(kind)
    options, annotated = {}, cast(Any, Annotated)
    for each in (field for field in fields(kind) if field.name not in without):
        name = f"--{each.name.replace('_', '-')}"  # also of a flag, which then has no opposite
        options[each.name] = inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=each.default,
            annotation=annotated[hints[each.name], typer.Option(name, help=texts[each.name])],
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
    texts = {}
    tree: Any = ast.parse(inspect.getsource(kind)).body[0]
    for pair in pairwise(tree.body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                value=ast.Constant(value=str(text))
            ):
                texts[name] = " ".join(text.split())
    return texts

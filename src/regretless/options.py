# SPDX-License-Identifier: MIT
"""Reads options by name into their dataclass, and trees of values into pydantic models."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, TypeVar, get_type_hints

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from regretless.errors import InputError

Config = TypeVar("Config")
Model = TypeVar("Model", bound=BaseModel)

Count = Annotated[int, Field(ge=1)]
Natural = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]

_MOST = (1 << 63) - 1  # the largest integer of the native core
_BOUNDS = {"ge": "at least", "gt": "above", "le": "at most"}


class Options:
    """A base of config dataclasses, which checks the types and bounds of all fields.

    Bounds are in the annotations, such as `Count`. InputError names the field.
    """

    def __post_init__(self) -> None:
        for key, value in vars(self).items():
            _read(key, value, type(self), key)


@cache
def _adapter(config: type, key: str) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(config, include_extras=True)[key])


def read_options(
    config: type[Config], place: str, options: Mapping[str, Any], **fixed: Any
) -> Config:
    """Returns the dataclass of an algorithm or a measure with the options in its fields.

    `fixed` are fields that users cannot set. InputError names `place` and the option.
    """
    known = [field.name for field in fields(config) if field.name not in fixed]  # type: ignore[arg-type]
    for key in options:
        if key not in known:
            raise InputError.unknown(f"{place}: unknown option {key!r}", str(key), known)
    values = {key: _read(f"{place}: {key}", each, config, key) for key, each in options.items()}
    return config(**values, **fixed)


def _read(place: str, value: Any, config: type, key: str) -> Any:
    value = tuple(value) if isinstance(value, list) else value
    if isinstance(value, int) and abs(value) > _MOST:
        raise InputError(f"{place}: {value} is too large")
    try:
        return _adapter(config, key).validate_python(value, strict=True)
    except ValidationError as error:
        raise InputError(f"{place}: {_reason(error.errors()[0])}, not {value!r}") from None


def read_model(kind: type[Model], tree: Any, place: str, most_keys: int | None = None) -> Model:
    """Returns the model of a tree; InputError has `place` before the key.

    The key is a path, of which at most `most_keys` are named.
    """
    try:
        return kind.model_validate(tree)
    except ValidationError as error:
        # For a value of several possible types the longest path has the most specific complaint.
        problem = max(error.errors(), key=lambda each: len(each["loc"]))
        keys = [str(part) for part in problem["loc"][:most_keys]]
        raise InputError(f"{place}{_explain(kind, keys, problem)}") from None


def _explain(kind: Any, keys: list[str], problem: Any) -> str:
    where = ".".join(keys)
    if problem["type"] == "extra_forbidden":
        for key in keys[:-1]:
            kind = kind.model_fields[key].annotation
        return str(InputError.unknown(f"{where}: unknown key", keys[-1], kind.model_fields))
    if problem["type"] == "missing":
        return f"{where}: is missing"
    if problem["type"] == "value_error":
        return f"{where}{': ' if where else ''}{problem['ctx']['error']}"
    if problem["type"] in ("model_type", "dict_type"):
        return f"{where}: must be a mapping, not {problem['input']!r}"
    return f"{where}: {_reason(problem)}, not {problem['input']!r}"


def _reason(problem: Any) -> str:
    for key, bound in _BOUNDS.items():
        if key in problem.get("ctx", {}):
            return f"must be {bound} {problem['ctx'][key]:.12g}"
    message: str = problem["msg"]
    return f"{message[0].lower()}{message[1:]}"

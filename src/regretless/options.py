# SPDX-License-Identifier: MIT
"""Reads options by name, such as those of a config file, into their dataclass."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from regretless.errors import InputError

Config = TypeVar("Config")

_MOST = (1 << 63) - 1  # the largest integer of the native core


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
    types = get_type_hints(config)
    values = {key: _read(f"{place}: {key}", each, types[key]) for key, each in options.items()}
    return config(**values, **fixed)


def _read(place: str, value: Any, kind: Any) -> Any:
    value = tuple(value) if isinstance(value, list) else value
    if isinstance(value, int) and abs(value) > _MOST:
        raise InputError(f"{place}: {value} is too large")
    try:
        return TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        message = error.errors()[0]["msg"]
        raise InputError(f"{place}: {message[0].lower()}{message[1:]}, not {value!r}") from None

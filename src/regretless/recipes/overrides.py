# SPDX-License-Identifier: MIT
"""Dotted overrides of a config from the command line: `algorithm.name=dcfr budget.steps=500`."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from regretless.errors import InputError
from regretless.notation.strict_yaml import parse_yaml


def apply_overrides(
    tree: Mapping[str, Any], overrides: Sequence[str], named: Collection[str] = ()
) -> dict[str, Any]:
    """Returns a copy of a nested mapping with values replaced; their meaning is checked elsewhere.

    A value is YAML, such as `[1, 2]`, `null` and `1e-4`. A section among `named` may be set by its
    name alone: `game=leduc` drops all options of the game before.
    """
    result = dict(tree)
    for text in overrides:
        keys, value = _parse(text)
        if len(keys) == 1 and keys[0] in named and isinstance(value, str):
            value = {"name": value}
        _set(result, keys, value, text)
    return result


def _parse(text: str) -> tuple[list[str], Any]:
    key, sign, value = text.partition("=")
    keys = key.strip().split(".")
    if not sign or not all(keys):
        raise InputError(f"{text!r}: an override is key=value, such as budget.steps=500")
    return keys, parse_yaml(value, repr(text))


def _set(tree: dict[str, Any], keys: list[str], value: Any, text: str) -> None:
    for place, key in enumerate(keys[:-1]):
        below = tree.get(key)
        if below is not None and not isinstance(below, Mapping):
            raise InputError(f"{text!r}: {'.'.join(keys[: place + 1])} has no keys of its own")
        tree[key] = dict(below or {})
        tree = tree[key]
    tree[keys[-1]] = value

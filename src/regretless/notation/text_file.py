# SPDX-License-Identifier: MIT
"""The text of a file that the user named, plain or as YAML."""

import re
from pathlib import Path
from typing import Any

import yaml

from regretless.errors import InputError


def read_text(path: str | Path) -> str:
    """The whole file; InputError names it if it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: {error}") from None


def read_yaml(path: str | Path) -> Any:
    """What a YAML file says; InputError names the line and column where it makes no sense."""
    return parse_yaml(read_text(path), str(path))


def parse_yaml(text: str, place: str) -> Any:
    """What a YAML text says, with numbers such as 1e-4 read as numbers."""
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = str(getattr(error, "problem", None) or error).splitlines()[0]
        raise InputError(f"{place}: {where}{problem}") from None
    except (RecursionError, ArithmeticError, ValueError) as error:
        raise InputError(f"{place}: {error}") from None


class _Loader(yaml.SafeLoader):
    """YAML 1.1, where 1e-4 is a word, with the numbers of YAML 1.2."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+"),
    list("-+.0123456789"),
)

# SPDX-License-Identifier: MIT
"""The text of a file that the user named, plain or as YAML."""

from pathlib import Path
from typing import Any

import yaml

from regretless.errors import InputError


def read_text(path: Path) -> str:
    """The whole file; InputError names it if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: {error}") from None


def read_yaml(path: Path) -> Any:
    """What a YAML file says; InputError names the line and column where it makes no sense."""
    try:
        return yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = str(getattr(error, "problem", None) or error).splitlines()[0]
        raise InputError(f"{path}: {where}{problem}") from None
    except (RecursionError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: {error}") from None

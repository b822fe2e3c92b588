# SPDX-License-Identifier: MIT
"""The text of a file that the user named, plain or as YAML."""

import os
import stat
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.notation.strict_yaml import parse_yaml

_MOST_BYTES = 1 << 30
_MOST_PIPED = 1 << 26  # of what has no size, and maybe no end


def read_text(path: str | Path) -> str:
    """The whole file; InputError names it if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            is_plain = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            most = _MOST_BYTES if is_plain else _MOST_PIPED
            content = file.read(most + 1)
        if len(content) > most:
            raise InputError(f"{path}: more than the {most:,} bytes that are read")
        return content.decode().replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except InputError:
        raise
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: {error}") from None


def read_yaml(path: str | Path) -> Any:
    """Reads a YAML file; InputError names the line and column of a problem."""
    return parse_yaml(read_text(path), str(path))

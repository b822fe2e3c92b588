# SPDX-License-Identifier: MIT
"""The text of a file that the user named."""

from pathlib import Path

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

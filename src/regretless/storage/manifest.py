# SPDX-License-Identifier: MIT
"""A manifest: what a directory holds, with sizes and hashes, sealed by a hash of its own."""

import hashlib
import json
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.storage.files import sha256_of, write_file

NAME = "manifest.json"


class DamagedError(InputError):
    """A directory is not what its manifest says."""


def write_manifest(directory: Path, fields: dict[str, Any]) -> None:
    """Describe all files of a directory, and whatever else `fields` says about it."""
    files = {
        path.name: {"bytes": path.stat().st_size, "sha256": sha256_of(path)}
        for path in directory.iterdir()
    }
    (directory / NAME).write_text(sealed_json({**fields, "files": files}), encoding="utf-8")


def amend_manifest(directory: Path, fields: dict[str, Any]) -> None:
    """Put other `fields` in place of those of a manifest that was read; its files stay."""
    write_file(directory / NAME, sealed_json(fields))


def read_manifest(directory: Path, format_name: str, version: int) -> dict[str, Any]:
    """The fields of an unaltered manifest, with its files not looked at yet."""
    path = directory / NAME
    try:
        fields = unsealed_json(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError, RecursionError, AttributeError, KeyError):
        raise DamagedError(f"{path}: missing or altered") from None
    if fields.get("format") != format_name:
        raise DamagedError(f"{path}: not a {format_name}")
    found = fields.get("version")
    if not isinstance(found, int) or not isinstance(fields.get("files"), dict):
        raise DamagedError(f"{path}: no version or no files")
    if found != version:
        raise InputError(f"{path}: version {found}; this program reads {version}")
    return fields


def verify_files(directory: Path, fields: dict[str, Any]) -> None:
    """DamagedError unless every file has the size and the hash that the manifest says."""
    for name, entry in fields["files"].items():
        path = directory / name
        try:
            is_whole = (
                path.parent == directory
                and path.stat().st_size == entry["bytes"]
                and sha256_of(path) == entry["sha256"]
            )
        except (OSError, InputError, KeyError, TypeError):
            is_whole = False
        if not is_whole:
            raise DamagedError(f"{path}: missing or altered")


def unsealed_json(text: str, *, sort: bool = True) -> dict[str, Any]:
    """The fields of a text of `sealed_json`; ValueError, KeyError or AttributeError if changed."""
    fields = json.loads(text)
    fields.pop("seal")
    if sealed_json(fields, sort=sort) != text:
        raise ValueError("altered")
    return dict(fields)


def sealed_json(fields: dict[str, Any], *, sort: bool = True) -> str:
    """Two spaces, and a seal: the SHA-256 of the same text without the seal."""
    body = json.dumps(fields, indent=2, sort_keys=sort, allow_nan=False)
    seal = hashlib.sha256(body.encode()).hexdigest()
    whole = json.dumps({**fields, "seal": seal}, indent=2, sort_keys=sort, allow_nan=False)
    return f"{whole}\n"

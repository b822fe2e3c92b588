# SPDX-License-Identifier: MIT
"""A card abstraction as a directory: a manifest, and the tables in one file of columns."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import regretless
from regretless.abstraction.card_abstraction import CardAbstraction, Cards, StreetBuckets
from regretless.errors import InputError
from regretless.notation.cards import STREETS
from regretless.storage.columns import Column, map_columns, write_columns
from regretless.storage.files import new_directory, require_writable, told_on_failure
from regretless.storage.manifest import NAME, read_manifest, verify_files, write_manifest

FORMAT, VERSION = "regretless-abstraction", 1
TABLES = "tables.safetensors"


def write_abstraction(path: str | Path, abstraction: CardAbstraction) -> None:
    """Write an abstraction, whole or not at all, over nothing else than an older one."""
    path = Path(path)
    require_replaceable(path)
    with told_on_failure(path), new_directory(path) as folder:
        write_columns(folder / TABLES, abstraction_columns(abstraction))
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "cards": {"rule": abstraction.cards.rule, "ranks": abstraction.cards.ranks},
            "buckets": {name: len(abstraction.streets[name]) for name in STREETS},
            "made": dict(abstraction.made),
            "digest": abstraction.digest,
            "software": f"regretless {regretless.__version__}",
        }
        write_manifest(folder, fields)


def open_abstraction(path: str | Path) -> CardAbstraction:
    """The abstraction in a directory; InputError unless every byte is as it was written."""
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"{path}: no such directory")
    fields = read_manifest(path, FORMAT, VERSION)
    verify_files(path, fields)
    if fields["files"].keys() != {TABLES}:
        raise InputError(f"{path / NAME}: must list {TABLES} and nothing else")
    try:
        cards, made, digest = Cards(**fields["cards"]), dict(fields["made"]), fields["digest"]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path / NAME}: cards, made or digest make no sense") from None
    columns = map_columns(path / TABLES, fields["files"][TABLES]["sha256"])
    return read_columns(columns, cards, made, digest, str(path / TABLES))


def with_abstraction(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of an algorithm, with the directory of an abstraction replaced by its contents."""
    path = options.get("abstraction")
    if not isinstance(path, str | Path):
        return dict(options)
    return {**options, "abstraction": open_abstraction(path)}


def require_replaceable(path: Path) -> None:
    """InputError if something else than an older abstraction is where one should be written."""
    require_writable(path)
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    try:
        read_manifest(path, FORMAT, VERSION)
    except InputError:
        raise InputError(f"{path}: exists, and is not an abstraction to be replaced") from None


def abstraction_columns(abstraction: CardAbstraction) -> dict[str, Column]:
    """The tables and the facts about the buckets, as columns of a file."""
    columns: dict[str, Column] = {}
    for name in STREETS:
        street = abstraction.streets[name]
        columns[f"{name}.table"] = _to_bytes(street.table, len(street))
        columns[f"{name}.deals"] = street.deals
        columns[f"{name}.equities"] = street.equities
    return columns


def read_columns(
    columns: Mapping[str, Column], cards: Cards, made: Mapping[str, Any], digest: str, place: str
) -> CardAbstraction:
    """The abstraction in columns; InputError names the place if they are unsound."""
    try:
        streets = {
            name: StreetBuckets(
                _from_bytes(columns[f"{name}.table"]),
                _typed(columns[f"{name}.deals"], np.uint64),
                _typed(columns[f"{name}.equities"], np.float32),
            )
            for name in STREETS
        }
        found = CardAbstraction(cards, streets, made)
    except (KeyError, ValueError) as error:
        raise InputError(f"{place}: not the tables of an abstraction: {error}") from None
    if found.digest != digest:
        raise InputError(f"{place}: its digest is another")
    return found


def _to_bytes(table: NDArray[np.uint16], buckets: int) -> NDArray[np.uint8]:
    """One or two bytes an entry, the lower first: [entries, bytes]."""
    width = 1 if buckets <= 1 << 8 else 2
    return np.ascontiguousarray(table, "<u2").view(np.uint8).reshape(-1, 2)[:, :width].copy()


def _from_bytes(column: Column) -> NDArray[np.uint16]:
    if column.dtype != np.uint8 or column.ndim != 2 or column.shape[1] not in (1, 2):
        raise ValueError("a table must have one or two bytes an entry")
    low = column[:, 0].astype(np.uint16)
    return low if column.shape[1] == 1 else low | column[:, 1].astype(np.uint16) << np.uint16(8)


def _typed(column: Column, kind: Any) -> Column:
    if column.dtype != kind or column.ndim != 1:
        raise ValueError(f"a column must be {np.dtype(kind).name} and of one dimension")
    return column

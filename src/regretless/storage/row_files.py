# SPDX-License-Identifier: MIT
"""Tables of rows as CSV and Parquet, written part by part: memory does not grow with the rows."""

import csv
import importlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.storage.files import sync, told_on_failure, write_bytes

Row = Mapping[str, Any]

_PART = 10_000  # rows that are held at a time


def write_rows(
    make_rows: Callable[[], Iterable[Row]],
    csv_file: Path | None = None,
    parquet: Path | None = None,
    names: Sequence[str] | None = None,
) -> None:
    """Writes rows to a CSV file, a Parquet file, both or neither, each replaced in one instant.

    The rows are made anew for each file. The columns are `names`, or those of the first row; a
    value that a row lacks is empty. InputError if pyarrow is needed and missing.
    """
    if parquet is not None:
        _arrow()
    for path, parts in ((csv_file, csv_parts), (parquet, _parquet_parts)):
        if path is not None:
            with told_on_failure(path):
                write_bytes(path, parts(*_with_names(make_rows(), names)))
                sync(path.parent)


def csv_parts(names: Sequence[str], rows: Iterable[Row]) -> Iterator[bytes]:
    """Yields CSV with a heading, some thousand rows at a time."""
    text = io.StringIO()
    writer = csv.DictWriter(text, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for part in _parts(rows):
        writer.writerows(part)
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _parquet_parts(names: Sequence[str], rows: Iterable[Row]) -> Iterator[bytes]:
    """Yields a Parquet file; the first rows decide which columns are texts."""
    arrow, parquet = _arrow()
    parts = _parts(rows)
    first = next(parts, [])
    types = [(name, arrow.type_for_alias(_kind(first, name))) for name in names]
    schema, sink = arrow.schema(types), _Drained()
    with parquet.ParquetWriter(arrow.PythonFile(sink, mode="w"), schema) as writer:
        for part in chain([first] if first else [], parts):
            columns = {name: [row.get(name) for row in part] for name in names}
            writer.write_table(arrow.Table.from_pydict(columns, schema))
            yield sink.drain()
    yield sink.drain()


class _Drained(io.RawIOBase):
    """A file that hands on what was written to it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def write(self, part: Any) -> int:
        self._parts.append(bytes(part))
        self._size += len(self._parts[-1])
        return len(self._parts[-1])

    def close(self) -> None:
        """Stays readable: the last part comes with the end of the writer."""

    def drain(self) -> bytes:
        """Returns what was written since the last time."""
        drained, self._parts = b"".join(self._parts), []
        return drained


def _kind(rows: Sequence[Row], name: str) -> str:
    return "string" if any(isinstance(row.get(name), str) for row in rows) else "float64"


def _with_names(
    rows: Iterable[Row], names: Sequence[str] | None
) -> tuple[Sequence[str], Iterable[Row]]:
    if names is not None:
        return names, rows
    each = iter(rows)
    first = list(islice(each, 1))
    return list(first[0]) if first else [], chain(first, each)


def _parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    each = iter(rows)
    while part := list(islice(each, _PART)):
        yield part


def _arrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise InputError(
            "--parquet: needs pyarrow, which is not installed (pip install pyarrow); "
            "--csv writes the same"
        ) from None

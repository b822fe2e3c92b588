# SPDX-License-Identifier: MIT
"""Columns of numbers in a safetensors file, mapped into memory and not read before they are used.

The header is read here and not by a library, so that every size and offset is checked against
the file before it is believed, and nothing is copied.
"""

import hashlib
import json
import math
import mmap
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.storage.files import open_plain

Column = NDArray[Any]

# numpy has no bfloat16: its columns are mapped as the 16 bits that they are.
_DTYPES = {
    "U8": "|u1",
    "U64": "<u8",
    "I8": "|i1",
    "I16": "<i2",
    "I32": "<i4",
    "F32": "<f4",
    "F64": "<f8",
    "BF16": "<u2",
}
_CODES = {np.dtype(kind).name: code for code, kind in _DTYPES.items()}
_MOST_DIMENSIONS = 3
_MOST_HEADER_BYTES = 1 << 16
_PREFIX_BYTES = 8


def write_columns(path: Path, columns: Mapping[str, Column]) -> None:
    """Write columns of whole numbers, float32, float64 and bfloat16 (see `to_bfloat16`)."""
    names = sorted(columns, key=lambda name: (-columns[name].itemsize, name))  # all are aligned
    header, first = {}, 0
    for name in names:
        column = columns[name]
        offsets = [first, first + column.nbytes]
        dtype = _CODES[column.dtype.name]
        header[name] = {"dtype": dtype, "shape": column.shape, "data_offsets": offsets}
        first += column.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _PREFIX_BYTES)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in names:
            little = np.ascontiguousarray(columns[name], columns[name].dtype.newbyteorder("<"))
            file.write(little.data.cast("B") if little.size else b"")


def type_name(column: Column) -> str:
    """The name of the type of a column."""
    return "bfloat16" if column.dtype == np.uint16 else column.dtype.name


def to_bfloat16(numbers: NDArray[np.float32]) -> NDArray[np.uint16]:
    """The upper halves of finite single-precision numbers, rounded to nearest, ties to even."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    rounded: NDArray[np.uint16] = (
        (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    ).astype(np.uint16)
    return rounded


def from_bfloat16(halves: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Numbers in bfloat16 as single precision."""
    return (halves.astype(np.uint32) << np.uint32(16)).view(np.float32)


def map_columns(path: Path, sha256: str | None = None) -> dict[str, Column]:
    """The columns of a file, read-only views of its mapped bytes; InputError if it is damaged.

    With `sha256` the very bytes that are mapped are checked against it.
    """
    file, size = open_plain(path)
    with file:
        if size <= _PREFIX_BYTES:
            raise InputError(f"{path}: too short for a table")
        mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    if sha256 is not None and hashlib.sha256(mapped).hexdigest() != sha256:
        raise InputError(f"{path}: damaged, its SHA-256 is another")
    (header_bytes,) = struct.unpack("<Q", mapped[:_PREFIX_BYTES])
    if not 2 <= header_bytes <= min(size - _PREFIX_BYTES, _MOST_HEADER_BYTES):
        raise InputError(f"{path}: a header of {header_bytes:,} bytes makes no sense")
    start = _PREFIX_BYTES + header_bytes
    header = _read_header(mapped[_PREFIX_BYTES:start], path)
    columns = {name: _column(name, entry, mapped, start, path) for name, entry in header.items()}
    if start + sum(column.nbytes for column in columns.values()) != size:
        raise InputError(f"{path}: the columns do not fill the file")
    return columns


def _read_header(text: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{path}: the header is not JSON") from None
    if not isinstance(header, dict):
        raise InputError(f"{path}: the header is not a mapping")
    header.pop("__metadata__", None)
    return header


def _column(name: str, entry: Any, mapped: mmap.mmap, start: int, path: Path) -> Column:
    place = f"{path}: column {name!r}"
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise InputError(f"{place}: needs dtype, shape and data_offsets")
    shape, offsets, dtype = entry["shape"], entry["data_offsets"], entry["dtype"]
    if not isinstance(dtype, str) or dtype not in _DTYPES:
        raise InputError(f"{place}: dtype must be one of {', '.join(_DTYPES)}")
    if not _are_counts(shape) or not 1 <= len(shape) <= _MOST_DIMENSIONS:
        raise InputError(f"{place}: shape must be one to {_MOST_DIMENSIONS} counts")
    if not _are_counts(offsets) or len(offsets) != 2:
        raise InputError(f"{place}: data_offsets must be two counts")
    first, last = offsets
    kind = np.dtype(_DTYPES[dtype])
    count = math.prod(shape)
    if last - first != count * kind.itemsize or start + last > len(mapped):
        raise InputError(f"{place}: its size does not fit the file")
    if (start + first) % kind.itemsize:
        raise InputError(f"{place}: not aligned")
    return np.frombuffer(mapped, kind, count, start + first).reshape(shape)


def _are_counts(values: Any) -> bool:
    return isinstance(values, list) and all(type(v) is int and 0 <= v < 1 << 48 for v in values)

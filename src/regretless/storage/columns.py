# SPDX-License-Identifier: MIT
"""Columns of numbers in a safetensors file, mapped into memory and not read before they are used.

The header is read here and not by a library, so that every size and offset is checked against
the file before it is believed, and nothing is copied.
"""

import json
import math
import mmap
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from regretless.errors import InputError
from regretless.storage.plain_file import open_plain

Column = NDArray[Any]

_DTYPES = {"U64": "<u8", "F32": "<f4", "F64": "<f8"}
_MOST_HEADER_BYTES = 1 << 16
_PREFIX_BYTES = 8


def write_columns(path: Path, columns: Mapping[str, Column]) -> None:
    """Write columns of uint64, float32 and float64."""
    save_file({name: np.ascontiguousarray(column) for name, column in columns.items()}, path)
    path.chmod(0o644)  # the library keeps it to its owner, and this is made to be shared


def map_columns(path: Path) -> dict[str, Column]:
    """The columns of a file, read-only views of its mapped bytes; InputError if it is damaged."""
    file, size = open_plain(path)
    with file:
        if size <= _PREFIX_BYTES:
            raise InputError(f"{path}: too short for a table")
        mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
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
    if not _are_counts(shape) or not 1 <= len(shape) <= 2:
        raise InputError(f"{place}: shape must be one or two counts")
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

# SPDX-License-Identifier: MIT
"""Rows that a learner keeps: a ring of the newest, or a uniform sample of all there were.

A row is a fixed number of bytes in named columns. Bytes are known, and refused, before any are
taken; rows are in memory or mapped to a file without a name, which ends with the program. The
contents depend on what was added and on the seed, never on threads or the size of batches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError

MOST_BYTES = 1 << 33
"""What a buffer may take unless it is told otherwise."""
_KINDS = "biuf"


@dataclass(frozen=True)
class Column:
    """One part of every row."""

    name: str
    type: str
    """As NumPy calls it: uint8, float32, uint64, ..."""
    shape: tuple[int, ...] = ()
    """Of one row; none: a single number."""

    @property
    def num_bytes(self) -> int:
        """Of one row."""
        return int(np.dtype(self.type).itemsize * np.prod(self.shape, dtype=np.int64))


class Buffer(Protocol):
    """What a checkpoint needs of a buffer (storage/segments.py), wherever its rows are."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """In the order in which a row has them."""

    @property
    def capacity(self) -> int:
        """Rows at most; they are filled in the order of their indices, from 0 on."""

    @property
    def num_added(self) -> int:
        """Rows ever added, those that are gone included."""

    @property
    def memory_bytes(self) -> int:
        """What it takes of the machine's memory when it is full."""

    @property
    def disk_bytes(self) -> int:
        """What it takes of the disk, checkpoints not counted."""

    def changed(self, since: int) -> NDArray[np.int64]:
        """Indices, ascending, whose rows may be others than when `since` rows had been added."""

    def get(self, indices: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The rows at some indices as bytes, [indices, bytes of a row]."""

    def put(self, indices: NDArray[np.int64], rows: NDArray[np.uint8]) -> None:
        """Write rows as `get` gave them."""

    def resume(self, num_added: int) -> None:
        """Go on as if so many rows had been added, after their bytes were put in place."""


@runtime_checkable
class HasBuffers(Protocol):
    """An algorithm that keeps rows, which checkpoints save apart from its state."""

    def buffers(self) -> Mapping[str, Buffer]:
        """By name; the same ones throughout. `restore` must do without their rows, too."""


def buffers_of(algorithm: object) -> Mapping[str, Buffer]:
    """Those of an algorithm, none if it has none."""
    return algorithm.buffers() if isinstance(algorithm, HasBuffers) else {}


def row_bytes(buffer: Buffer) -> int:
    """Of one row."""
    return sum(column.num_bytes for column in buffer.columns)


def num_bytes(buffer: Buffer) -> int:
    """Of all rows when it is full."""
    return buffer.capacity * row_bytes(buffer)


class _RowBuffer:
    """Columns with types and names over native rows. Implements `Buffer`."""

    def __init__(self, columns: Sequence[Column], rows: _native.RowBuffer) -> None:
        self.columns = tuple(columns)
        self._rows = rows

    @property
    def capacity(self) -> int:
        return self._rows.capacity

    @property
    def size(self) -> int:
        """Rows that it holds."""
        return self._rows.size

    @property
    def num_added(self) -> int:
        return self._rows.num_added

    @property
    def num_bytes(self) -> int:
        """Of all rows when it is full."""
        return self._rows.num_bytes

    @property
    def memory_bytes(self) -> int:
        return 0 if self._rows.is_mapped else self.num_bytes

    @property
    def disk_bytes(self) -> int:
        return self.num_bytes if self._rows.is_mapped else 0

    def add(self, rows: Mapping[str, NDArray[Any]]) -> None:
        """Equally many rows of every column, [rows, *shape] each and of just its type."""
        count = len(rows[self.columns[0].name]) if self.columns[0].name in rows else 0
        arrays = self._checked(rows, count)
        self._rows.add([_as_bytes(np.ascontiguousarray(array)) for array in arrays])

    def sample(self, seed: int, step: int, count: int) -> dict[str, NDArray[Any]]:
        """A minibatch: `count` rows, drawn uniformly and independently by seed and step."""
        rows = {c.name: np.empty((count, *c.shape), c.type) for c in self.columns}
        self.sample_into(seed, step, rows)
        return rows

    def sample_into(self, seed: int, step: int, rows: Mapping[str, NDArray[Any]]) -> None:
        """The same into arrays of the caller, as many rows as these have."""
        arrays = self._checked(rows, len(rows[self.columns[0].name]))
        if not all(array.flags.c_contiguous and array.flags.writeable for array in arrays):
            raise InputError("sample_into: the arrays must be contiguous and writable")
        if self.size == 0:
            raise InputError("sample: the buffer is empty")
        self._rows.sample(seed, step, [_as_bytes(array) for array in arrays])

    def changed(self, since: int) -> NDArray[np.int64]:
        return self._rows.changed(since)

    def get(self, indices: NDArray[np.int64]) -> NDArray[np.uint8]:
        return self._rows.get(indices)

    def put(self, indices: NDArray[np.int64], rows: NDArray[np.uint8]) -> None:
        self._rows.put(indices, rows)

    def resume(self, num_added: int) -> None:
        self._rows.resume(num_added)

    def _checked(self, rows: Mapping[str, NDArray[Any]], count: int) -> list[NDArray[Any]]:
        if rows.keys() != {column.name for column in self.columns}:
            names = ", ".join(column.name for column in self.columns)
            raise InputError(f"columns: expected {names}, not {', '.join(rows)}")
        for column in self.columns:
            array, shape = rows[column.name], (count, *column.shape)
            if array.dtype != column.type or array.shape != shape:
                raise InputError(
                    f"column {column.name}: expected {column.type} {list(shape)}, "
                    f"not {array.dtype} {list(array.shape)}"
                )
        return [rows[column.name] for column in self.columns]


class Ring(_RowBuffer):
    """The newest rows."""

    def __init__(
        self,
        columns: Sequence[Column],
        capacity: int,
        *,
        directory: str | Path | None = None,
        max_bytes: int = MOST_BYTES,
        threads: int = 1,
    ) -> None:
        """Mapped to a file in `directory` if there is one, else in memory."""
        sizes, where = _checked_columns(columns), str(directory or "")
        try:
            rows = _native.Ring(sizes, capacity, where, max_bytes, threads)
        except (ValueError, TypeError, MemoryError) as error:
            raise _refusal(error, capacity) from None
        super().__init__(columns, rows)


class Reservoir(_RowBuffer):
    """A uniform sample of all rows ever added: each is kept with the same probability."""

    def __init__(
        self,
        columns: Sequence[Column],
        capacity: int,
        *,
        seed: int,
        directory: str | Path | None = None,
        max_bytes: int = MOST_BYTES,
        threads: int = 1,
    ) -> None:
        """Mapped to a file in `directory` if there is one, else in memory."""
        sizes, where = _checked_columns(columns), str(directory or "")
        try:
            rows = _native.Reservoir(sizes, capacity, seed, where, max_bytes, threads)
        except (ValueError, TypeError, MemoryError) as error:
            raise _refusal(error, capacity) from None
        super().__init__(columns, rows)


def _as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """[rows, bytes], the same memory."""
    width = array.dtype.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))
    return array.reshape(-1).view(np.uint8).reshape(len(array), width)


def _checked_columns(columns: Sequence[Column]) -> list[int]:
    names = [column.name for column in columns]
    if not columns or len(set(names)) < len(names) or not all(names):
        raise InputError("columns: a buffer needs some, each with a name of its own")
    for column in columns:
        try:
            is_number = np.dtype(column.type).kind in _KINDS and np.dtype(column.type).isnative
        except TypeError:
            is_number = False
        if not is_number or any(length < 1 for length in column.shape):
            raise InputError(f"column {column.name}: cannot be {column.type} {list(column.shape)}")
    return [column.num_bytes for column in columns]


def _refusal(error: Exception, capacity: int) -> InputError:
    if isinstance(error, ValueError):
        return InputError(str(error))
    if isinstance(error, MemoryError):
        return InputError(f"capacity: {capacity:,} rows: there is not enough memory")
    return InputError("capacity, seed, max_bytes, threads: must be whole numbers that fit 64 bits")

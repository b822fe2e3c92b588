# SPDX-License-Identifier: MIT
"""Replay buffers: a ring of the newest rows, or a reservoir (a uniform sample of all rows).

A row is a fixed number of bytes in named columns. The size is checked before any memory is taken;
rows are in memory or in a mapped file without a name, which is removed with the program. The
contents depend on the added rows and the seed, never on threads or the size of batches.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError

MOST_BYTES = 1 << 33
"""The default limit on the size of a buffer."""
_KINDS = "biuf"


@dataclass(frozen=True)
class Column:
    """One part of every row."""

    name: str
    type: str
    """The NumPy type: uint8, float32, uint64, ..."""
    shape: tuple[int, ...] = ()
    """The shape of one row; () for a single number."""

    @property
    def num_bytes(self) -> int:
        """The bytes of one row."""
        return int(np.dtype(self.type).itemsize * np.prod(self.shape, dtype=np.int64))


class Buffer:
    """Columns with types and names over native rows: the base of `Ring` and `Reservoir`."""

    _make: ClassVar[Callable[..., _native.RowBuffer]]

    def __init__(
        self,
        columns: Sequence[Column],
        capacity: int,
        *seed: int,
        directory: str | Path | None = None,
        max_bytes: int = MOST_BYTES,
        threads: int = 1,
    ) -> None:
        """Maps the rows to a file in `directory` if one is given; else they are in memory."""
        sizes, where = _checked_columns(columns), str(directory or "")
        try:
            self._rows = type(self)._make(sizes, capacity, *seed, where, max_bytes, threads)
        except ValueError as error:
            raise InputError(str(error)) from None
        except MemoryError:
            message = f"capacity: {capacity:,} rows: there is not enough memory"
            raise InputError(message) from None
        except TypeError:
            names = "capacity, seed, max_bytes, threads"
            raise InputError(f"{names}: must be whole numbers that fit 64 bits") from None
        self.columns, self.row_bytes = tuple(columns), sum(sizes)

    @property
    def capacity(self) -> int:
        """The most rows; indices are filled in ascending order from 0."""
        return self._rows.capacity

    @property
    def size(self) -> int:
        """The number of rows in the buffer."""
        return self._rows.size

    @property
    def num_added(self) -> int:
        """The number of rows ever added, overwritten rows included."""
        return self._rows.num_added

    @property
    def num_bytes(self) -> int:
        """The bytes of all rows of the full buffer."""
        return self._rows.num_bytes

    @property
    def memory_bytes(self) -> int:
        """The memory of the full buffer."""
        return 0 if self._rows.is_mapped else self.num_bytes

    @property
    def disk_bytes(self) -> int:
        """The disk space of the full buffer, without checkpoints."""
        return self.num_bytes if self._rows.is_mapped else 0

    def add(self, rows: Mapping[str, NDArray[Any]]) -> None:
        """Adds rows: the same number for every column, [rows, *shape] each, of exactly its type."""
        count = len(rows[self.columns[0].name]) if self.columns[0].name in rows else 0
        arrays = self._checked(rows, count)
        self._rows.add([_as_bytes(np.ascontiguousarray(array)) for array in arrays])

    def sample(self, seed: int, step: int, count: int) -> dict[str, NDArray[Any]]:
        """Returns a minibatch: `count` rows, drawn uniformly and independently by seed and step."""
        rows = {c.name: np.empty((count, *c.shape), c.type) for c in self.columns}
        self.sample_into(seed, step, rows)
        return rows

    def sample_into(self, seed: int, step: int, rows: Mapping[str, NDArray[Any]]) -> None:
        """Draws a minibatch into arrays of the caller, whose length is the number of rows."""
        arrays = self._checked(rows, len(rows[self.columns[0].name]))
        if not all(array.flags.c_contiguous and array.flags.writeable for array in arrays):
            raise InputError("sample_into: the arrays must be contiguous and writable")
        if self.size == 0:
            raise InputError("sample: the buffer is empty")
        self._rows.sample(seed, step, [_as_bytes(array) for array in arrays])

    def changed(self, since: int) -> NDArray[np.int64]:
        """The ascending indices of rows that may have changed since `since` rows were added."""
        return self._rows.changed(since)

    def get(self, indices: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Returns the rows at some indices as bytes, [indices, bytes of a row]."""
        return self._rows.get(indices)

    def put(self, indices: NDArray[np.int64], rows: NDArray[np.uint8]) -> None:
        """Writes rows as `get` returned them."""
        self._rows.put(indices, rows)

    def resume(self, num_added: int) -> None:
        """Continues as if `num_added` rows had been added, after `put` restored their bytes."""
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


class Ring(Buffer):
    """A ring buffer of the newest rows."""

    _make = _native.Ring


class Reservoir(Buffer):
    """Reservoir sampling: each row ever added is kept with the same probability."""

    _make = _native.Reservoir

    def __init__(
        self, columns: Sequence[Column], capacity: int, *, seed: int, **options: Any
    ) -> None:
        super().__init__(columns, capacity, seed, **options)


@runtime_checkable
class HasBuffers(Protocol):
    """An algorithm with buffers, which checkpoints save apart from its state."""

    def buffers(self) -> Mapping[str, Buffer]:
        """The buffers by name, always the same; `restore` must also work without their rows."""


def buffers_of(algorithm: object) -> Mapping[str, Buffer]:
    """The buffers of an algorithm; empty without any."""
    return algorithm.buffers() if isinstance(algorithm, HasBuffers) else {}


def _as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """Returns a view of the array as [rows, bytes]."""
    width = array.dtype.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))
    return array.reshape(-1).view(np.uint8).reshape(len(array), width)


def _checked_columns(columns: Sequence[Column]) -> list[int]:
    names = [column.name for column in columns]
    if not columns or len(set(names)) < len(names) or not all(names):
        raise InputError("columns: a buffer needs some, each with a name of its own")
    for column in columns:
        try:
            is_number = np.dtype(column.type).kind in _KINDS and np.dtype(column.type).isnative
        except (TypeError, ValueError, SyntaxError):  # numpy evaluates some texts
            is_number = False
        if not is_number or any(length < 1 for length in column.shape):
            raise InputError(f"column {column.name}: cannot be {column.type} {list(column.shape)}")
    return [column.num_bytes for column in columns]

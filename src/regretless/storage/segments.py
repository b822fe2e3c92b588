# SPDX-License-Identifier: MIT
"""Rows of buffers on disk: files named by the hash of what they hold, shared by all checkpoints.

A buffer is saved as pieces that are laid over each other in their order. A piece is a segment, a
stretch of rows as they lie in memory, or a log: rows with the index of each. A save
writes what is new since the last one, as segments or as a log, whichever costs less: a ring changes
a few segments, a reservoir a few rows in each. When logs grow too long, all segments are written
anew. docs/file_formats.md has the details.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless.buffers import Buffer, Column
from regretless.errors import InputError
from regretless.storage.files import sha256_of, sync, told_on_failure, write_bytes
from regretless.storage.manifest import DamagedError

_MOST_SEGMENTS = 1024
_LEAST_BYTES = 1 << 20
_MOST_LOGS = 1024
LOG_SHARE = 0.5
"""The largest share of a buffer's bytes that logs take."""
_INDEX_BYTES = 8
_WORKERS = 4  # threads that hash and write


@dataclass(frozen=True)
class Piece:
    """One file: `rows` rows from index `first` on; without it, a log."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]+$")]
    bytes: int
    rows: int
    first: int | None = None


@dataclass(frozen=True)
class SavedBuffer:
    """A buffer as a checkpoint's manifest describes it."""

    columns: tuple[Column, ...]
    capacity: int
    num_added: int
    pieces: tuple[Piece, ...] = ()


class SegmentStore:
    """A directory of pieces, and the last save of each buffer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last: dict[str, tuple[Buffer, SavedBuffer]] = {}

    def write(self, buffers: Mapping[str, Buffer]) -> dict[str, SavedBuffer]:
        """Writes the new rows of buffers; when this returns, all their pieces are on disk."""
        if not buffers:
            return {}
        with told_on_failure(self.path):
            self.path.mkdir(exist_ok=True, parents=True)
            saved = {name: self._save(name, buffer) for name, buffer in buffers.items()}
            sync(self.path)
        self._last = {name: (buffers[name], each) for name, each in saved.items()}
        return saved

    def restore(self, saved: Mapping[str, SavedBuffer], buffers: Mapping[str, Buffer]) -> None:
        """Fill those buffers that were saved; DamagedError names the file that is not whole.

        Every piece is checked before the first row is restored: an error changes no buffer.
        """
        wanted = {name: saved[name] for name in buffers if name in saved}
        for name, each in wanted.items():
            self._check_fits(name, each, buffers[name])
        with ThreadPoolExecutor(_WORKERS) as pool:
            list(pool.map(self._check, {p for each in wanted.values() for p in each.pieces}))
        self._last = {}
        for name, each in wanted.items():
            self._load(each, buffers[name])
            self._last[name] = (buffers[name], each)

    def sweep(self, kept: Iterable[SavedBuffer]) -> None:
        """Remove the files that none of these needs."""
        names = {piece.sha256 for saved in kept for piece in saved.pieces}
        if self.path.is_dir():
            for path in self.path.iterdir():
                if path.name not in names:
                    path.unlink()

    def _save(self, name: str, buffer: Buffer) -> SavedBuffer:
        known, last = self._last.get(name, (None, None))
        saved = SavedBuffer(buffer.columns, buffer.capacity, buffer.num_added)
        pieces: tuple[Piece, ...] = ()
        if last is None or known is not buffer or last.num_added > buffer.num_added:
            new = self._segments(buffer, np.arange(_num_segments(buffer)))
        else:
            pieces, new = self._news(buffer, last)
        return replace(saved, pieces=(*pieces, *new))

    def _news(self, buffer: Buffer, last: SavedBuffer) -> tuple[tuple[Piece, ...], list[Piece]]:
        """The pieces that stay, and those that come after them."""
        indices, length = buffer.changed(last.num_added), segment_rows(buffer)
        touched = np.flatnonzero(np.bincount(indices // length))
        rows = np.minimum(length, buffer.size - touched * length).sum()
        in_segments = int(rows) * buffer.row_bytes
        in_logs = len(indices) * (buffer.row_bytes + _INDEX_BYTES)
        logs = [piece for piece in last.pieces if piece.first is None]
        # A log costs its own bytes now, and its share of writing all segments anew later.
        if in_logs * (1 + 1 / LOG_SHARE) < in_segments:
            all_logs = in_logs + sum(piece.bytes for piece in logs)
            num_logs = len(logs) + -(-len(indices) // length)
            if all_logs <= LOG_SHARE * buffer.num_bytes and num_logs <= _MOST_LOGS:
                return last.pieces, self._logs(buffer, indices)
            touched = np.arange(_num_segments(buffer))
        if len(touched) == _num_segments(buffer):
            return (), self._segments(buffer, touched)
        old = {int(number) * length for number in touched}
        stay = tuple(piece for piece in last.pieces if piece.first not in old)
        return stay, self._segments(buffer, touched)

    def _segments(self, buffer: Buffer, numbers: NDArray[np.int64]) -> list[Piece]:
        length, size = segment_rows(buffer), buffer.size

        def put(number: int) -> Piece:
            first = number * length
            indices = np.arange(first, min(first + length, size))
            return self._put([buffer.get(indices)], len(indices), first)

        return _at_once(put, numbers.tolist())

    def _logs(self, buffer: Buffer, indices: NDArray[np.int64]) -> list[Piece]:
        length = segment_rows(buffer)

        def put(begin: int) -> Piece:
            part = indices[begin : begin + length]
            return self._put([part.astype("<i8"), buffer.get(part)], len(part), None)

        return _at_once(put, range(0, len(indices), length))

    def _put(self, arrays: list[NDArray[Any]], rows: int, first: int | None) -> Piece:
        """Written even where such a file is there: it may be damaged."""
        digest = hashlib.sha256()
        for array in arrays:
            digest.update(array.data)
        piece = Piece(digest.hexdigest(), sum(array.nbytes for array in arrays), rows, first)
        parts = (array.data for array in arrays)
        write_bytes(self.path / piece.sha256, parts, writer=threading.get_ident())
        return piece

    def _check_fits(self, name: str, saved: SavedBuffer, buffer: Buffer) -> None:
        if (saved.columns, saved.capacity) != (buffer.columns, buffer.capacity):
            raise InputError(
                f"{self.path}: buffer {name!r} has other columns or another capacity: "
                "it may be of another version or another config"
            )
        for piece in saved.pieces:
            indices = 0 if piece.first is not None else _INDEX_BYTES
            if piece.bytes != piece.rows * (buffer.row_bytes + indices):
                raise DamagedError(f"{self.path}: buffer {name!r}: its pieces have other sizes")

    def _check(self, piece: Piece) -> None:
        path = self.path / piece.sha256
        try:
            is_whole = path.stat().st_size == piece.bytes and sha256_of(path) == piece.sha256
        except (OSError, InputError):
            is_whole = False
        if not is_whole:
            raise DamagedError(f"{path}: missing or altered")

    def _load(self, saved: SavedBuffer, buffer: Buffer) -> None:
        buffer.resume(0)
        for piece in saved.pieces:
            indices, rows = self._read(piece, buffer.row_bytes)
            buffer.put(indices, rows)
        buffer.resume(saved.num_added)

    def _read(self, piece: Piece, width: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        data = (self.path / piece.sha256).read_bytes()
        begin = 0 if piece.first is not None else piece.rows * _INDEX_BYTES
        rows = np.frombuffer(data, np.uint8, offset=begin).reshape(piece.rows, width)
        if piece.first is not None:
            return np.arange(piece.first, piece.first + piece.rows), rows
        return np.frombuffer(data, "<i8", piece.rows).astype(np.int64), rows


def segment_rows(buffer: Buffer) -> int:
    """Rows of one segment: a mebibyte of them, or more where that made too many segments."""
    wanted = max(_LEAST_BYTES, buffer.num_bytes // _MOST_SEGMENTS)
    return -(-wanted // buffer.row_bytes)


def _at_once(put: Callable[[int], Piece], numbers: Iterable[int]) -> list[Piece]:
    """One piece is hashed while others wait for the disk."""
    with ThreadPoolExecutor(_WORKERS) as pool:
        return list(pool.map(put, numbers))


def _num_segments(buffer: Buffer) -> int:
    return -(-buffer.size // segment_rows(buffer))

# SPDX-License-Identifier: MIT
"""Results of shards as blocks, and large ones as files with their SHA-256.

A worker writes a large result to a folder that the learner can read and sends its name, size and
hash. The learner reads the file once, checks it and deletes it.
"""

import contextlib
import hashlib
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regretless.algorithm import Arrays
from regretless.cluster.wire import Block, pack, unpack
from regretless.errors import InputError
from regretless.storage.files import read_plain

LARGE_BYTES = 32 << 20
"""Size from which a result is a file.

The object store of a local cluster has 256 MiB: the two shards in flight of four workers at this
size. A fuller store writes objects to disk itself, and the whole cluster waits for it."""

_SUFFIX = ".block"


@dataclass(frozen=True)
class LargeResults:
    """The place of results that are too large for Ray's object store."""

    folder: str
    """A folder that the learner and all workers share."""
    least_bytes: int = LARGE_BYTES

    def sent(self, block: Block) -> Block:
        """Returns what a worker sends in place of a result: itself, or where its file is."""
        if block.nbytes < self.least_bytes:
            return block
        path = Path(self.folder) / f"{uuid.uuid4().hex}{_SUFFIX}"
        block.tofile(path)
        sha256 = hashlib.sha256(block.data).hexdigest()
        return pack({"file": str(path), "bytes": block.nbytes, "sha256": sha256}, {})


def result_of(block: Block) -> tuple[float, Arrays, int]:
    """Returns the seconds, the columns and the bytes of a result, wherever they are.

    InputError for anything else, and for a file that is not there or not whole.
    """
    value, columns = unpack(block)
    size = block.nbytes
    if (sent := _sent(value)) is not None:
        try:
            data = read_plain(Path(sent["file"]), size := sent["bytes"])
        finally:
            remove_result(block)
        if hashlib.sha256(data).hexdigest() != sent["sha256"]:
            raise InputError(f"{sent['file']}: is damaged: its SHA-256 is another")
        value, columns = unpack(np.frombuffer(data, np.uint8))
    if not isinstance(value, float):
        raise InputError("a result: has no time")
    return value, columns, size


def remove_result(block: Block) -> None:
    """Deletes the file of a result that nobody needs, if it is one."""
    if (sent := _sent(unpack(block)[0])) is not None:
        with contextlib.suppress(OSError, ValueError):
            Path(sent["file"]).unlink(missing_ok=True)


def _sent(value: Any) -> dict[str, Any] | None:
    """Returns the place, size and hash of a file; None for a result that is no file."""
    if not isinstance(value, dict):
        return None
    kinds = {"file": str, "bytes": int, "sha256": str}
    is_whole = all(isinstance(value.get(key), kind) for key, kind in kinds.items())
    if not is_whole or not value["file"].endswith(_SUFFIX) or value["bytes"] < 0:
        raise InputError("a result: names no file of a result")
    return value

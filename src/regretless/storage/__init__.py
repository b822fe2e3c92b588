# SPDX-License-Identifier: MIT
"""The files: runs, checkpoints and strategy bundles, as docs/file_formats.md writes them down."""

from regretless.storage.checkpoint import Checkpoint, Record, read_checkpoint, write_checkpoint
from regretless.storage.run import Run

__all__ = ["Checkpoint", "Record", "Run", "read_checkpoint", "write_checkpoint"]

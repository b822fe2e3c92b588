# SPDX-License-Identifier: MIT
"""What training leaves on disk: runs and their checkpoints (docs/file_formats.md)."""

from regretless.storage.checkpoint import Checkpoint, Record, read_checkpoint, write_checkpoint
from regretless.storage.run import Run

__all__ = ["Checkpoint", "Record", "Run", "read_checkpoint", "write_checkpoint"]

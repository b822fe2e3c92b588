# SPDX-License-Identifier: MIT
"""Runs on disk: checkpoints, metrics, status, as docs/file_formats.md describes them."""

from regretless.runs.checkpoint import Checkpoint, Record, read_checkpoint, write_checkpoint
from regretless.runs.run import Run

__all__ = ["Checkpoint", "Record", "Run", "read_checkpoint", "write_checkpoint"]

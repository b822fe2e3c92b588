# SPDX-License-Identifier: MIT
"""The files: strategy bundles, runs and checkpoints, as docs/file_formats.md writes them down."""

# SPDX-License-Identifier: MIT
"""Strategy bundles and ONNX files, as docs/file_formats.md describes them."""

# SPDX-License-Identifier: MIT
"""Files: atomic writes, manifests of hashes, columns, segments of buffers."""

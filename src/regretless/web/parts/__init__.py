# SPDX-License-Identifier: MIT
"""Parts of pages: grids, pickers, tables."""

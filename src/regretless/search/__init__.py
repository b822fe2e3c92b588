# SPDX-License-Identifier: MIT
"""Depth-limited search at public belief states."""

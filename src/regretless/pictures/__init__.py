# SPDX-License-Identifier: MIT
"""Curves of runs as pictures."""

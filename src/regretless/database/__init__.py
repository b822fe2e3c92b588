# SPDX-License-Identifier: MIT
"""Hands from anywhere in one SQLite file: import, statistics over time, and review."""

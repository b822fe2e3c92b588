# SPDX-License-Identifier: MIT
"""Strategies and bots by name, and the match or evaluation they take part in."""

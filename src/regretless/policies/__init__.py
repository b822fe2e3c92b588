# SPDX-License-Identifier: MIT
"""Policies: the protocol, strategies as data, and policies asked at any public state."""

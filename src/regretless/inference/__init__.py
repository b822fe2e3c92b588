# SPDX-License-Identifier: MIT
"""Policies played by networks, and the networks that answer native jobs."""

# SPDX-License-Identifier: MIT
"""Notation of cards, hands and ranges."""

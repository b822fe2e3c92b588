# SPDX-License-Identifier: MIT
"""Measures of strategies."""

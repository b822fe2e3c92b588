# SPDX-License-Identifier: MIT
"""Curves and pages to look at."""

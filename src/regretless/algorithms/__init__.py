# SPDX-License-Identifier: MIT
"""What improves strategies: one file for each algorithm."""

# SPDX-License-Identifier: MIT
"""Train, solve, measure, explore and play imperfect-information games."""

__version__ = "0.1.0"

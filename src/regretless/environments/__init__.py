# SPDX-License-Identifier: MIT
"""Environments for outside learners: Gymnasium, PettingZoo, vectorized."""

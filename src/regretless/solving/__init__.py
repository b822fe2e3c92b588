# SPDX-License-Identifier: MIT
"""Solving a spot or a game: options, memory, solution, reports over flops."""

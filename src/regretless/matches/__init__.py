# SPDX-License-Identifier: MIT
"""Matches between policies: bots, seatings, intervals, AIVAT."""

# SPDX-License-Identifier: MIT
"""Fits of networks to buffers, their losses, schedules and rules."""

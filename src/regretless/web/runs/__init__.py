# SPDX-License-Identifier: MIT
"""Runs that the server shows, starts and stops."""

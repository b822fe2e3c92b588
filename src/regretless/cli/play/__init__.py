# SPDX-License-Identifier: MIT
"""Commands to play: matches, tables, servers."""

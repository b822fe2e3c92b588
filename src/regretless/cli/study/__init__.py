# SPDX-License-Identifier: MIT
"""Commands to study: games, equities, spots."""

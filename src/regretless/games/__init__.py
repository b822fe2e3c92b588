# SPDX-License-Identifier: MIT
"""Games by name: variants, notation, and games written in Python."""

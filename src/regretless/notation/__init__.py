# SPDX-License-Identifier: MIT
"""How cards, hands and ranges are written."""

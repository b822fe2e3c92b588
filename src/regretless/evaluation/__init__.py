# SPDX-License-Identifier: MIT
"""What a strategy is worth."""

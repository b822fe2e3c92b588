# SPDX-License-Identifier: MIT
"""Episodes as people and other programs write them."""

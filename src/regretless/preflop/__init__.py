# SPDX-License-Identifier: MIT
"""Heads-up hold'em before the flop, over the 169 classes of starting hands."""

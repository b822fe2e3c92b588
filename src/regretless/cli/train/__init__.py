# SPDX-License-Identifier: MIT
"""Commands to train, measure and ship."""

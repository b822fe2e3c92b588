# SPDX-License-Identifier: MIT
"""Hand histories as poker sites write them, one file a family of formats."""

# SPDX-License-Identifier: MIT
"""Games as explicit trees: Python games, OpenSpiel games, enumeration."""

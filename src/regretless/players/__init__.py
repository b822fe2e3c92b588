# SPDX-License-Identifier: MIT
"""What programs for players share: finding strategies and bots, tables, questions, results."""

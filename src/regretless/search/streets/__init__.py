# SPDX-License-Identifier: MIT
"""Streets of hold'em with value networks where the next one begins."""

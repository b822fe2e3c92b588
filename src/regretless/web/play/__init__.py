# SPDX-License-Identifier: MIT
"""Tables of the server: seats, sessions, hands on disk."""

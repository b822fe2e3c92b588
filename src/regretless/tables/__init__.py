# SPDX-License-Identifier: MIT
"""Tables that people and programs sit at: play, review, replay, protocols."""

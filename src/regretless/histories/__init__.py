# SPDX-License-Identifier: MIT
"""Hand histories, lines of play and views of an episode, as people and programs write them."""

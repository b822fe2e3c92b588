# SPDX-License-Identifier: MIT
"""Colours that people of any colour vision can distinguish (Okabe and Ito 2008)."""

SKY, GREEN, YELLOW, ORANGE = "#56b4e9", "#009e73", "#f0e442", "#e69f00"
VERMILION, PURPLE, BLUE = "#d55e00", "#cc79a7", "#0072b2"

LINES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
"""The colours of curves, in this order."""

# SPDX-License-Identifier: MIT
"""Speed: what is measured, the peers it is measured against, and the machine it ran on."""

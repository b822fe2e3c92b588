# SPDX-License-Identifier: MIT
"""Networks, replay and ramps; what is in here imports torch, and nothing imports it unasked."""

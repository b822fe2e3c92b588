# SPDX-License-Identifier: MIT
"""Networks, replay and schedules; what is in here imports torch, and nothing imports it unasked."""

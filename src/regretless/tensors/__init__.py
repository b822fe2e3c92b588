# SPDX-License-Identifier: MIT
"""Public trees as tensors; what is in here imports torch, and nothing imports it unasked."""

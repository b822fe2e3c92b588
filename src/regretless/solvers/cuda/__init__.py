# SPDX-License-Identifier: MIT
"""The CFR family for hold'em in CUDA: layout of a problem, devices, the solver."""

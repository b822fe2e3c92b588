# SPDX-License-Identifier: MIT
"""The training loop, its forecast, and starting a run."""

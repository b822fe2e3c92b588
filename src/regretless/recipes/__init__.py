# SPDX-License-Identifier: MIT
"""The config of a run: fields, overrides, recipes by name."""

# SPDX-License-Identifier: MIT
"""Longer measurements that are run by hand or by make."""

# SPDX-License-Identifier: MIT
"""Shards made by the workers of a Ray cluster; `pip install 'regretless[ray]'`."""

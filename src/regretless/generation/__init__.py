# SPDX-License-Identifier: MIT
"""Generators: weights and a shard in, named columns of training data out."""

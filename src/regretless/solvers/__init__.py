# SPDX-License-Identifier: MIT
"""The parts that solvers share: problems, backends, sweeps over public trees, stopping rules."""

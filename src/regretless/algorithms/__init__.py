# SPDX-License-Identifier: MIT
"""Algorithms by name; importing this imports none of them."""

ALGORITHMS = {
    "cfr": "regretless.algorithms.cfr:CFR",
    "cfr+": "regretless.algorithms.cfr:CFR",
    "linear": "regretless.algorithms.cfr:CFR",
    "dcfr": "regretless.algorithms.cfr:CFR",
    "pcfr+": "regretless.algorithms.cfr:CFR",
    "pdcfr+": "regretless.algorithms.cfr:CFR",
}

# SPDX-License-Identifier: MIT
"""All measures by name."""

from regretless.benchmarks.keeping import KEEPING
from regretless.benchmarks.measure import Measure, Peer
from regretless.benchmarks.playing import PLAYING
from regretless.benchmarks.searching import SEARCHING
from regretless.benchmarks.solving import SOLVING

MEASURES = {measure.name: measure for measure in (*PLAYING, *SOLVING, *SEARCHING, *KEEPING)}

__all__ = ["MEASURES", "Measure", "Peer"]

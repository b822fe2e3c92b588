# SPDX-License-Identifier: MIT
"""All measures by name."""

from regretless.benchmarks.keeping import KEEPING
from regretless.benchmarks.measure import Measure, Peer
from regretless.benchmarks.playing import PLAYING
from regretless.benchmarks.searching import SEARCHING
from regretless.benchmarks.solving import SOLVING
from regretless.benchmarks.traversing import TRAVERSING

_ALL = (*PLAYING, *SOLVING, *SEARCHING, *TRAVERSING, *KEEPING)
MEASURES = {measure.name: measure for measure in _ALL}

__all__ = ["MEASURES", "Measure", "Peer"]

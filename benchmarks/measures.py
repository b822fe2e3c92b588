# SPDX-License-Identifier: MIT
"""All measures by name."""

from benchmarks.blueprint import BLUEPRINT
from benchmarks.keeping import KEEPING
from benchmarks.learning import LEARNING
from benchmarks.measure import Measure, Peer
from benchmarks.playing import PLAYING
from benchmarks.searching import SEARCHING
from benchmarks.solving import SOLVING
from benchmarks.traversing import TRAVERSING

ALL = (*PLAYING, *SOLVING, *BLUEPRINT, *SEARCHING, *TRAVERSING, *LEARNING, *KEEPING)
MEASURES = {measure.name: measure for measure in ALL}

__all__ = ["MEASURES", "Measure", "Peer"]

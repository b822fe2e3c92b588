# SPDX-License-Identifier: MIT
"""All measures by name."""

from regretless.benchmarks.blueprint import BLUEPRINT
from regretless.benchmarks.keeping import KEEPING
from regretless.benchmarks.learning import LEARNING
from regretless.benchmarks.measure import Measure, Peer
from regretless.benchmarks.playing import PLAYING
from regretless.benchmarks.searching import SEARCHING
from regretless.benchmarks.solving import SOLVING
from regretless.benchmarks.traversing import TRAVERSING

ALL = (*PLAYING, *SOLVING, *BLUEPRINT, *SEARCHING, *TRAVERSING, *LEARNING, *KEEPING)
MEASURES = {measure.name: measure for measure in ALL}

__all__ = ["MEASURES", "Measure", "Peer"]

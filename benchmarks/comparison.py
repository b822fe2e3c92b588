# SPDX-License-Identifier: MIT
"""One measure beside its peers: all take turns on the same cores, so that noise meets all."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.machine import Share, pinned_to, share_of_limit
from benchmarks.measures import Measure, Peer
from benchmarks.peers import REPEATS, PeersEnvironment, Reading


@dataclass(frozen=True)
class Effort:
    """In each round ours and then each peer is measured `REPEATS` times for some seconds."""

    rounds: int
    seconds: float


FULL = Effort(rounds=3, seconds=1.0)
QUICK = Effort(rounds=1, seconds=0.2)


@dataclass(frozen=True)
class PeerComparison:
    """Our rate over a peer's, or a note that says why there is no figure."""

    peer: Peer
    reading: Reading
    ratio: float | None

    @property
    def reached(self) -> bool | None:
        return reaches(self.ratio, self.peer.target)


@dataclass(frozen=True)
class Comparison:
    """The result of a measure, and its peers."""

    measure: Measure
    rate: float
    peers: tuple[PeerComparison, ...]
    share: Share | None = None


def compare(
    measure: Measure,
    environment: PeersEnvironment,
    effort: Effort,
    report: Callable[[str], None],
) -> Comparison:
    """Measure ours and the peers in turns; `report` is told what comes next."""
    rates: list[float] = []
    readings: dict[Peer, Reading] = {}
    with pinned_to(measure.cores):
        for number in range(1, effort.rounds + 1):
            report(f"{measure.name}: round {number} of {effort.rounds}: ours")
            rates += [measure.run(effort.seconds) for _ in range(REPEATS)]
            for peer in measure.peers:
                if peer in readings and readings[peer].note:
                    continue
                report(f"{measure.name}: round {number} of {effort.rounds}: {peer.name}")
                reading = environment.measure(peer, effort.seconds)
                readings[peer] = _better(readings.get(peer), reading)
        rate = measure.summary(rates)
        share = share_of_limit(rate, measure.work()) if measure.work else None
    peers = tuple(_beside(rate, *item) for item in readings.items())
    return Comparison(measure, rate, peers, share)


def reaches(figure: float | None, target: float | None) -> bool | None:
    """Whether a figure reaches its target; None where either is missing."""
    return None if figure is None or target is None else figure >= target


def _better(before: Reading | None, now: Reading) -> Reading:
    """The higher rate; a note, which ends a peer's rounds, only when there is no rate at all."""
    if before is None or before.rate is None:
        return now
    return now if now.rate is not None and now.rate > before.rate else before


def _beside(rate: float, peer: Peer, reading: Reading) -> PeerComparison:
    return PeerComparison(peer, reading, rate / reading.rate if reading.rate else None)

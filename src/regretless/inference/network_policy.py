# SPDX-License-Identifier: MIT
"""Networks as a policy: one of them, or many of which a seat draws one for each episode.

Drawing one network for a whole episode, each as often as its weight says, plays the average of
their strategies (Single Deep CFR, Steinberger 2019). Seats may have networks of their own.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.inference.answers import Answers
from regretless.inference.average_policy import AveragePolicy
from regretless.networks.network import make_networks
from regretless.networks.shape import NetworkWeights, RowEncoder
from regretless.policies.policy import Needs, Policy, Probabilities


class NetworkPolicy:
    """Networks that see the rows of an encoder."""

    def __init__(
        self,
        weights: NetworkWeights,
        encoder: RowEncoder,
        name: str = "networks",
        *,
        device: str = "cpu",
    ) -> None:
        weights.check(name)
        self.weights, self.encoder, self.name = weights, encoder, name
        groups = [weights.at(seat) for seat in range(weights.num_seats or 1)]
        self.needs = Needs(
            encoders=(encoder.name,),
            seeds=max(map(len, groups)) > 1,
            buckets=tuple(encoder.buckets),
        )
        self._device = torch.device(device)
        self._answers = Answers(encoder, self._device)
        self._networks = make_networks(weights, device)
        self._averages: dict[int | None, Policy] = {}
        self._groups = [_Group(numbers, weights.weights[numbers]) for numbers in groups]

    def __call__(self, questions: Any) -> Probabilities:
        legal, rows = questions.legal, questions.rows(self.encoder.name)
        seeds = questions.seeds if self.needs.seeds else np.zeros(len(legal), np.uint64)
        drawn = self.drawn(seeds, questions.actors)
        answers = np.empty(legal.shape, np.float32)
        for number in np.unique(drawn).tolist():
            mine = drawn == number
            network = self._networks[number]
            if mine.all():
                return self._answers(network, rows, legal)
            answers[mine] = self._answers(network, rows[mine], legal[mine])
        return answers

    def average(self, networks: int | None = None) -> Policy:
        """The average of the draws at every decision (see `AveragePolicy`)."""
        if not self.needs.seeds:
            return self
        if networks not in self._averages:
            name, device = f"{self.name} on average", str(self._device)
            self._averages[networks] = AveragePolicy(
                self.weights, self.encoder, name, networks=networks, device=device
            )
        return self._averages[networks]

    def drawn(self, seeds: NDArray[np.uint64], actors: NDArray[np.integer]) -> NDArray[np.intp]:
        """The network that each actor plays with, by the seed of the actor."""
        if self.weights.seats is None:
            return self._groups[0].drawn(seeds)
        if len(actors) and actors.max() >= len(self._groups):
            raise InputError(f"{self.name}: has no network for seat {actors.max()}")
        numbers = np.empty(len(seeds), np.intp)
        for seat, group in enumerate(self._groups):
            numbers[actors == seat] = group.drawn(seeds[actors == seat])
        return numbers


class _Group:
    """Networks of one seat, of which one is drawn for an episode."""

    def __init__(self, numbers: NDArray[np.intp], weights: NDArray[np.float64]) -> None:
        self._numbers = numbers
        self._ends = np.cumsum(weights) / weights.sum()

    def drawn(self, seeds: NDArray[np.uint64]) -> NDArray[np.intp]:
        uniform = (seeds >> np.uint64(11)) * 2.0**-53
        places = np.searchsorted(self._ends, uniform, side="right")
        return self._numbers[np.minimum(places, len(self._numbers) - 1)]

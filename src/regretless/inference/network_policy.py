# SPDX-License-Identifier: MIT
"""Networks as a policy: one of them, or many of which a seat draws one for each episode.

Drawing one network for a whole episode, each as often as its weight says, plays the average of
their strategies (Single Deep CFR, Steinberger 2019; `average_policy.py` computes it). Seats may
have networks of their own. On the CPU perceptrons answer in the native core; torch is imported for
other networks and devices only.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.networks.perceptron import make_perceptron
from regretless.networks.shape import NetworkWeights
from regretless.policies.policy import Needs, Policy, Probabilities, policy_text

_Answer = Callable[[NDArray[np.uint8], NDArray[np.bool_]], NDArray[np.float32]]


class NetworkPolicy:
    """Networks that see the rows of an encoder."""

    __repr__ = policy_text

    def __init__(
        self,
        weights: NetworkWeights,
        encoder: _native.Encoder,
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
        self._device = device
        self._networks = _make_answers(weights, encoder, device)
        self._averages: dict[int | None, Policy] = {}
        shares = [(numbers, weights.weights[numbers]) for numbers in groups]
        self._groups = [(numbers, np.cumsum(each) / each.sum()) for numbers, each in shares]

    def __call__(self, questions: Any) -> Probabilities:
        legal, rows = questions.legal, questions.rows(self.encoder.name)
        seeds = questions.seeds if self.needs.seeds else np.zeros(len(legal), np.uint64)
        drawn = self.drawn(seeds, questions.actors)
        answers = np.empty(legal.shape, np.float32)
        for number in np.unique(drawn).tolist():
            mine = drawn == number
            if mine.all():
                whole: Probabilities = self._networks[number](rows, legal)
                return whole
            answers[mine] = self._networks[number](rows[mine], legal[mine])
        return answers

    def average(self, networks: int | None = None) -> Policy:
        """The average of the draws at every decision (see `AveragePolicy`)."""
        if not self.needs.seeds:
            return self
        if networks not in self._averages:
            from regretless.inference.average_policy import AveragePolicy

            name, device = f"{self.name} on average", self._device
            self._averages[networks] = AveragePolicy(
                self.weights, self.encoder, name, networks=networks, device=device
            )
        return self._averages[networks]

    def drawn(self, seeds: NDArray[np.uint64], actors: NDArray[np.integer]) -> NDArray[np.intp]:
        """The network that each actor plays with, by the seed of the actor."""
        seats = np.zeros_like(actors) if self.weights.seats is None else actors
        if len(seats) and seats.max() >= len(self._groups):
            raise InputError(f"{self.name}: has no network for seat {seats.max()}")
        uniform, drawn = (seeds >> np.uint64(11)) * 2.0**-53, np.empty(len(seeds), np.intp)
        for seat, (numbers, ends) in enumerate(self._groups):
            places = np.searchsorted(ends, uniform[seats == seat], side="right")
            drawn[seats == seat] = numbers[np.minimum(places, len(numbers) - 1)]
        return drawn


def _threads() -> int:
    """Returns all processors, or the threads of torch where it is loaded: workers have few."""
    torch = sys.modules.get("torch")
    return os.cpu_count() or 1 if torch is None else int(torch.get_num_threads())


def _make_answers(weights: NetworkWeights, encoder: _native.Encoder, device: str) -> list[_Answer]:
    """Returns what answers for each network: by its rows and the legal slots."""
    if device == "cpu":
        parameters = [
            {name: each[number] for name, each in weights.parameters.items()}
            for number in range(len(weights))
        ]
        made = [make_perceptron(weights.shape, each) for each in parameters]
        found = [partial(each.answer, encoder, threads=_threads()) for each in made if each]
        if len(found) == len(made):
            return list(found)
    import torch

    from regretless.inference.seat_networks import Answers
    from regretless.networks.network import make_networks

    answers = Answers(encoder, torch.device(device))
    return [partial(answers, network) for network in make_networks(weights, device)]

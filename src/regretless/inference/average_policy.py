# SPDX-License-Identifier: MIT
"""The average of networks of which a player draws one for each episode, in torch.

At one decision that average is the mean of the strategies weighted by their reach:
sum_i w_i p_i s_i / sum_i w_i p_i, where w_i is the weight of network i, s_i its strategy, and p_i
the probability that it makes all earlier choices of the actor on the way there. Where no network
has reach, it is the plain weighted mean.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.errors import InputError
from regretless.inference.seat_networks import Answers
from regretless.networks.network import make_networks
from regretless.networks.shape import NetworkWeights
from regretless.policies.policy import Needs, policy_text

_QUESTIONS = 1 << 13  # whose average is computed at a time
_NUMBERS = 1 << 22  # probabilities of several networks that are held at a time


class AveragePolicy:
    """The average of networks; an answer depends on its row and the actor's past alone."""

    __repr__ = policy_text

    def __init__(
        self,
        weights: NetworkWeights,
        encoder: _native.Encoder,
        name: str = "average",
        *,
        networks: int | None = None,
        device: str = "cpu",
    ) -> None:
        """With `networks` only so many of each seat are asked: faster, and an approximation.

        They are drawn by weight, always the same ones, and the name of the policy says so.
        """
        weights.check(name)
        self.weights = weights if networks is None else weights.some(networks)
        if len(self.weights) < len(weights):
            name = f"{name} ({len(self.weights)} of {len(weights)} networks)"
        self.encoder, self.name = encoder, name
        self.needs = Needs(encoders=(encoder.name,), past=True, buckets=tuple(encoder.buckets))
        self._device = torch.device(device)
        self._answers = Answers(encoder, self._device)
        self._networks = make_networks(self.weights, device)

    def __call__(self, questions: Any) -> NDArray[np.float64]:
        answers = np.empty(questions.legal.shape)
        for seat in np.unique(questions.actors).tolist():
            mine = np.flatnonzero(questions.actors == seat)
            for begin in range(0, len(mine), _QUESTIONS):
                rows = mine[begin : begin + _QUESTIONS]
                answers[rows] = self._average(questions.part(rows), self._numbers(seat))
        return answers

    def _numbers(self, seat: int) -> NDArray[np.intp]:
        numbers = self.weights.at(seat)
        if len(numbers) == 0:
            raise InputError(f"{self.name}: has no network for seat {seat}")
        return numbers

    @torch.inference_mode()
    def _average(self, questions: Any, numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        """The average of the networks of one seat, at some of its decisions."""
        spots = _Spots(questions, self.encoder.name)
        features = self._answers.features(spots.rows)
        legal = self._tensor(spots.legal)
        now, past = self._tensor(spots.now), [tuple(map(self._tensor, each)) for each in spots.past]
        sums = torch.zeros(len(now), legal.shape[1], dtype=torch.float64, device=self._device)
        plain = sums.clone()
        at_once = max(1, _NUMBERS // max(1, legal.numel()))
        for begin in range(0, len(numbers), at_once):
            part = numbers[begin : begin + at_once]
            networks = (self._networks[number] for number in part)
            rows = torch.stack([self._answers.shares(each, features, legal) for each in networks])
            rows = rows.double()
            weights = self._tensor(self.weights.weights[part])
            reaches = weights[:, None].repeat(1, len(now))
            for questions_then, spots_then, slots in past:
                reaches[:, questions_then] *= rows[:, spots_then, slots]
            sums += torch.einsum("nq,nqs->qs", reaches, rows[:, now])
            plain += torch.einsum("n,nqs->qs", weights, rows[:, now])
        totals = sums.sum(dim=1, keepdim=True)
        answers = torch.where(totals > 0, sums, plain)
        average: NDArray[np.float64] = (answers / answers.sum(dim=1, keepdim=True)).cpu().numpy()
        return average

    def _tensor(self, array: NDArray[Any]) -> Tensor:
        return torch.as_tensor(array).to(self._device)


class _Spots:
    """The distinct decisions of questions and of their past."""

    def __init__(self, questions: Any, encoder: str) -> None:
        past, count = questions.past, len(questions)
        rows = np.concatenate([questions.rows(encoder), past.rows(encoder)])
        legal = np.concatenate([questions.legal, past.legal])
        seen = np.concatenate([rows, legal.view(np.uint8)], axis=1)
        whole = seen.view(np.dtype((np.void, seen.shape[1]))).ravel()
        _, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
        self.rows, self.legal = rows[first], legal[first]
        self.now = inverse[:count]
        """[questions]: the decision of each."""
        self.past = list(_by_depth(questions, inverse[count:]))
        """By depth of the actors' own choices: questions, decisions and slots."""


def _by_depth(
    questions: Any, spots: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]:
    offsets = questions.past_offsets
    lengths = np.diff(offsets)
    for depth in range(int(lengths.max(initial=0))):
        those = np.flatnonzero(lengths > depth)
        places = offsets[those] + depth
        yield those, spots[places], questions.past_slots[places].astype(np.intp)

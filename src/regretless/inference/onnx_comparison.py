# SPDX-License-Identifier: MIT
"""Compares an ONNX graph with its networks in PyTorch, at decisions of real play."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.games import Game
from regretless.inference.onnx_policy import graph_feed, make_session, most_rows
from regretless.networks.network import Network, make_networks, shares
from regretless.networks.onnx_graph import OUTPUTS, PROBABILITIES, with_outputs
from regretless.networks.shape import NetworkWeights

_EPISODES, _TABLES = 500, 250


@dataclass(frozen=True)
class Comparison:
    """The largest differences of onnxruntime and PyTorch."""

    decisions: int
    outputs: float
    """The largest difference of outputs, relative to the largest output or 1."""
    probabilities: float
    """The largest difference of probabilities, given equal outputs."""

    @property
    def largest(self) -> float:
        return float(np.maximum(self.outputs, self.probabilities))


def compare(
    model: bytes, networks: NetworkWeights, game: Game, encoder: _native.Encoder
) -> Comparison:
    """Runs both on the same features, of episodes that the networks play.

    Probabilities may jump where outputs differ by rounding, as the largest value does. So the
    outputs are compared, and then the probabilities that follow from equal outputs.
    """
    session, made = make_session(with_outputs(model)), make_networks(networks)
    head, seats = networks.shape.head, networks.num_seats
    outputs, largest, played = np.zeros(1), np.ones(1), np.zeros(1)
    tables = min(_TABLES, most_rows(networks.shape))
    job = _native.SelfPlay(game, _EPISODES, tables=tables, encoders=[encoder.name], record=False)
    while (questions := job.ask()) is not None:
        features, legal = encoder.expand(questions.rows(encoder.name)), questions.legal
        mine = _outputs(made, features, questions.actors)
        found, probabilities = session.run(
            [OUTPUTS, PROBABILITIES], graph_feed(features, legal, questions.actors, seats)
        )
        mask = torch.from_numpy(legal.copy())
        shared = shares(head, torch.from_numpy(found), mask)
        outputs = np.maximum(outputs, np.abs(found - mine.numpy()).max())
        largest = np.maximum(largest, mine.abs().max().numpy())
        played = np.maximum(played, np.abs(probabilities - shared.numpy()).max())
        job.answer(shares(head, mine, mask).numpy())
    return Comparison(job.num_decisions, float((outputs / largest)[0]), float(played[0]))


def _outputs(
    networks: Sequence[Network], features: NDArray[np.float32], actors: NDArray[np.int32]
) -> Tensor:
    """Outputs of the only network, or for each row those of its actor's."""
    with torch.inference_mode():
        found = torch.stack([each(torch.from_numpy(features)) for each in networks])
        seats = torch.from_numpy(actors.astype(np.int64)) % len(networks)
        return found[seats, torch.arange(len(seats))]

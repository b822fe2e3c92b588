# SPDX-License-Identifier: MIT
"""Networks that see the hands of all seats and say what every slot is worth to one of them.

They are baselines for sampled traversals: learned from what came of the slots that were followed,
and never asked by anybody who plays.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.buffers import Ring
from regretless.learning.encoded_rows import EncodedFeatures
from regretless.learning.fit import Fit, Loss
from regretless.learning.seat_fits import SeatFits
from regretless.networks.network import Network

_ROWS = 4096  # at a time


class HistoryValues(SeatFits):
    """By seat: what slots are worth to it, whoever is to act."""

    def __init__(
        self,
        name: str,
        loss: Loss[Network],
        fits: Sequence[Fit[Network]],
        rows: Sequence[Ring],
        encoder: _native.Encoder,
    ) -> None:
        """The encoder is of all seats."""
        super().__init__(name, loss, fits, rows)
        self._encoder, self._device = encoder, fits[0].device
        self._features = EncodedFeatures(encoder, self._device)

    def add(self, seat: int, samples: _native.TraversalSamples) -> None:
        """What traversals of a seat found."""
        self.rows[seat].add(
            {
                "row": samples.outcome_rows,
                "legal": samples.followed,
                "target": samples.outcomes,
                "weight": samples.outcome_weights,
            }
        )

    def baselines(self, seat: int, questions: _native.Questions) -> NDArray[np.float32]:
        """[questions, slots]: in units of the game."""
        rows, network = questions.rows(self._encoder.name), self.fits[seat].network
        found = np.empty((len(questions), network.shape.outputs), np.float32)
        with torch.inference_mode():
            for begin in range(0, len(rows), _ROWS):
                part = torch.tensor(rows[begin : begin + _ROWS], device=self._device)
                features = self._features.expand(part)
                found[begin : begin + _ROWS] = network(features).cpu().numpy()
        return found

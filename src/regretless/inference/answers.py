# SPDX-License-Identifier: MIT
"""The one path of inference: encoded rows to features, to outputs, to probabilities."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.networks.expansion import Features
from regretless.networks.network import Network, shares

_CPU_ROWS = 1 << 12  # in a block: they stay in the caches
_DEVICE_ROWS = 1 << 17


class Answers:
    """Answers questions about rows of an encoder with networks on a device."""

    def __init__(
        self, encoder: _native.Encoder, device: torch.device, precision: torch.dtype = torch.float32
    ) -> None:
        self.features = Features(encoder, device, precision)
        self._device = device
        self._block = _CPU_ROWS if device.type == "cpu" else _DEVICE_ROWS

    def shares(
        self, network: Network, features: Tensor, legal: Tensor, temperature: Tensor | None = None
    ) -> Tensor:
        """Probabilities [rows, slots] at features, on the device."""
        outputs = network(features).float()
        return shares(network.shape.head, outputs, legal, temperature)

    @torch.inference_mode()
    def __call__(
        self,
        network: Network,
        rows: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        temperature: Tensor | None = None,
    ) -> NDArray[np.float32]:
        """Probabilities [rows, slots] at encoded rows, computed in blocks."""
        answers = np.empty(legal.shape, np.float32)
        for begin in range(0, len(rows), self._block):
            part = slice(begin, begin + self._block)
            mask = torch.from_numpy(np.array(legal[part])).to(self._device)
            found = self.shares(network, self.features(rows[part]), mask, temperature)
            answers[part] = found.cpu().numpy()
        return answers

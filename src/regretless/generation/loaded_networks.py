# SPDX-License-Identifier: MIT
"""Networks of a generator, which plays by the weights that it is given."""

from typing import Any

import torch

from regretless import _native
from regretless.inference.seat_networks import make_seat_networks
from regretless.networks.network import Network
from regretless.networks.placement import find_placement
from regretless.networks.shape import NetworkWeights


class LoadedNetworks:
    """Networks in the order of their seats or roles; made when the first weights come."""

    def __init__(
        self,
        encoder: _native.Encoder,
        device: str,
        precision: str,
        *,
        by_temperature: bool = False,
    ) -> None:
        """With `by_temperature` networks of values play by a softmax, not the largest value."""
        self._encoder, self._by_temperature = encoder, by_temperature
        self._device = find_placement(device, "float32").device
        self._precision = torch.bfloat16 if precision == "bfloat16" else torch.float32
        self._networks: list[Network] = []
        self._loaded: list[NetworkWeights] = []
        self._players: Any = None

    def load(self, *weights: NetworkWeights) -> Any:
        """Returns what plays by these weights, each with one network or one for each seat."""
        if self._players is not None and _are_same(weights, self._loaded):
            return self._players
        shapes = [each.shape for each in weights for _ in range(len(each))]
        if self._players is None:
            self._networks = [Network(shape).to(self._device) for shape in shapes]
            self._players = make_seat_networks(
                self._networks, self._encoder, self._device, self._precision, self._by_temperature
            )
        networks = iter(self._networks)
        for each in weights:
            for number in range(len(each)):
                next(networks).load_state_dict(
                    {name: torch.tensor(array[number]) for name, array in each.parameters.items()}
                )
        self._loaded = list(weights)
        self._players.refresh()
        return self._players


def _are_same(left: tuple[NetworkWeights, ...], right: list[NetworkWeights]) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))

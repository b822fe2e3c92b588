# SPDX-License-Identifier: MIT
"""An average strategy whose rows were lost: its network stands for them until they are outweighed.

After the loss the target of each new row is blended with the strategy of the old network. A row of
episode e has weight (1 + e) ** power, so the n lost episodes should still count for a share of
(n / e) ** (power + 1) at episode e. Blending each row with the share (n / e) ** (2 * (power + 1))
gives that share on average over the rows since the loss.
"""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays
from regretless.inference.seat_networks import make_seat_networks
from regretless.networks.network import Network, load_network, tensor_arrays

_EPISODES, _NETWORK = "memory/episodes", "memory/network"


class RememberedAverage:
    """The network of the average after a number of episodes."""

    def __init__(
        self,
        network: Network,
        episodes: int,
        encoder: _native.Encoder,
        device: torch.device,
        precision: torch.dtype,
    ) -> None:
        self.network, self.episodes = copy.deepcopy(network), episodes
        self._players: Any = make_seat_networks([self.network], encoder, device, precision)
        self._players.refresh()

    def blend(
        self,
        played: NDArray[np.float32],
        rows: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        episodes: NDArray[np.int64],
        power: float,
    ) -> NDArray[np.float32]:
        """Returns the played strategies [rows, actions], blended with those of the network."""
        begun = self._players.begin(rows, legal, np.zeros(len(rows), np.int32))
        remembered = self._players.finish(begun)
        left = self.episodes / np.maximum(episodes, 1)
        share = np.minimum(left ** (2 * (power + 1)), 1).astype(np.float32)[:, None]
        blended: NDArray[np.float32] = share * remembered + (1 - share) * played
        return blended

    def state(self) -> Arrays:
        arrays = tensor_arrays(_NETWORK, self.network.state_dict())
        return {_EPISODES: np.array(self.episodes), **arrays}


def remembered_in(state: Arrays, network: Network) -> tuple[Network, int] | None:
    """Returns the saved network and its number of episodes; None if the state has none."""
    if _EPISODES not in state:
        return None
    found = copy.deepcopy(network)
    load_network(found, _NETWORK, state)
    return found, int(state[_EPISODES])

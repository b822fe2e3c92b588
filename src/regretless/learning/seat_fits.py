# SPDX-License-Identifier: MIT
"""Networks with one fit and one buffer for each seat, and the maker of such parts of a learner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from regretless import _native
from regretless.algorithm import Arrays
from regretless.buffers import Buffer, Column, Reservoir, Ring
from regretless.games import Game
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.fit import Fit, FitConfig, Loss, numbered_seed
from regretless.networks.expansion import Features
from regretless.networks.mlp import Head
from regretless.networks.network import Network, network_weights
from regretless.networks.placement import find_placement
from regretless.networks.shape import NetworkWeights

# For the forecast of memory.
_LEAST_ROWS = 1 << 12  # that networks answer at once
_LIBRARY_BYTES = 256 << 20  # of torch at work
_DRIVER_BYTES = 4 << 30  # of the memory of the host, for a CUDA device


class SeatFits:
    """One network for each seat, each of which goes on from its last fit."""

    def __init__(
        self,
        name: str,
        loss: Loss[Network],
        fits: Sequence[Fit[Network]],
        rows: Sequence[Reservoir | Ring],
        stream: int,
    ) -> None:
        """`name` is the prefix in metrics and checkpoints, `stream` the random one of all fits."""
        self.name, self.loss, self.fits, self.rows = name, loss, list(fits), list(rows)
        self.stream = stream

    @property
    def size(self) -> int:
        """The number of rows in the buffers of all seats."""
        return sum(each.size for each in self.rows)

    def weights(self) -> NetworkWeights:
        return seat_weights(self.fits)

    def buffers(self) -> dict[str, Buffer]:
        return {f"{self.name}_{seat}": each for seat, each in enumerate(self.rows)}

    def state(self) -> Arrays:
        arrays: Arrays = {}
        for fit in self.fits:
            arrays |= fit.state()
        return arrays

    def restore(self, state: Arrays) -> None:
        for fit in self.fits:
            fit.restore(state)


def seat_weights(fits: Sequence[Fit[Network]]) -> NetworkWeights:
    """Returns the weights of one network for each seat."""
    return network_weights([fit.network for fit in fits], seats=range(len(fits)))


@dataclass(frozen=True)
class FitMaker:
    """Makes fits and buffers for each seat of a game, as a config says."""

    game: Game
    encoder: _native.Encoder
    config: AdvantageConfig
    seed: int

    @property
    def seats(self) -> range:
        return range(self.game.num_players)

    @property
    def device(self) -> torch.device:
        return find_placement(self.config.device, "float32").device

    def fits(
        self,
        name: str,
        head: Head,
        steps: int,
        *,
        batch: int | None = None,
        rate: float | None = None,
        outputs: int | None = None,
        encoder: _native.Encoder | None = None,
        stream: int | None = None,
    ) -> list[Fit[Network]]:
        """Returns fits whose learning rate falls to 0, by default with an output for each slot.

        Networks are drawn by the random stream; without one all weights are 0.
        """
        config, encoder = self.config, encoder or self.encoder
        shape = config.shape(encoder.num_features, outputs or self.game.num_actions, head)
        features = Features(encoder, self.device)
        return [
            Fit(
                f"{name}/{seat}",
                Network(shape, None if stream is None else self.generator(stream, seat, 1)),
                FitConfig(
                    steps, batch or config.batch, rate or config.learning_rate, 0.0, config.clip
                ),
                self.device,
                prepare=features.added,
                merges_rows=True,
                precision=torch.bfloat16 if config.precision == "bfloat16" else torch.float32,
            )
            for seat in self.seats
        ]

    def reservoir(self, capacity: int, stream: int, number: int, width: int = 0) -> Reservoir:
        """Returns a reservoir of rows with `width` targets; 0: one for each slot."""
        seed = numbered_seed(self.seed, stream, number, 0)
        return Reservoir(self._columns(self.encoder, width), capacity, seed=seed, **self._limits)

    def ring(self, capacity: int, encoder: _native.Encoder) -> Ring:
        return Ring(self._columns(encoder), capacity, **self._limits)

    @property
    def _limits(self) -> dict[str, Any]:
        return {"max_bytes": self.config.max_bytes, "threads": self.config.threads}

    def _columns(self, encoder: _native.Encoder, width: int = 0) -> list[Column]:
        slots = (self.game.num_actions,)
        legal = [] if width else [Column("legal", "bool", slots)]
        return [
            Column("row", "uint8", (encoder.row_bytes,)),
            *legal,
            Column("target", "float32", (width,) if width else slots),
            Column("weight", "float32"),
        ]

    def generator(self, stream: int, number: int, iteration: int) -> torch.Generator:
        seed = numbered_seed(self.seed, stream, number, iteration)
        return torch.Generator().manual_seed(seed)

    def forecast_bytes(self, mirrored: int) -> int:
        """Returns the memory of a fit at most, with a mirrored buffer of so many bytes on CUDA."""
        config = self.config
        numbers = self.encoder.num_features + 4 * sum(config.widths)
        rows = max(config.batch, config.value_batch if config.value_steps else 0, _LEAST_ROWS)
        device = _DRIVER_BYTES + 2 * mirrored if self.device.type == "cuda" else 0
        return _LIBRARY_BYTES + 4 * rows * numbers + device

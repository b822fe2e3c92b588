# SPDX-License-Identifier: MIT
"""Networks that a learner fits beside those that play, one for each seat, with the rows of each."""

from collections.abc import Sequence

from regretless.algorithm import Arrays
from regretless.buffers import Buffer, Reservoir, Ring
from regretless.learning.fit import Fit, Loss
from regretless.networks.network import Network
from regretless.watch import Watch


class SeatFits:
    """Each network goes on from its last fit."""

    def __init__(
        self,
        name: str,
        loss: Loss[Network],
        fits: Sequence[Fit[Network]],
        rows: Sequence[Reservoir | Ring],
    ) -> None:
        """`name` tells them from others in metrics and checkpoints."""
        self.name, self.fits, self.rows = name, list(fits), list(rows)
        self.loss = loss

    @property
    def size(self) -> int:
        """Rows that are kept, of all seats."""
        return sum(each.size for each in self.rows)

    def fit(self, seat: int, seed: int, *, scale: float = 1.0, watch: Watch) -> float:
        """To the rows of a seat; the mean loss. Stopped, all is as it was before."""
        rows = self.rows[seat]
        return self.fits[seat].fit(self.loss, rows, seed, scale=scale, watch=watch)

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

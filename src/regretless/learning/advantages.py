# SPDX-License-Identifier: MIT
"""Networks of advantages, one for each seat, which Deep CFR and Single Deep CFR share.

Samples of an iteration count by a rule (`advantage_config.py`). Where advantages add up, a buffer
holds the samples of one iteration only; where the rule predicts, the networks that play are fitted
to the cumulative advantages plus the newest ones, and the cumulative ones have networks of their
own.
"""

import copy

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics, Takes
from regretless.buffers import Buffer
from regretless.learning.advantage_config import RULES
from regretless.learning.fit import Fit, numbered_seed
from regretless.learning.losses import AdvantageLoss, value_loss
from regretless.learning.seat_fits import FitMaker, SeatFits
from regretless.networks.network import Network
from regretless.watch import Stopped, Watch

# Streams of randomness.
_WEIGHTS, _FITS, RESERVOIRS = range(3)
_VALUE_WEIGHTS, _VALUE_FITS, _VALUE_RESERVOIRS, _BASELINE_WEIGHTS, _BASELINE_FITS = range(3, 8)


class AdvantageFits:
    """Fits and samples of the advantages of each seat."""

    def __init__(self, maker: FitMaker) -> None:
        self.rule, self._maker = RULES[maker.config.rule], maker
        config = maker.config
        self.players = self.sums = maker.fits("advantages", "advantages", config.steps)
        """The networks that play."""
        if self.rule.predicts:
            self.sums = maker.fits("sums", "advantages", config.steps)
        """Networks of cumulative advantages; the playing networks unless the rule predicts."""
        self.rows = [maker.reservoir(config.capacity, RESERVOIRS, 2 * seat) for seat in maker.seats]

    def clear(self, seat: int) -> None:
        """Forgets the samples of the last iteration, where advantages add up."""
        if self.rule.adds_up:
            self.rows[seat].resume(0)
            for fit in (self.players[seat], self.sums[seat]):
                fit.forget_rows()

    def add(self, seat: int, samples: Arrays, weights: NDArray[np.float32]) -> None:
        """Keeps the advantages of traversals of a seat, with the weights of the samples."""
        advantages, power = samples["advantages"], self._maker.config.stake_power
        if power > 0:
            advantages = advantages / samples["stakes"][:, None] ** np.float32(power)
        self.rows[seat].add(
            {
                "row": samples["rows"],
                "legal": samples["legal"],
                "target": advantages,
                "weight": weights,
            }
        )

    def fit(self, seat: int, iteration: int, watch: Watch) -> Metrics:
        """Fits the networks of a seat and returns their losses; stopped, nothing has changed."""
        sums, player = self.sums[seat], self.players[seat]
        fits = [sums, player] if self.rule.predicts else [player]
        before, metrics = sums.state(), {}
        try:
            for number, fit in enumerate(fits):
                loss = AdvantageLoss()
                if self.rule.adds_up:  # a prediction is based on the sums that were just fitted
                    discount = self.rule.discount(iteration + number)
                    loss = AdvantageLoss(copy.deepcopy(sums.network), discount)
                if iteration == 1 or not self.rule.adds_up:
                    draws = self._maker.generator(_WEIGHTS, 2 * seat + number, iteration)
                    fit.reset(Network(fit.network.shape, draws))
                metrics[f"loss/{fit.name.replace('/', '_')}"] = fit.fit(
                    loss,
                    self.rows[seat],
                    numbered_seed(self._maker.seed, _FITS, 2 * seat + number, iteration),
                    scale=self.rule.scale(iteration),
                    watch=watch,
                )
        except Stopped:
            sums.undo(before)
            raise
        return metrics

    # Checkpoints.

    def _fits(self) -> list[Fit[Network]]:
        return self.players + self.sums if self.rule.predicts else self.players

    def buffers(self) -> dict[str, Buffer]:
        if self.rule.adds_up:  # samples of one iteration are part of the state
            return {}
        return {f"advantages_{seat}": each for seat, each in enumerate(self.rows)}

    def state(self, tasks: int) -> Arrays:
        """Returns the networks, and the samples of the seat under way after so many tasks."""
        arrays: Arrays = {}
        for fit in self._fits():
            arrays |= fit.state(moments=self.rule.adds_up)
        seat = self._seat_under_way(tasks)
        if self.rule.adds_up and seat is not None:
            buffer = self.rows[seat]
            arrays["samples"] = buffer.get(np.arange(buffer.size))
            arrays["num_samples"] = np.array(buffer.num_added)
        return arrays

    def restore(self, state: Arrays, tasks: int) -> None:
        for fit in self._fits():
            fit.restore(state)
        seat = self._seat_under_way(tasks)
        if "samples" in state and seat is not None:
            buffer, rows = self.rows[seat], state["samples"]
            buffer.put(np.arange(len(rows)), rows)
            buffer.resume(int(state["num_samples"]))

    def _seat_under_way(self, tasks: int) -> int | None:
        """Returns the seat that has samples and whose fit is not done; None between two seats."""
        config, seats = self._maker.config, self._maker.seats
        seat, done = divmod(tasks, -(-config.traversals // config.block) + 1)
        return seat if done > 0 and seat in seats else None

    def takes(self, state: int, traversing: int) -> Takes:
        """Returns the forecast of memory, given the bytes of the state and of traversals."""
        sizes = [each.num_bytes for each in self.rows]
        working = traversing + self._maker.forecast_bytes(max(sizes))
        return Takes(state, state + sum(sizes) if self.rule.adds_up else None, working)


def make_sides(maker: FitMaker, all_seats: _native.Encoder | None) -> dict[str, SeatFits]:
    """Returns the networks that learn from the same traversals beside the advantages, by name.

    `values` of information sets to their seat are there if the config asks for them, `baselines`
    for outcome sampling if `all_seats` is an encoder, which shows them the hands of all seats.
    """
    config, sides = maker.config, dict[str, SeatFits]()
    if config.value_steps > 0:
        steps, batch = config.value_steps, config.value_batch
        fits = maker.fits("values", "values", steps, batch=batch, outputs=1, stream=_VALUE_WEIGHTS)
        rows = [
            maker.reservoir(config.value_capacity, _VALUE_RESERVOIRS, seat, width=1)
            for seat in maker.seats
        ]
        sides["values"] = SeatFits("values", value_loss, fits, rows, _VALUE_FITS)
    if all_seats is not None:
        steps = config.baseline_steps
        fits = maker.fits("baselines", "values", steps, encoder=all_seats, stream=_BASELINE_WEIGHTS)
        rings = [maker.ring(config.baseline_capacity, all_seats) for _ in maker.seats]
        sides["baselines"] = SeatFits("baselines", AdvantageLoss(), fits, rings, _BASELINE_FITS)
    return sides

# SPDX-License-Identifier: MIT
"""Losses of networks that value the hands of a street, and their figures on boards held apart."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import huber_loss

from regretless.algorithm import Metrics
from regretless.buffers import Buffer
from regretless.learning.minibatches import Rows, split_columns
from regretless.networks.street_network import RiverBoards, Sight, StreetNetwork, met_masses

STACK_CLASSES = {"below_1": (0.0, 1.0), "1_to_10": (1.0, 10.0), "above_10": (10.0, np.inf)}
"""Stacks in pots, by the name of their class."""
_LEAST_MASS, _LEAST_RANGE = 1e-9, 1e-30


def with_sight(bins: int) -> Callable[[Rows], Rows]:
    """Returns what adds to the columns of boards how a network sees them.

    Boards of the river are known by the places of their hands, others by their matrices.
    """

    def prepare(rows: Rows) -> Rows:
        if "places" in rows:
            boards = RiverBoards(rows["places"], bins)
            sight, possible = boards.see(rows["ranges"], rows["stacks"]), boards.possible
        else:
            sight = _sight_before_cards(rows)
            possible = sight.matrix.sum(2) > 0
        return {**sight._asdict(), "possible": possible, "values": rows["values"].float()}

    return prepare


def _sight_before_cards(rows: Rows) -> Sight:
    matrix, ranges = rows["matrix"].float(), rows["ranges"].float()
    ranges = ranges / ranges.sum(3, keepdim=True).clamp_min(_LEAST_RANGE)
    possible = (matrix.sum(2) > 0)[:, None, None]
    masses = met_masses(ranges.flip(2)) * possible
    return Sight(matrix, ranges, rows["equities"].float(), masses, rows["stacks"])


def value_loss(network: StreetNetwork, rows: Rows) -> Tensor:
    """Returns Huber's loss (delta 1) of values in pots, over the hands that a board leaves."""
    return _losses(network(_sight(rows)), rows).mean()


def _losses(values: Tensor, rows: Rows) -> Tensor:
    """Returns the loss of each spot: [boards, spots]."""
    losses = huber_loss(values, rows["values"], reduction="none").sum((2, 3))
    return losses / (2 * rows["possible"].sum(1, keepdim=True))


def _errors(values: Tensor, rows: Rows) -> Tensor:
    """Returns the mean error of each spot's expected values, weighted by the players' ranges."""
    expected = (values - rows["values"]).abs() / rows["masses"].clamp_min(_LEAST_MASS)
    return (expected * rows["ranges"]).sum((2, 3)) / 2


def holdout_figures(
    network: StreetNetwork,
    buffer: Buffer,
    prepare: Callable[[Rows], Rows],
    batch: int,
    device: torch.device,
) -> Metrics:
    """Returns the loss and the error, in % of the pot, on all rows; also by class of stacks."""
    parts: list[tuple[Tensor, Tensor, Tensor]] = []
    with torch.no_grad():
        for first in range(0, buffer.size, batch):
            indices = np.arange(first, min(first + batch, buffer.size))
            found = torch.from_numpy(buffer.get(indices)).to(device)
            rows = prepare(split_columns(found, buffer.columns))
            values = network(_sight(rows))
            parts.append((_losses(values, rows), 100 * _errors(values, rows), rows["stacks"]))
    losses, errors, stacks = (
        torch.cat([each.flatten() for each in kind]) for kind in zip(*parts, strict=True)
    )
    figures = {"holdout_huber": float(losses.mean()), "holdout_error": float(errors.mean())}
    for name, (low, high) in STACK_CLASSES.items():
        chosen = (stacks >= low) & (stacks < high)
        if bool(chosen.any()):
            figures[f"holdout_huber_{name}"] = float(losses[chosen].mean())
            figures[f"holdout_error_{name}"] = float(errors[chosen].mean())
    return figures


def _sight(rows: Rows) -> Sight:
    return Sight(*(rows[name] for name in Sight._fields))

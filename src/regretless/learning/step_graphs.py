# SPDX-License-Identifier: MIT
"""Steps of a fit as CUDA graphs: on some rows of a mirrored buffer, or on all distinct rows."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from regretless.learning.minibatches import Rows

Capture = Callable[[Callable[[], None]], torch.cuda.CUDAGraph]
"""Captures a step without a change to the network."""


class MinibatchGraph:
    """The graph of a step on mirrored rows, by their indices."""

    def __init__(
        self,
        capture: Capture,
        learn_from: Callable[[Tensor, Tensor], None],
        indices: Tensor,
        renamings: Tensor,
    ) -> None:
        self._indices, self._renamings = indices.clone(), renamings.clone()
        self._graph = capture(partial(learn_from, self._indices, self._renamings))

    def replay(self, indices: Tensor, renamings: Tensor) -> None:
        self._indices.copy_(indices)
        self._renamings.copy_(renamings)
        self._graph.replay()


class WholeGraph:
    """The graph of a step on all distinct rows, padded to a minibatch by rows of weight 0."""

    def __init__(
        self, capture: Capture, learn: Callable[[Rows], None], rows: Rows, batch: int
    ) -> None:
        self._batch = batch
        self._rows = {name: each.new_zeros((batch, *each.shape[1:])) for name, each in rows.items()}
        self.put(rows)
        self._graph = capture(partial(learn, self._rows))

    def put(self, rows: Rows) -> None:
        count = len(rows["weight"])
        scaled = {**rows, "weight": rows["weight"] * (self._batch / count)}
        for name, each in self._rows.items():
            each[:count].copy_(scaled[name])
            if count < self._batch:
                each[count:].copy_(each[:1].expand(self._batch - count, *each.shape[1:]))
        self._rows["weight"][count:] = 0

    def replay(self) -> None:
        self._graph.replay()

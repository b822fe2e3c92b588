# SPDX-License-Identifier: MIT
"""Minibatches of a buffer on a torch device.

On a CUDA device each is gathered into pinned memory and copied by a stream of its own while those
before it are learned from; two take turns. The rows are the same as by `sample` on any device.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.buffers import Column


class Sampled(Protocol):
    """What minibatches are drawn from: a `Ring` or a `Reservoir`."""

    @property
    def columns(self) -> tuple[Column, ...]: ...

    def sample_into(self, seed: int, step: int, rows: Mapping[str, NDArray[Any]]) -> None: ...


def minibatches(
    buffer: Sampled, seed: int, steps: Iterable[int], count: int, device: torch.device
) -> Iterator[dict[str, Tensor]]:
    """One minibatch of `count` rows for each step, in their order.

    A minibatch may be read until the next one is asked for, and no rows may be added meanwhile: on
    a CUDA device the next ones are already drawn.
    """
    if device.type == "cuda":
        yield from _ahead(buffer, seed, steps, count, device)
        return
    for step in steps:
        rows = _empty(buffer, count)
        buffer.sample_into(seed, step, {name: each.numpy() for name, each in rows.items()})
        yield {name: each.to(device) for name, each in rows.items()}


class _Batch:
    """One minibatch on its way: pinned rows, their copy on the device, and who is done with it."""

    def __init__(self, buffer: Sampled, count: int, device: torch.device, stream: Any) -> None:
        self.stream, self.device = stream, device
        self.pinned = {name: each.pin_memory() for name, each in _empty(buffer, count).items()}
        self.rows = {
            name: torch.empty_like(each, device=device) for name, each in self.pinned.items()
        }
        self.copied, self.used = torch.cuda.Event(), torch.cuda.Event()  # type: ignore[no-untyped-call]

    def fill(self, buffer: Sampled, seed: int, step: int) -> None:
        self.copied.synchronize()  # the copy before has left the pinned rows
        buffer.sample_into(seed, step, {name: each.numpy() for name, each in self.pinned.items()})
        self.stream.wait_event(self.used)
        with torch.cuda.stream(self.stream):
            for name, each in self.rows.items():
                each.copy_(self.pinned[name], non_blocking=True)
            self.copied.record(self.stream)

    def wait(self) -> dict[str, Tensor]:
        """The rows, for work that is given to the device from now on."""
        torch.cuda.current_stream(self.device).wait_event(self.copied)
        return self.rows

    def release(self) -> None:
        """All work with the rows has been given to the device."""
        self.used.record(torch.cuda.current_stream(self.device))


def _ahead(
    buffer: Sampled, seed: int, steps: Iterable[int], count: int, device: torch.device
) -> Iterator[dict[str, Tensor]]:
    stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    batches = [_Batch(buffer, count, device, stream) for _ in range(2)]
    stream.wait_stream(torch.cuda.current_stream(device))  # which may still use their memory
    waiting: list[_Batch] = []
    try:
        for number, step in enumerate(steps):
            batch = batches[number % 2]
            if len(waiting) == 2:
                yield waiting.pop(0).wait()
                batch.release()
            batch.fill(buffer, seed, step)
            waiting.append(batch)
        for batch in waiting:
            yield batch.wait()
    finally:
        stream.synchronize()


def _empty(buffer: Sampled, count: int) -> dict[str, Tensor]:
    """On the CPU."""
    return {
        column.name: torch.from_numpy(np.empty((count, *column.shape), column.type))
        for column in buffer.columns
    }

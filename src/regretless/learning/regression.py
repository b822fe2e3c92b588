# SPDX-License-Identifier: MIT
"""Fitting a network to the rows of a buffer: minibatches, Adam, a rate that falls to nothing.

On the CPU minibatches are gathered natively. On a CUDA device the rows of the buffer are mirrored
there, and a step is captured once and then replayed. Where the buffer has no more distinct rows
than a minibatch, every step learns from all of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays
from regretless.buffers import Column, Reservoir, Ring
from regretless.errors import DivergedError
from regretless.learning.distinct_rows import distinct_rows
from regretless.learning.minibatches import minibatches
from regretless.learning.suit_renaming import SuitRenaming
from regretless.networks.capture import capture
from regretless.networks.expansion import Expansion
from regretless.networks.network import Network
from regretless.networks.shape import NetworkShape
from regretless.networks.torch_arrays import (
    load_moments,
    load_network,
    moment_arrays,
    tensor_arrays,
)
from regretless.watch import UNWATCHED, Watch

Rows = dict[str, Tensor]
Loss = Callable[[Network, Tensor, Rows], Tensor]
"""Of a network on some features [batch, inputs] and the columns of their rows."""

_LOOK_EVERY = 50  # steps
_ENCODED = ("row", "next_row")  # columns that an encoder wrote


@dataclass(frozen=True)
class RegressionConfig:
    """How long and how fast a fit goes."""

    steps: int
    batch: int
    learning_rate: float
    final_rate: float
    """Share of the learning rate that is left at the last step; it falls linearly."""
    clip: float
    """Largest norm of a gradient."""


class Regression:
    """One network and what fits it; its shape and the columns of its buffer stay the same."""

    def __init__(
        self,
        name: str,
        shape: NetworkShape,
        encoder: _native.Encoder,
        loss: Loss,
        config: RegressionConfig,
        device: torch.device,
        precision: torch.dtype = torch.float32,
        *,
        gathers: bool = True,
        following: float | None = None,
        renaming: SuitRenaming | None = None,
    ) -> None:
        """`name` tells its arrays in a checkpoint from those of other networks.

        It `gathers` distinct rows where the loss of equal ones is that of their mean target. With
        `following` a copy of the network takes over so much of it after each step. With `renaming`
        every row is learned from as one of those that it stands for, drawn anew for each step.
        """
        self.name, self.config, self.device = name, config, device
        self.network = Network(shape).to(device)
        self._encoder, self._loss, self._precision = encoder, loss, precision
        self._gathers, self._following, self._renaming = gathers, following, renaming
        self.target = self.network if following is None else Network(shape).to(device)
        """The copy that follows, if there is one."""
        self._is_cuda = device.type == "cuda"
        rate: Any = config.learning_rate
        if self._is_cuda:  # there a captured step reads its rate from memory
            rate = torch.tensor(rate, device=device)
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=rate, capturable=self._is_cuda, fused=True
        )
        self._expansion = Expansion(encoder).to(device)
        self._total = torch.zeros((), device=device)
        self._scale = torch.ones((), device=device)  # in memory, for captured steps
        self._rate = config.learning_rate
        self._mirror: _Mirror | None = None
        self._graph: _StepGraph | None = None
        self._whole: _Whole | None = None

    def draw(self, generator: torch.Generator) -> None:
        """New numbers for the network, as if nothing had been learned."""
        fresh = Network(self.network.shape, generator)
        for network in self._networks().values():
            network.load_state_dict(fresh.state_dict())
        self.forget_moments()

    def _networks(self) -> dict[str, Network]:
        """By what their arrays are called in a checkpoint."""
        found = {self.name: self.network}
        return found if self._following is None else {**found, f"{self.name}/target": self.target}

    def forget_rows(self) -> None:
        """The buffer was emptied."""
        if self._mirror is not None:
            self._mirror.forget()

    def forget_graph(self) -> None:
        """The loss is of other tensors than before."""
        self._graph = self._whole = None

    def fit(
        self,
        buffer: Reservoir | Ring,
        seed: int,
        *,
        scale: float = 1.0,
        rate: float = 1.0,
        watch: Watch = UNWATCHED,
    ) -> float:
        """So many minibatches of the buffer, whose weights count `scale` times; the mean loss.

        `rate` is the share of the learning rate that the fit begins with.

        `Stopped` if `watch` says so, DivergedError if the loss is not finite.
        """
        self._total.zero_()
        self._scale.fill_(scale)
        self._rate = self.config.learning_rate * rate
        whole = distinct_rows(buffer, self.config.batch) if self._gathers else None
        if whole is not None:
            steps = self._on_all(whole)
        else:
            steps = self._on_cuda(buffer, seed) if self._is_cuda else self._on_cpu(buffer, seed)
        for step in steps:
            if step % _LOOK_EVERY == 0:
                watch.look(f"fitting {self.name}", step / self.config.steps)
        loss = float(self._total) / max(self.config.steps, 1)
        DivergedError.check(f"loss/{self.name.replace('/', '_')}", loss)
        return loss

    def _on_all(self, whole: Arrays) -> Iterator[int]:
        """A step has the same rows as the one before."""
        tensors = {name: torch.from_numpy(array) for name, array in whole.items()}
        features = torch.from_numpy(self._encoder.expand(whole["row"]))
        rows = {"features": features, **tensors}
        if self._is_cuda:
            if self._whole is None:
                self._whole = _Whole(self, rows)
            self._whole.put(rows)
        for step in range(self.config.steps):
            yield step
            self._set_rate(step)
            if self._whole is not None:
                self._whole.replay()
            else:
                self.learn(features, rows)

    def _on_cpu(self, buffer: Reservoir | Ring, seed: int) -> Iterator[int]:
        steps, batch = range(self.config.steps), self.config.batch
        for step, rows in zip(
            steps, minibatches(buffer, seed, steps, batch, self.device), strict=True
        ):
            yield step
            self._set_rate(step)
            rows = self._renamed(rows, self._draw_names(seed, step))
            self.learn(self.features(rows["row"]), rows)

    def _on_cuda(self, buffer: Reservoir | Ring, seed: int) -> Iterator[int]:
        if self._mirror is None or self._mirror.buffer is not buffer:
            self._mirror, self._graph = _Mirror(buffer, self.device), None
        self._mirror.refresh()
        draws = torch.Generator(self.device).manual_seed(seed & (1 << 63) - 1)
        shape = (self.config.steps, self.config.batch)
        chosen = torch.randint(buffer.size, shape, generator=draws, device=self.device)
        most = 1 if self._renaming is None else self._renaming.count
        names = torch.randint(most, shape, generator=draws, device=self.device)
        if self._graph is None and self.config.steps > 0:
            self._graph = _StepGraph(self, chosen[0], names[0])
        for step in range(self.config.steps):
            yield step
            self._set_rate(step)
            assert self._graph is not None
            self._graph.replay(chosen[step], names[step])

    def _set_rate(self, step: int) -> None:
        share = 1 - (1 - self.config.final_rate) * step / self.config.steps
        group = self._optimizer.param_groups[0]
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(self._rate * share)
        else:
            group["lr"] = self._rate * share

    def learn_from(self, indices: Tensor, names: Tensor) -> None:
        """One minibatch of the mirrored rows, renamed so."""
        assert self._mirror is not None
        rows = self._renamed(self._mirror.rows(indices), names)
        self.learn(self.features(rows["row"]), rows)

    def _draw_names(self, seed: int, step: int) -> Tensor:
        """A renaming for each row of a minibatch; all 0 where there are none."""
        if self._renaming is None:
            return torch.zeros(0, dtype=torch.int64)
        draws = np.random.Generator(np.random.Philox(key=[seed, step]))
        return torch.from_numpy(draws.integers(self._renaming.count, size=self.config.batch))

    def _renamed(self, rows: Rows, names: Tensor) -> Rows:
        """What follows a row is renamed as it is."""
        if self._renaming is None:
            return rows
        found = {key: self._renaming(rows[key], names) for key in _ENCODED if key in rows}
        return {**rows, **found}

    def features(self, rows: Tensor) -> Tensor:
        """What the network sees of rows of its encoder, on its device."""
        if self.device.type == "cpu":
            return torch.from_numpy(self._encoder.expand(rows.numpy()))
        features: Tensor = self._expansion(rows)
        return features

    def learn(self, features: Tensor, rows: Rows) -> None:
        """One minibatch."""
        self._optimizer.zero_grad(set_to_none=False)
        if "weight" in rows:
            rows = {**rows, "weight": rows["weight"] * self._scale}
        halves = self._precision is torch.bfloat16
        with torch.autocast(self.device.type, torch.bfloat16, enabled=halves):
            loss = self._loss(self.network, features, rows)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self._optimizer.step()
        self._follow()
        self._total += loss.detach()

    def _follow(self) -> None:
        if self._following is None:
            return
        with torch.no_grad():
            followers: list[Tensor] = list(self.target.parameters())
            torch._foreach_lerp_(followers, list(self.network.parameters()), self._following)

    def forget_moments(self) -> None:
        """Of Adam, in place: a captured step goes on with the same memory."""
        for moments in self._optimizer.state.values():
            for moment in moments.values():
                moment.zero_()

    # For checkpoints.

    def state(self, *, moments: bool = True) -> Arrays:
        """With the moments of Adam, unless every fit begins anew."""
        arrays: Arrays = {}
        for name, network in self._networks().items():
            arrays |= tensor_arrays(name, network.state_dict())
        return arrays | (moment_arrays(f"{self.name}/adam", self._optimizer) if moments else {})

    def undo(self, kept: Arrays) -> None:
        """Back to a state of before, in the memory at hand: captured steps stay good."""
        self._load(kept)
        self._total.zero_()
        for number, parameter in enumerate(self.network.parameters()):
            for key, moment in self._optimizer.state.get(parameter, {}).items():
                array = kept.get(f"{self.name}/adam/{number}/{key}")
                moment.copy_(torch.as_tensor(0.0 if array is None else array))

    def _load(self, arrays: Arrays) -> None:
        for name, network in self._networks().items():
            load_network(network, name, arrays)

    def restore(self, state: Arrays) -> None:
        self._load(state)
        load_moments(self._optimizer, f"{self.name}/adam", state)
        self.forget_graph()


class _Mirror:
    """The rows of a buffer on a device."""

    def __init__(self, buffer: Reservoir | Ring, device: torch.device) -> None:
        self.buffer, self._since = buffer, 0
        width = sum(column.num_bytes for column in buffer.columns)
        self._bytes = torch.zeros((buffer.capacity, width), dtype=torch.uint8, device=device)

    def forget(self) -> None:
        self._since = 0

    def refresh(self) -> None:
        """Copies what has changed."""
        indices = self.buffer.changed(self._since)
        rows = torch.from_numpy(self.buffer.get(indices))
        where = torch.from_numpy(indices).to(self._bytes.device)
        self._bytes[where] = rows.to(self._bytes.device)
        self._since = self.buffer.num_added

    def rows(self, indices: Tensor) -> Rows:
        gathered, begin, found = self._bytes[indices], 0, {}
        for column in self.buffer.columns:
            part = gathered[:, begin : begin + column.num_bytes].contiguous()
            found[column.name] = _typed(part, column)
            begin += column.num_bytes
        return found


def _typed(part: Tensor, column: Column) -> Tensor:
    kind = torch.from_numpy(np.empty(0, column.type)).dtype
    return part.view(kind).reshape(len(part), *column.shape)


class _StepGraph:
    """A step on a CUDA device with rows by their indices, captured once and then replayed."""

    def __init__(self, regression: Regression, indices: Tensor, names: Tensor) -> None:
        self.indices, self.names = indices.clone(), names.clone()
        self._graph = _captured(regression, lambda: regression.learn_from(self.indices, self.names))

    def replay(self, indices: Tensor, names: Tensor) -> None:
        self.indices.copy_(indices)
        self.names.copy_(names)
        self._graph.replay()


class _Whole:
    """The same with all distinct rows; those that are missing count for nothing."""

    def __init__(self, regression: Regression, rows: Rows) -> None:
        self._batch = regression.config.batch
        self._rows = {
            name: torch.zeros(
                (self._batch, *each.shape[1:]), dtype=each.dtype, device=regression.device
            )
            for name, each in rows.items()
        }
        self.put(rows)
        features = self._rows["features"]
        self._graph = _captured(regression, lambda: regression.learn(features, self._rows))

    def put(self, rows: Rows) -> None:
        count = len(rows["weight"])
        scaled = {**rows, "weight": rows["weight"] * (self._batch / count)}
        for name, each in self._rows.items():
            each[:count].copy_(scaled[name])
            if count < self._batch:  # any row will do, with weight 0
                each[count:].copy_(each[:1].expand(self._batch - count, *each.shape[1:]))
        self._rows["weight"][count:] = 0

    def replay(self) -> None:
        self._graph.replay()


def _captured(regression: Regression, step: Callable[[], None]) -> torch.cuda.CUDAGraph:
    """The graph of a step, after which all is as it was before."""
    kept, device = regression.state(), regression.device
    stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(stream):
        for _ in range(3):  # Adam makes its moments, libraries set themselves up
            step()
    torch.cuda.current_stream(device).wait_stream(stream)
    graph, _ = capture(step)
    regression.undo(kept)
    return graph

# SPDX-License-Identifier: MIT
"""Fits a network to the rows of a buffer: minibatches, Adam, gradient clipping, a linear schedule.

One machine for every learner. A loss gets the network and the columns of a minibatch; `prepare`
adds columns that are computed from others, such as features from encoded rows. On the CPU
minibatches are gathered from the buffer. On a CUDA device the buffer is mirrored, and a step is a
CUDA graph. Where few rows are distinct, every step can learn from all of them at once.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from regretless.algorithm import Arrays
from regretless.buffers import Buffer
from regretless.errors import DivergedError
from regretless.learning.minibatches import (
    Mirror,
    Rows,
    SuitRenaming,
    distinct_rows,
    minibatches,
)
from regretless.networks.network import (
    load_moments,
    load_network,
    moment_arrays,
    tensor_arrays,
)
from regretless.networks.placement import capture
from regretless.watch import UNWATCHED, Stopped, Watch

Network = TypeVar("Network", bound=torch.nn.Module)
Loss = Callable[[Network, Rows], Tensor]
"""Returns the loss of a network on the columns of a minibatch."""
Minibatches = Callable[[Buffer, int, Sequence[int], int, torch.device], Iterator[Rows]]

Capture = Callable[[Callable[[], None]], torch.cuda.CUDAGraph]
"""Captures a step without a change to the network."""

_LOOK_EVERY = 50  # steps


@dataclass(frozen=True)
class FitConfig:
    """Length and learning rate of a fit."""

    steps: int
    """Minibatches."""
    batch: int
    """Rows of a minibatch."""
    learning_rate: float
    final_rate: float
    """Final learning rate as a share of the initial one; the rate falls linearly."""
    clip: float
    """Largest norm of a gradient."""


class Fit(Generic[Network]):
    """One network with its optimizer; the columns of its buffer stay the same."""

    def __init__(
        self,
        name: str,
        network: Network,
        config: FitConfig,
        device: torch.device,
        *,
        prepare: Callable[[Rows], Rows] = lambda rows: rows,
        renaming: SuitRenaming | None = None,
        minibatches: Minibatches = minibatches,
        merges_rows: bool = False,
        tau: float | None = None,
        precision: torch.dtype = torch.float32,
    ) -> None:
        """`name` is the prefix of the arrays in a checkpoint.

        `merges_rows` lets a step learn from all rows where no more than a minibatch are distinct;
        the loss of equal rows must be that of their mean target. With `tau` the copy `target`
        follows the network by Polyak averaging: it takes over that share after each step.
        `minibatches` draws the rows on the CPU.
        """
        self.name, self.config, self.device = name, config, device
        self.network = network.to(device)
        self.target = self.network if tau is None else copy.deepcopy(self.network)
        """The Polyak average if there is one, else the network."""
        self._tau, self._precision = tau, precision
        self._prepare, self._renaming, self._minibatches = prepare, renaming, minibatches
        self._merges_rows = merges_rows
        self._is_cuda = device.type == "cuda"
        rate: Any = config.learning_rate
        if self._is_cuda:  # a CUDA graph reads the rate from memory
            rate = torch.tensor(rate, device=device)
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=rate, capturable=self._is_cuda, fused=True
        )
        self._total = torch.zeros((), device=device)
        self._scale = torch.ones((), device=device)  # in memory, for CUDA graphs
        self._loss: Loss[Network] | None = None
        self._mirror: Mirror | None = None
        self._graph: _MinibatchGraph | None = None
        self._whole: _WholeGraph | None = None

    def fit(
        self,
        loss: Loss[Network],
        buffer: Buffer,
        seed: int,
        *,
        scale: float = 1.0,
        rate: float = 1.0,
        watch: Watch = UNWATCHED,
    ) -> float:
        """Takes `config.steps` steps and returns the mean loss.

        Weights of rows count `scale` times; `rate` is the share of the learning rate to begin
        with. If `watch` stops the fit, everything is as it was before. DivergedError if the loss
        is not finite.
        """
        if loss != self._loss:
            self._loss, self._graph, self._whole = loss, None, None
        self._total.zero_()
        self._scale.fill_(scale)
        before = None if watch is UNWATCHED else self.state()
        try:
            for number, step in enumerate(self._steps(buffer, seed)):
                if number % _LOOK_EVERY == 0:
                    watch.look(f"fitting {self.name}", number / self.config.steps)
                self._set_rate(self.config.learning_rate * rate, number)
                step()
        except Stopped:
            if before is not None:
                self.undo(before)
            raise
        mean = float(self._total) / max(self.config.steps, 1)
        DivergedError.check(f"loss/{self.name.replace('/', '_')}", mean)
        return mean

    def _steps(self, buffer: Buffer, seed: int) -> Iterator[Callable[[], None]]:
        whole = distinct_rows(buffer, self.config.batch) if self._merges_rows else None
        if whole is not None:
            return self._steps_on_all(whole)
        return self._cuda_steps(buffer, seed) if self._is_cuda else self._cpu_steps(buffer, seed)

    def _steps_on_all(self, arrays: Arrays) -> Iterator[Callable[[], None]]:
        rows = {name: torch.from_numpy(each).to(self.device) for name, each in arrays.items()}
        rows = self._prepare(rows)
        step: Callable[[], None] = partial(self.learn, rows)
        if self._is_cuda:
            if self._whole is None:
                self._whole = _WholeGraph(self._captured, self.learn, rows, self.config.batch)
            self._whole.put(rows)
            step = self._whole.replay
        for _ in range(self.config.steps):
            yield step

    def _cpu_steps(self, buffer: Buffer, seed: int) -> Iterator[Callable[[], None]]:
        config = self.config
        drawn = self._minibatches(buffer, seed, range(config.steps), config.batch, self.device)
        for number, rows in enumerate(drawn):
            if self._renaming is not None:
                draws = np.random.Generator(np.random.Philox(key=[seed, number]))
                renamings = draws.integers(self._renaming.count, size=config.batch)
                rows = self._renaming(rows, torch.from_numpy(renamings))
            yield partial(self.learn, self._prepare(rows))

    def _cuda_steps(self, buffer: Buffer, seed: int) -> Iterator[Callable[[], None]]:
        if self._mirror is None or self._mirror.buffer is not buffer:
            self._mirror, self._graph = Mirror(buffer, self.device), None
        self._mirror.refresh()
        draws = torch.Generator(self.device).manual_seed(seed & (1 << 63) - 1)
        shape = (self.config.steps, self.config.batch)
        chosen = torch.randint(buffer.size, shape, generator=draws, device=self.device)
        count = 1 if self._renaming is None else self._renaming.count
        renamings = torch.randint(count, shape, generator=draws, device=self.device)
        if self._graph is None and self.config.steps > 0:
            self._graph = _MinibatchGraph(self._captured, self.learn_from, chosen[0], renamings[0])
        for number in range(self.config.steps):
            assert self._graph is not None
            yield partial(self._graph.replay, chosen[number], renamings[number])

    def _set_rate(self, initial: float, step: int) -> None:
        rate = initial * (1 - (1 - self.config.final_rate) * step / self.config.steps)
        group = self._optimizer.param_groups[0]
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate

    def learn_from(self, indices: Tensor, renamings: Tensor) -> None:
        """Takes a step on the mirrored rows at some indices."""
        assert self._mirror is not None
        rows = self._mirror.rows(indices)
        if self._renaming is not None:
            rows = self._renaming(rows, renamings)
        self.learn(self._prepare(rows))

    def learn(self, rows: Rows) -> None:
        """Takes a step on prepared rows."""
        assert self._loss is not None
        self._optimizer.zero_grad(set_to_none=False)
        if "weight" in rows:
            rows = {**rows, "weight": rows["weight"] * self._scale}
        is_half = self._precision is torch.bfloat16
        with torch.autocast(self.device.type, torch.bfloat16, enabled=is_half):
            loss = self._loss(self.network, rows)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self._optimizer.step()
        if self._tau is not None:
            with torch.no_grad():
                mine, theirs = self.target.parameters(), self.network.parameters()
                torch._foreach_lerp_(list(mine), list(theirs), self._tau)
        self._total += loss.detach()

    def _captured(self, step: Callable[[], None]) -> torch.cuda.CUDAGraph:
        """Captures a step after three for warm-up, and undoes these."""
        before = self.state()
        stream: Any = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(stream):
            for _ in range(3):  # Adam allocates its moments, libraries their workspaces
                step()
        torch.cuda.current_stream(self.device).wait_stream(stream)
        graph, _ = capture(step)
        self.undo(before)
        return graph

    def reset(self, network: Network) -> None:
        """Takes over the weights of a new network and forgets everything learned before."""
        for each in self._networks().values():
            each.load_state_dict(network.state_dict())
        self.forget_moments()

    def forget_moments(self) -> None:
        """Sets the moments of Adam to 0, in place: a CUDA graph holds their addresses."""
        for moments in self._optimizer.state.values():
            for moment in moments.values():
                moment.zero_()

    def forget_rows(self) -> None:
        """Must be called when the buffer was emptied."""
        if self._mirror is not None:
            self._mirror.forget()

    # Checkpoints.

    def _networks(self) -> dict[str, Network]:
        """Returns the networks by the prefix of their arrays."""
        follower = {} if self._tau is None else {f"{self.name}/target": self.target}
        return {self.name: self.network, **follower}

    def state(self, *, moments: bool = True) -> Arrays:
        """Returns the weights, and the moments of Adam unless every fit begins with a reset."""
        arrays: Arrays = {}
        for name, network in self._networks().items():
            arrays |= tensor_arrays(name, network.state_dict())
        return arrays | (moment_arrays(f"{self.name}/adam", self._optimizer) if moments else {})

    def undo(self, before: Arrays) -> None:
        """Returns to an earlier `state()`, in place: CUDA graphs stay valid."""
        self._load(before)
        self._total.zero_()
        for number, parameter in enumerate(self.network.parameters()):
            for key, moment in self._optimizer.state.get(parameter, {}).items():
                array = before.get(f"{self.name}/adam/{number}/{key}")
                moment.copy_(torch.as_tensor(0.0 if array is None else array))

    def restore(self, state: Arrays) -> None:
        self._load(state)
        load_moments(self._optimizer, f"{self.name}/adam", state)
        self._graph = self._whole = None

    def _load(self, arrays: Arrays) -> None:
        for name, network in self._networks().items():
            load_network(network, name, arrays)


class _MinibatchGraph:
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


class _WholeGraph:
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


def numbered_seed(seed: int, stream: int, number: int, step: int) -> int:
    """Returns a seed by numbers alone, so that no state of randomness needs saving."""
    words = np.random.SeedSequence([seed, stream, number, step]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))

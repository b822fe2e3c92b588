# SPDX-License-Identifier: MIT
"""Networks that answer the questions of a job, one for each seat, while the job goes on.

`begin` takes questions, ordered by seat; `finish` returns their probabilities. The CPU answers
within `begin`. A CUDA device works on a stream between the two, so that the processors can do
something else; rows go through CUDA graphs captured for a few sizes of batches.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.networks.expansion import Features
from regretless.networks.network import Network, shares
from regretless.networks.perceptron import make_perceptron
from regretless.networks.placement import capture, find_placement
from regretless.networks.shape import NetworkWeights

Probabilities = NDArray[np.float32]

_CPU_ROWS = 1 << 12  # in a block: they stay in the caches
_DEVICE_ROWS = 1 << 17
_CUDA_ROWS = (1 << 11, 1 << 13, 1 << 15, 1 << 17)  # of captured batches


class Answers:
    """The one path of inference: encoded rows to features, to outputs, to probabilities."""

    def __init__(
        self, encoder: _native.Encoder, device: torch.device, precision: torch.dtype = torch.float32
    ) -> None:
        self.features = Features(encoder, device, precision)
        self._device = device
        self._block = _CPU_ROWS if device.type == "cpu" else _DEVICE_ROWS

    def shares(
        self, network: Network, features: Tensor, legal: Tensor, temperature: Tensor | None = None
    ) -> Tensor:
        """Probabilities [rows, slots] at features, on the device."""
        outputs = network(features).float()
        return shares(network.shape.head, outputs, legal, temperature)

    @torch.inference_mode()
    def __call__(
        self,
        network: Network,
        rows: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        temperature: Tensor | None = None,
    ) -> NDArray[np.float32]:
        """Probabilities [rows, slots] at encoded rows, computed in blocks."""
        answers = np.empty(legal.shape, np.float32)
        for begin in range(0, len(rows), self._block):
            part = slice(begin, begin + self._block)
            mask = torch.from_numpy(np.array(legal[part])).to(self._device)
            found = self.shares(network, self.features(rows[part]), mask, temperature)
            answers[part] = found.cpu().numpy()
        return answers


class SeatNetworks:
    """Networks by seat on the CPU; questions must be ordered by seat."""

    def __init__(
        self, networks: Sequence[Network], encoder: _native.Encoder, is_warm: bool = False
    ) -> None:
        """With `is_warm` networks of values play by a temperature (`shares`)."""
        self.networks = list(networks)
        self._encoder, self._answers = encoder, Answers(encoder, torch.device("cpu"))
        self._temperature = torch.ones(()) if is_warm else None
        self.refresh()

    def set_temperature(self, temperature: float) -> None:
        """Sets the temperature of questions from now on."""
        if self._temperature is not None:
            self._temperature.fill_(temperature)

    def refresh(self) -> None:
        """Takes note that the parameters of the networks have changed."""
        self._perceptrons = [
            make_perceptron(
                each.shape,
                {name: tensor.detach().numpy() for name, tensor in each.state_dict().items()},
            )
            for each in self.networks
        ]

    def begin(
        self, rows: NDArray[np.uint8], legal: NDArray[np.bool_], seats: NDArray[np.int32]
    ) -> Probabilities:
        answers = np.empty(legal.shape, np.float32)
        for seat, begin, end in _slices(seats, len(self.networks), max(len(rows), 1)):
            answers[begin:end] = self._answer(seat, rows[begin:end], legal[begin:end])
        return answers

    def _answer(
        self, seat: int, rows: NDArray[np.uint8], legal: NDArray[np.bool_]
    ) -> Probabilities:
        perceptron = self._perceptrons[seat]
        if perceptron is None:
            return self._answers(self.networks[seat], rows, legal, self._temperature)
        temperature = 0.0 if self._temperature is None else float(self._temperature)
        threads = torch.get_num_threads()
        return perceptron.answer(self._encoder, rows, legal, threads, temperature)

    def finish(self, begun: Probabilities) -> Probabilities:
        return begun


class CudaSeatNetworks:
    """Networks by seat on a CUDA device, with two batches under way at most."""

    def __init__(
        self,
        networks: Sequence[Network],
        encoder: _native.Encoder,
        device: torch.device,
        precision: torch.dtype,
        is_warm: bool = False,
    ) -> None:
        self.networks, self._device = list(networks), device
        self._row_bytes = encoder.row_bytes
        self._temperature = torch.ones((), device=device) if is_warm else None
        self._answers = Answers(encoder, device, precision)
        self._copies = [Network(each.shape).to(device, precision) for each in networks]
        self._streams: list[Any] = [
            torch.cuda.Stream(device, priority=-1)  # type: ignore[no-untyped-call]
            for _ in range(2)
        ]  # of high priority: self-play waits for them, training at the same time does not
        self._graphs: dict[tuple[int, int, int], _AnswerGraph] = {}
        self._batches = [_Batch(encoder.row_bytes, networks[0].shape.outputs) for _ in range(2)]
        self._turn = 0

    def refresh(self) -> None:
        torch.cuda.current_stream(self._device).synchronize()
        with torch.no_grad():
            for copy, network in zip(self._copies, self.networks, strict=True):
                for mine, theirs in zip(copy.parameters(), network.parameters(), strict=True):
                    mine.copy_(theirs)
        torch.cuda.current_stream(self._device).synchronize()

    def set_temperature(self, temperature: float) -> None:
        if self._temperature is not None:
            self._temperature.fill_(temperature)
            torch.cuda.current_stream(self._device).synchronize()

    def begin(
        self, rows: NDArray[np.uint8], legal: NDArray[np.bool_], seats: NDArray[np.int32]
    ) -> "tuple[_Batch, int]":
        turn, self._turn = self._turn, 1 - self._turn
        batch, count = self._batches[turn], len(rows)
        batch.fit(count, self._device)
        batch.pinned_rows[:count].numpy()[...] = rows
        batch.pinned_legal[:count].numpy()[...] = legal
        with torch.cuda.stream(self._streams[turn]), torch.inference_mode():
            batch.rows[:count].copy_(batch.pinned_rows[:count], non_blocking=True)
            batch.legal[:count].copy_(batch.pinned_legal[:count], non_blocking=True)
            for seat, begin, end in _slices(seats, len(self.networks), _CUDA_ROWS[-1]):
                size = next(size for size in _CUDA_ROWS if end - begin <= size)
                graph = self._graph(turn, seat, size)
                graph.rows[: end - begin].copy_(batch.rows[begin:end])
                graph.legal[: end - begin].copy_(batch.legal[begin:end])
                graph.replay()
                batch.answers[begin:end].copy_(graph.answers[: end - begin])
            batch.pinned_answers[:count].copy_(batch.answers[:count], non_blocking=True)
            batch.done.record(self._streams[turn])
        return batch, count

    def finish(self, begun: "tuple[_Batch, int]") -> Probabilities:
        batch, count = begun
        batch.done.synchronize()
        found: Probabilities = batch.pinned_answers[:count].numpy()
        return found

    def _graph(self, turn: int, seat: int, size: int) -> "_AnswerGraph":
        key = turn, seat, size
        if key not in self._graphs:
            self._graphs[key] = _AnswerGraph(
                self._copies[seat],
                self._answers,
                (size, self._row_bytes),
                self._streams[turn],
                self._temperature,
            )
        return self._graphs[key]


def make_seat_networks(
    networks: Sequence[Network],
    encoder: _native.Encoder,
    device: torch.device,
    precision: torch.dtype,
    is_warm: bool = False,
) -> SeatNetworks | CudaSeatNetworks:
    """Networks by seat for the device that they are on."""
    if device.type == "cuda":
        return CudaSeatNetworks(networks, encoder, device, precision, is_warm)
    return SeatNetworks(networks, encoder, is_warm)


class _Batch:
    """Questions on their way to the device and answers on their way back."""

    def __init__(self, row_bytes: int, num_actions: int) -> None:
        self._widths = row_bytes, num_actions
        self._size = 0
        self.done: Any = torch.cuda.Event()  # type: ignore[no-untyped-call]

    def fit(self, count: int, device: torch.device) -> None:
        """Makes room for so many rows."""
        if count <= self._size:
            return
        self._size = count + count // 4
        row_bytes, actions = self._widths
        self.pinned_rows = torch.empty((self._size, row_bytes), dtype=torch.uint8, pin_memory=True)
        self.pinned_legal = torch.empty((self._size, actions), dtype=torch.bool, pin_memory=True)
        self.pinned_answers = torch.empty((self._size, actions), pin_memory=True)
        self.rows = torch.empty_like(self.pinned_rows, device=device)
        self.legal = torch.empty_like(self.pinned_legal, device=device)
        self.answers = torch.empty_like(self.pinned_answers, device=device)


class _AnswerGraph:
    """One network on a fixed number of rows, as a CUDA graph."""

    def __init__(
        self,
        network: Network,
        answers: Answers,
        sizes: tuple[int, int],
        stream: Any,
        temperature: Tensor | None,
    ) -> None:
        """`sizes`: rows of a batch, and bytes of a row."""
        device, slots = next(network.parameters()).device, network.shape.outputs
        self.rows = torch.zeros(sizes, dtype=torch.uint8, device=device)
        self.legal = torch.ones((sizes[0], slots), dtype=torch.bool, device=device)
        self._network, self._path, self._temperature = network, answers, temperature
        for _ in range(2):  # libraries initialise themselves
            self._run()
        stream.synchronize()
        self._graph, self.answers = capture(self._run, stream)

    def _run(self) -> Tensor:
        features = self._path.features(self.rows)
        return self._path.shares(self._network, features, self.legal, self._temperature)

    def replay(self) -> None:
        self._graph.replay()


def _slices(seats: NDArray[np.int32], networks: int, most: int) -> list[tuple[int, int, int]]:
    """(seat, begin, end) of at most so many rows each; seats ascend."""
    ends = np.searchsorted(seats, np.arange(networks + 1))
    return [
        (seat, begin, min(begin + most, int(ends[seat + 1])))
        for seat in range(networks)
        for begin in range(int(ends[seat]), int(ends[seat + 1]), most)
    ]


class LoadedNetworks:
    """Networks in the order of their seats or roles; made when the first weights come."""

    def __init__(
        self, encoder: _native.Encoder, device: str, precision: str, *, by_temperature: bool = False
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
        is_same = list(map(id, weights)) == list(map(id, self._loaded))
        if self._players is not None and is_same:
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

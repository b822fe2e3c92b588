# SPDX-License-Identifier: MIT
"""An ONNX graph as a policy, run by onnxruntime; torch is not needed for it."""

from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.networks.onnx_graph import FEATURES, LEGAL, PROBABILITIES, SEAT
from regretless.networks.shape import NetworkShape
from regretless.policies.policy import Needs, Probabilities, policy_text

_ROWS = 1 << 12  # at a time: they stay in the caches
_NUMBERS = 1 << 24  # of the widest layer
_FATAL = 4  # of what onnxruntime logs; what fails is raised


class OnnxPolicy:
    """A graph of `network_graph` on the rows of an encoder."""

    __repr__ = policy_text

    def __init__(
        self,
        model: bytes,
        encoder: _native.Encoder,
        shape: NetworkShape,
        name: str = "onnx",
        *,
        seats: int | None = None,
        threads: int = 1,
    ) -> None:
        """`seats` have networks of their own, None: there is one for all."""
        self.encoder, self.name, self.seats = encoder, name, seats
        self.needs = Needs(encoders=(encoder.name,), buckets=tuple(encoder.buckets))
        self._most_rows = most_rows(shape)
        self._session = make_session(model, threads)

    def __call__(self, questions: Any) -> Probabilities:
        rows, legal, actors = questions.rows(self.encoder.name), questions.legal, questions.actors
        if self.seats is not None and len(actors) and actors.max() >= self.seats:
            raise InputError(f"{self.name}: has no network for seat {actors.max()}")
        answers = np.empty(legal.shape, np.float32)
        for begin in range(0, len(rows), self._most_rows):
            part = slice(begin, begin + self._most_rows)
            features = self.encoder.expand(rows[part])
            inputs = graph_feed(features, legal[part], actors[part], self.seats)
            (answers[part],) = self._session.run([PROBABILITIES], inputs)
        return answers


def most_rows(shape: NetworkShape) -> int:
    """The number of rows that a graph is given at a time."""
    return max(1, min(_ROWS, _NUMBERS // shape.row_numbers))


def make_session(model: bytes, threads: int = 1) -> Any:
    """A graph that can be run: in a fixed order, on the CPU, by so many threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.log_severity_level = _FATAL
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def graph_feed(
    features: NDArray[np.float32],
    legal: NDArray[np.bool_],
    actors: NDArray[np.integer],
    seats: int | None,
) -> dict[str, NDArray[Any]]:
    """The inputs of a graph by their names."""
    inputs: dict[str, NDArray[Any]] = {FEATURES: features, LEGAL: np.ascontiguousarray(legal)}
    return inputs if seats is None else inputs | {SEAT: actors.astype(np.int64)}

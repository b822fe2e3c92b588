# SPDX-License-Identifier: MIT
"""CUDA graphs: work that is captured once and then replayed, while other threads use the device."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import torch

_Result = TypeVar("_Result")

_CAPTURING = threading.Lock()  # two captures at once disturb each other


def capture(
    work: Callable[[], _Result], stream: Any = None
) -> tuple[torch.cuda.CUDAGraph, _Result]:
    """The graph of `work`, and the tensors that each replay fills.

    Libraries must have initialised themselves: run `work` once before.
    """
    graph = torch.cuda.CUDAGraph()
    # "thread_local": another thread may allocate and wait on its own streams meanwhile.
    with _CAPTURING, torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
        result = work()
    return graph, result


def replay(graph: torch.cuda.CUDAGraph, stream: Any) -> None:
    """Launches a graph on a stream while no other thread captures one, and waits for it."""
    with _CAPTURING, torch.cuda.stream(stream):
        graph.replay()
    stream.synchronize()

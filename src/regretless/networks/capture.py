# SPDX-License-Identifier: MIT
"""Work on a CUDA device that is captured once and then replayed, while other threads use it too."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import torch

_Result = TypeVar("_Result")

_CAPTURING = threading.Lock()  # two captures at once disturb each other


def capture(
    work: Callable[[], _Result], stream: Any = None
) -> tuple[torch.cuda.CUDAGraph, _Result]:
    """The graph of `work`, and the tensors that a replay fills anew.

    Whatever libraries set up when they are first used has to be there: run `work` before.
    """
    graph = torch.cuda.CUDAGraph()
    # Of this thread alone: another may allocate and wait on its own streams meanwhile.
    with (
        _CAPTURING,
        torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"),
    ):
        result = work()
    return graph, result

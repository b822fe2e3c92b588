# SPDX-License-Identifier: MIT
"""The device and the precision of tensors, and CUDA graphs."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.errors import InputError
from regretless.options import Options

_PRECISIONS = {"float32": torch.float32, "float64": torch.float64}
_Result = TypeVar("_Result")
ALONE = threading.RLock()
"""Held while a thread captures a graph, or runs what may load kernels: that breaks a capture."""


@dataclass(frozen=True)
class Placement:
    """A device and a type of numbers."""

    device: torch.device
    dtype: torch.dtype

    def put(self, values: NDArray[Any]) -> Tensor:
        """An array of numbers, in this precision."""
        return torch.as_tensor(values).to(self.dtype).to(self.device)

    def put_indices(self, indices: NDArray[Any]) -> Tensor:
        return torch.as_tensor(indices.astype(np.int64)).to(self.device)

    def check_memory(self, needed: int, allowed: int) -> None:
        """InputError where `needed` bytes are more than allowed or than the device has free."""
        if self.device.type == "cuda":
            allowed = min(allowed, torch.cuda.mem_get_info(self.device)[0])
        elif self.device.type == "mps":
            used = torch.mps.driver_allocated_memory()
            allowed = min(allowed, torch.mps.recommended_max_memory() - used)
        if needed > allowed:
            raise InputError(
                f"device {str(self.device)!r}: the problem takes {needed / 2**20:,.0f} MiB, and "
                f"{allowed / 2**20:,.0f} MiB may be used: fewer subgames, narrower ranges, fewer "
                "bet sizes or float32 make it smaller"
            )


@dataclass(frozen=True)
class DeviceConfig(Options):
    """The options of learners that say where their networks are and how they compute."""

    device: str = "cpu"
    """Device of the networks: cpu, cuda or mps."""
    precision: Literal["float32", "tf32", "bfloat16"] = "float32"
    """Precision of matrix products; tf32 is a setting of the whole process, which `train` makes."""
    threads: int = 1
    """Threads of play, and of the networks on the CPU; results do not depend on it."""

    def set_up_process(self) -> None:
        """Applies the settings of the whole process: TF32 if asked for, threads on the CPU."""
        torch.set_float32_matmul_precision("high" if self.precision == "tf32" else "highest")
        if self.device == "cpu":
            torch.set_num_threads(self.threads)


def find_placement(device: str, precision: str) -> Placement:
    """The device (cpu, cuda, cuda:1, mps) if this machine has it, and the precision."""
    if precision not in _PRECISIONS:
        raise InputError(f"precision: must be float32 or float64, not {precision!r}")
    try:
        found = torch.device(device)
    except RuntimeError:
        found = torch.device("meta")
    if found.type not in ("cpu", "cuda", "mps"):
        raise InputError(f"device: must be cpu, cuda or mps, not {device!r}")
    if found.type == "cuda" and (found.index or 0) >= torch.cuda.device_count():
        raise InputError(f"device {device!r}: PyTorch finds no such CUDA device here")
    if found.type == "mps" and not torch.backends.mps.is_available():
        raise InputError(f"device {device!r}: PyTorch finds no Metal device here")
    if found.type == "mps" and precision == "float64":
        raise InputError("device 'mps': has no float64; use float32")
    return Placement(found, _PRECISIONS[precision])


def capture(
    work: Callable[[], _Result], stream: Any = None
) -> tuple[torch.cuda.CUDAGraph, _Result]:
    """The graph of `work`, and the tensors that each replay fills.

    Libraries must have initialised themselves: run `work` once before.
    """
    graph = torch.cuda.CUDAGraph()
    # "thread_local": another thread may allocate and wait on its own streams meanwhile.
    with ALONE, torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
        result = work()
    return graph, result


def replay(graph: torch.cuda.CUDAGraph, stream: Any) -> None:
    """Launches a graph on a stream while no other thread captures one, and waits for it."""
    with ALONE, torch.cuda.stream(stream):
        graph.replay()
    stream.synchronize()

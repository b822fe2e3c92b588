# SPDX-License-Identifier: MIT
"""A device for the kernels of `solvers/cuda` that runs them on a CPU (cuda_on_cpu.h)."""

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.solvers.cuda.device import SOURCE, Grid, Numbers

_HERE = Path(__file__).parent
_PARTS = [SOURCE, _HERE / "cuda_on_cpu.h", _HERE / "cuda_on_cpu.cpp"]
_BUILD = _HERE.parents[1] / "build" / "cuda_on_cpu"
_FLAGS = ["-std=c++17", "-g", "-fPIC", "-shared", "-U_FORTIFY_SOURCE", "-Wno-unknown-pragmas"]


def build(*flags: str) -> Path:
    """The library of the kernels; it is kept until the sources change."""
    flags = (*_FLAGS, *flags)
    parts = [repr(flags).encode(), *(path.read_bytes() for path in _PARTS)]
    path = _BUILD / f"{hashlib.sha256(b''.join(parts)).hexdigest()[:16]}.so"
    if not path.exists():
        _BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_BUILD) as folder:
            made = Path(folder) / path.name
            command = ["g++", *flags, f'-DKERNELS="{SOURCE}"', str(_PARTS[2]), "-o", str(made)]
            subprocess.run(command, check=True)
            made.replace(path)
    return path


@cache
def _library() -> ctypes.CDLL:
    flags = os.environ.get("CUDA_ON_CPU_FLAGS", "-O2").split()
    return ctypes.CDLL(str(build(*flags)))


class CpuDevice:
    """Buffers are NumPy arrays. `order`: 0 threads in order, 1 backwards, else at random."""

    name = "cuda on a CPU"
    arrays = np
    stream = None

    def __init__(self, order: int = 0, free: int | None = None) -> None:
        self.order, self.free = order, free
        self.launched: list[str] = []

    def zeros(self, size: int, kind: Any) -> NDArray[Any]:
        return np.zeros(max(size, 1), kind)

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        flat = np.array(array).reshape(-1)
        return flat if flat.size else np.zeros(1, array.dtype)

    def use(self) -> AbstractContextManager[None]:
        return nullcontext()

    def fill(self, view: NDArray[Any], array: NDArray[Any]) -> None:
        view[:] = array.reshape(view.shape)

    def fetch(self, view: NDArray[Any]) -> NDArray[Any]:
        return view.copy()

    def address(self, buffer: NDArray[Any]) -> int:
        return buffer.ctypes.data

    def launch(
        self, kernel: str, grid: Grid, block: Grid, shared: int, problem: Any, numbers: Numbers
    ) -> None:
        self.launched.append(kernel)
        library = _library()
        assert library.problem_size() == problem.nbytes
        assert block[0] * block[1] <= 1024 and shared <= 227 << 10
        failed = library.launch(
            ctypes.cast(getattr(library, kernel), ctypes.c_void_p),
            (ctypes.c_uint * 2)(*grid),
            (ctypes.c_uint * 2)(*block),
            shared,
            ctypes.c_void_p(problem.ctypes.data),
            (ctypes.c_int * 4)(*numbers),
            self.order,
        )
        assert not failed, f"{kernel}: threads wait for others that do not come"

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        return work

    def wait(self) -> None:
        pass

    def free_bytes(self) -> int | None:
        return self.free

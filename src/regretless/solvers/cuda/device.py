# SPDX-License-Identifier: MIT
"""A device that runs the kernels: a small protocol, and CUDA by CuPy.

The tests have a second implementation, which runs the same kernels on a CPU.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError, needing
from regretless.storage.files import write_bytes

SOURCE = Path(__file__).with_name("kernels.cu")
OPTIONS = ("--std=c++17", "--restrict")
"""Options of NVRTC, besides the architecture."""

Grid = tuple[int, int]
Numbers = tuple[int, int, int, int]


class Device(Protocol):
    """Memory and launches. A buffer is a one-dimensional array of the device."""

    name: str

    def zeros(self, size: int, kind: Any) -> Any:
        """A buffer of `size` numbers."""

    def put(self, array: NDArray[Any]) -> Any:
        """A buffer with the numbers of an array."""

    def write(self, buffer: Any, first: int, array: NDArray[Any]) -> None:
        """Replaces the numbers of a buffer from `first` on."""

    def read(self, buffer: Any, first: int, count: int) -> NDArray[Any]:
        """Copies numbers of a buffer to this machine, once the work before is done."""

    def address(self, buffer: Any) -> int: ...

    def launch(
        self, kernel: str, grid: Grid, block: Grid, shared: int, problem: Any, numbers: Numbers
    ) -> None:
        """Runs a kernel after the work before; `shared` are bytes of a block."""

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        """Returns a function that does the launches of `work` again, in one go."""

    def wait(self) -> None:
        """Returns when all work is done."""

    def free_bytes(self) -> int | None:
        """Memory that can be taken; None if unknown."""


class CupyDevice:
    """A CUDA device. NVRTC compiles the kernels once; the machine code is kept on disk."""

    def __init__(self, name: str = "cuda") -> None:
        cupy, count = _find_cupy(name)
        self.name, self._cupy = name, cupy
        number = name.partition(":")[2] or "0"
        if not number.isdigit() or int(number) >= count:
            raise InputError(f"device {name!r}: CuPy finds {count} CUDA devices here")
        self._device = cupy.cuda.Device(int(number))
        with self._device:
            self._stream = cupy.cuda.Stream(non_blocking=True)
            module = cupy.cuda.function.Module()
            module.load(self._machine_code())
        self._module = module
        self._kernels: dict[str, Any] = {}
        self._shared: dict[str, int] = {}

    def _machine_code(self) -> bytes:
        architecture = f"sm_{self._device.compute_capability}"
        version = self._cupy.cuda.nvrtc.getVersion()
        source = SOURCE.read_text()
        key = repr((source, OPTIONS, architecture, version)).encode()
        path = cache_folder() / f"{hashlib.sha256(key).hexdigest()[:32]}.cubin"
        if path.exists():
            return path.read_bytes()
        program = self._cupy.cuda.nvrtc.createProgram(source, SOURCE.name, (), ())
        try:
            options = (*OPTIONS, f"--gpu-architecture={architecture}")
            self._cupy.cuda.nvrtc.compileProgram(program, options)
            code: bytes = self._cupy.cuda.nvrtc.getCUBIN(program)
        except Exception as error:  # CuPy's: an architecture that NVRTC does not know
            raise InputError(f"device {self.name!r}: {_first_line(error)}") from None
        finally:
            self._cupy.cuda.nvrtc.destroyProgram(program)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, [code])
        return code

    def zeros(self, size: int, kind: Any) -> Any:
        try:
            with self._device, self._stream:
                return self._cupy.zeros(max(size, 1), kind)
        except self._cupy.cuda.memory.OutOfMemoryError as error:
            raise InputError(f"device {self.name!r}: {_first_line(error)}") from None

    def put(self, array: NDArray[Any]) -> Any:
        buffer = self.zeros(array.size, array.dtype)
        self.write(buffer, 0, array)
        return buffer

    def write(self, buffer: Any, first: int, array: NDArray[Any]) -> None:
        with self._device, self._stream:
            buffer[first : first + array.size].set(np.ascontiguousarray(array).reshape(-1))
            self._stream.synchronize()

    def read(self, buffer: Any, first: int, count: int) -> NDArray[Any]:
        with self._device, self._stream:
            found: NDArray[Any] = buffer[first : first + count].get()
            self._stream.synchronize()
        return found

    def address(self, buffer: Any) -> int:
        return int(buffer.data.ptr)

    def launch(
        self, kernel: str, grid: Grid, block: Grid, shared: int, problem: Any, numbers: Numbers
    ) -> None:
        function = self._kernels.get(kernel)
        if function is None:
            function = self._kernels[kernel] = self._module.get_function(kernel)
        if shared > max(self._shared.get(kernel, 0), 48 << 10):
            self._allow_shared(function, shared)
            self._shared[kernel] = shared
        arguments = (np.uint64(problem.data.ptr), *map(np.int32, numbers))
        with self._device:
            function(grid, block, arguments, shared, self._stream)

    def _allow_shared(self, function: Any, size: int) -> None:
        most = self._device.attributes["MaxSharedMemoryPerBlockOptin"]
        if size > most:
            raise InputError(
                f"device {self.name!r}: a block needs {size >> 10} KiB of shared memory, and has "
                f"{most >> 10}"
            )
        driver = self._cupy.cuda.driver
        attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        driver.funcSetAttribute(function.ptr, attribute, size)

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        self.wait()
        with self._device:
            self._stream.begin_capture()
            try:
                work()
            finally:
                graph = self._stream.end_capture()
        return lambda: graph.launch(self._stream)

    def wait(self) -> None:
        with self._device:
            self._stream.synchronize()

    def free_bytes(self) -> int | None:
        with self._device:
            pool = self._cupy.get_default_memory_pool()
            return int(self._device.mem_info[0]) + int(pool.free_bytes())


def cache_folder() -> Path:
    """The folder of compiled kernels."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "regretless" / "kernels"


def has_device() -> bool:
    """Whether CuPy and a CUDA device are there."""
    try:
        return _find_cupy("auto")[1] > 0
    except InputError:
        return False


def _find_cupy(name: str) -> tuple[Any, int]:
    """CuPy, and the number of devices that it finds; InputError where there is no driver."""
    with needing(f"device {name!r}", "cupy"):
        import cupy
    try:
        return cupy, int(cupy.cuda.runtime.getDeviceCount())
    except Exception as error:  # CuPy's, where there is no driver, or too old a one
        raise InputError(f"device {name!r}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

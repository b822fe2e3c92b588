# SPDX-License-Identifier: MIT
"""A device that runs the kernels: a small protocol, and CUDA by CuPy.

The tests have a second implementation, which runs the same kernels on a CPU.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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
    arrays: Any
    """The module of its arrays, with the functions of NumPy; inside `use`."""
    stream: Any
    """CuPy's stream of all work, or None."""

    def use(self) -> AbstractContextManager[None]:
        """Work on arrays goes to the device, after the work before."""

    def zeros(self, size: int, kind: Any) -> Any:
        """A buffer of `size` numbers."""

    def put(self, array: NDArray[Any]) -> Any:
        """A buffer with the numbers of an array."""

    def fill(self, view: Any, array: NDArray[Any]) -> None:
        """Replaces the numbers of a part of a buffer."""

    def fetch(self, view: Any) -> NDArray[Any]:
        """Copies a part of a buffer to this machine, once the work before is done."""

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
        self.name, self.arrays = name, cupy
        number = name.partition(":")[2] or "0"
        if not number.isdigit() or int(number) >= count:
            raise InputError(f"device {name!r}: CuPy finds {count} CUDA devices here")
        self._device = cupy.cuda.Device(int(number))
        with self._device:
            self.stream = cupy.cuda.Stream(non_blocking=True)
            module = cupy.cuda.function.Module()
            module.load(self._machine_code())
        self._module = module
        self._kernels: dict[str, Any] = {}
        self._shared: dict[str, int] = {}

    def _machine_code(self) -> bytes:
        architecture = f"sm_{self._device.compute_capability}"
        version = self.arrays.cuda.nvrtc.getVersion()
        source = SOURCE.read_text()
        key = repr((source, OPTIONS, architecture, version)).encode()
        path = cache_folder() / f"{hashlib.sha256(key).hexdigest()[:32]}.cubin"
        if path.exists():
            return path.read_bytes()
        program = self.arrays.cuda.nvrtc.createProgram(source, SOURCE.name, (), ())
        try:
            options = (*OPTIONS, f"--gpu-architecture={architecture}")
            self.arrays.cuda.nvrtc.compileProgram(program, options)
            code: bytes = self.arrays.cuda.nvrtc.getCUBIN(program)
        except Exception as error:  # CuPy's: an architecture that NVRTC does not know
            raise InputError(f"device {self.name!r}: {_first_line(error)}") from None
        finally:
            self.arrays.cuda.nvrtc.destroyProgram(program)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, [code])
        return code

    @contextmanager
    def use(self) -> Iterator[None]:
        with self._device, self.stream:
            yield

    def zeros(self, size: int, kind: Any) -> Any:
        try:
            with self.use():
                return self.arrays.zeros(max(size, 1), kind)
        except self.arrays.cuda.memory.OutOfMemoryError as error:
            raise InputError(f"device {self.name!r}: {_first_line(error)}") from None

    def put(self, array: NDArray[Any]) -> Any:
        buffer = self.zeros(array.size, array.dtype)
        self.fill(buffer[: array.size], array)
        return buffer

    def fill(self, view: Any, array: NDArray[Any]) -> None:
        with self.use():
            view[:] = self.arrays.asarray(array).reshape(view.shape)
            self.stream.synchronize()

    def fetch(self, view: Any) -> NDArray[Any]:
        with self.use():
            found: NDArray[Any] = self.arrays.asnumpy(view)
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
            function(grid, block, arguments, shared, self.stream)

    def _allow_shared(self, function: Any, size: int) -> None:
        most = self._device.attributes["MaxSharedMemoryPerBlockOptin"]
        if size > most:
            raise InputError(
                f"device {self.name!r}: a block needs {size >> 10} KiB of shared memory, and has "
                f"{most >> 10}"
            )
        driver = self.arrays.cuda.driver
        attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        driver.funcSetAttribute(function.ptr, attribute, size)

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        self.wait()
        with self._device:
            self.stream.begin_capture()
            try:
                work()
            finally:
                graph = self.stream.end_capture()
        return lambda: graph.launch(self.stream)

    def wait(self) -> None:
        with self._device:
            self.stream.synchronize()

    def free_bytes(self) -> int | None:
        with self._device:
            pool = self.arrays.get_default_memory_pool()
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

# SPDX-License-Identifier: MIT
"""NVRTC compiles the kernels for all architectures, without warnings. It needs no GPU."""

import ctypes
from importlib.metadata import PackageNotFoundError, files

import pytest

from regretless.solvers.cuda.device import OPTIONS, SOURCE

ARCHITECTURES = {
    "nvidia-cuda-nvrtc-cu12": ["sm_70", "sm_80", "sm_90"],
    "nvidia-cuda-nvrtc": ["sm_80", "sm_90", "sm_100", "sm_120"],
}
PAIRS = [(package, each) for package, names in ARCHITECTURES.items() for each in names]


def find_library(package: str) -> ctypes.CDLL:
    try:
        found = files(package) or []
    except PackageNotFoundError:
        pytest.fail(f"pip install {package}")
    path = next(each for each in found if each.name in ("libnvrtc.so.12", "libnvrtc.so.13"))
    return ctypes.CDLL(str(path.locate()))


def compile_kernels(package: str, *options: str) -> tuple[int, str, int]:
    """The status, the log and the size of the machine code."""
    nvrtc = find_library(package)
    program = ctypes.c_void_p()
    source = SOURCE.read_bytes()
    made = nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernels.cu", 0, None, None)
    assert made == 0
    given = [each.encode() for each in options]
    status = nvrtc.nvrtcCompileProgram(program, len(given), (ctypes.c_char_p * len(given))(*given))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    size.value = 0
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return status, log.value.decode().strip(), size.value


@pytest.mark.slow
@pytest.mark.parametrize(("package", "architecture"), PAIRS)
def test_nvrtc_compiles_the_kernels(package: str, architecture: str) -> None:
    options = (*OPTIONS, f"--gpu-architecture={architecture}")
    status, log, size = compile_kernels(package, *options)
    told = [line for line in log.splitlines() if "Architectures prior to" not in line]
    assert (status, told) == (0, []) and size > 0

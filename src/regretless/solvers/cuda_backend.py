# SPDX-License-Identifier: MIT
"""The backend `cuda`: hold'em in CUDA kernels of our own, other games by PyTorch.

`auto` stands for `cuda` where a device is there, and else for the native solver. Planning needs
neither CuPy nor a device; `CudaCFR` (cuda/solver.py) is imported when a solver is made.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from regretless.games import Game, with_hands
from regretless.options import read_options
from regretless.solvers import native_cfr, torch_backend
from regretless.solvers.backend import PlannedSize, TreeSolver
from regretless.solvers.cuda.device import CupyDevice, has_device
from regretless.solvers.cuda.memory import device_bytes
from regretless.solvers.problem import CFRConfig, make_discounts, planned_size

_ENTRIES_A_SECOND = 1e10  # a guess
_MOST_DENSE_HANDS = 64  # games with no more have matrices of all pairs of hands


@dataclass(frozen=True)
class CudaConfig:
    """A member of the family, and its device."""

    cfr: CFRConfig = field(default_factory=CFRConfig)
    device: str = "cuda"
    """cuda, cuda:1, or auto."""
    torch: torch_backend.TorchConfig | None = None
    """The config of PyTorch, where a precision of PyTorch was asked for."""


def read_config(name: str, options: Mapping[str, Any]) -> CudaConfig:
    place = f"algorithm {name!r}"
    rest = {key: value for key, value in options.items() if key != "device"}
    own = {"device": options["device"]} if "device" in options else {}
    if isinstance(rest.get("precision"), str):
        torch = torch_backend.read_config(name, options)
        return read_options(CudaConfig, place, own, cfr=torch.cfr, torch=torch)
    cfr = read_options(CFRConfig, place, rest, name=name)
    return read_options(CudaConfig, place, own, cfr=cfr, torch=None)


def plan(game: Game, config: CudaConfig) -> PlannedSize:
    if config.device == "auto" and not has_device():
        return native_cfr.plan(game, config.cfr)
    if not _has_kernels(game, config):
        return torch_backend.plan(game, _torch_config(config))
    size = planned_size(with_hands(game, "solving"), config.cfr)
    bits, predicts = config.cfr.precision or 32, make_discounts(config.cfr).predicts
    needed = device_bytes(size, bits=bits, predicts=predicts)
    if config.cfr.precision is None and needed > config.cfr.max_bytes:
        bits = 16
        needed = device_bytes(size, bits=bits, predicts=predicts)
    seconds = size.entries / _ENTRIES_A_SECOND
    return PlannedSize(size.decisions, size.entries, bits, needed, size.problem_bytes, seconds)


def make(game: Game, config: CudaConfig) -> TreeSolver:
    if config.device == "auto" and not has_device():
        return native_cfr.make(game, config.cfr)
    if not _has_kernels(game, config):
        return torch_backend.make(game, _torch_config(config))
    from regretless.solvers.cuda.solver import CudaCFR

    return CudaCFR(game, config.cfr, device=CupyDevice(_device_name(config)))


def set_up_process(config: CudaConfig) -> None:
    """The process needs no settings."""


def _has_kernels(game: Game, config: CudaConfig) -> bool:
    """Whether the kernels serve: two hole cards, numbers of 32 or 16 bits."""
    is_single = config.torch is None or config.torch.precision == "float32"
    is_holdem = getattr(game, "hand_size", 0) == 2
    return is_single and is_holdem and game.num_hands > _MOST_DENSE_HANDS


def _device_name(config: CudaConfig) -> str:
    return "cuda" if config.device == "auto" else config.device


def _torch_config(config: CudaConfig) -> torch_backend.TorchConfig:
    torch = config.torch or torch_backend.TorchConfig(config.cfr)
    return dataclasses.replace(torch, device=_device_name(config))

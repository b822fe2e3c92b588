# SPDX-License-Identifier: MIT
"""The backend `torch`: the CFR family on a torch device. Planning needs neither torch nor a device.

`TorchCFR` (torch_cfr.py) is imported when a solver is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from regretless import _native
from regretless.errors import InputError, needing
from regretless.games import Game, with_hands
from regretless.options import read_options
from regretless.solvers.backend import PlannedSize, TreeSolver
from regretless.solvers.problem import CFRConfig, make_discounts, planned_size

_ENTRIES_A_SECOND = 3e8  # roughly, on a CPU
_NUMBER_BYTES = {"float32": 4, "float64": 8}


@dataclass(frozen=True)
class TorchConfig:
    """A member of the family, and the device and type of its tensors."""

    cfr: CFRConfig = field(default_factory=CFRConfig)
    device: str = "cpu"
    """cpu, cuda, cuda:1 or mps."""
    precision: str = "float32"
    """float32 or float64."""


def read_config(name: str, options: Mapping[str, Any]) -> TorchConfig:
    own = {key: options[key] for key in ("device", "precision") if key in options}
    rest = {key: value for key, value in options.items() if key not in own}
    place = f"algorithm {name!r}"
    cfr = read_options(CFRConfig, place, rest, name=name)
    return read_options(TorchConfig, place, own, cfr=cfr)


def plan(game: Game, config: TorchConfig) -> PlannedSize:
    if config.precision not in _NUMBER_BYTES:
        raise InputError(f"precision: must be float32 or float64, not {config.precision!r}")
    if config.device.partition(":")[0] not in ("cpu", "cuda", "mps"):
        raise InputError(f"device: must be cpu, cuda or mps, not {config.device!r}")
    size = planned_size(with_hands(game, "solving"), config.cfr)
    number_bytes = _NUMBER_BYTES[config.precision]
    predicts = make_discounts(config.cfr).predicts
    tensors = tensor_bytes(size, predicts=predicts, number_bytes=number_bytes)
    total = tensors + size.problem_bytes
    is_host = config.device == "cpu"
    return PlannedSize(
        decisions=size.decisions,
        entries=size.entries,
        bits=8 * number_bytes,
        bytes=total if is_host else tensors,
        host_bytes=total if is_host else size.problem_bytes,
        iteration_seconds=size.entries / _ENTRIES_A_SECOND,
    )


def tensor_bytes(
    size: _native.SolveSize, *, predicts: bool, number_bytes: int, batch: int = 1
) -> int:
    """Bytes of all tensors of a batch of subgames, measuring included."""
    num_tables = 4 if predicts else 3  # regrets, sums, strategies, predictions
    most = max(size.hands)
    rows = size.nodes * (sum(size.hands) + 3 * most)  # reaches, values, and while measuring
    matrices = (1 + size.payoff_terms * size.tables) * size.hands[0] * size.hands[1]
    numbers = (num_tables + 1) * size.entries + rows + 3 * size.endings * most
    return number_bytes * (batch * numbers + matrices)


def make(game: Game, config: TorchConfig) -> TreeSolver:
    with needing("a device", "torch"):
        from regretless.solvers.torch_cfr import TorchCFR
    return TorchCFR(game, config.cfr, device=config.device, precision=config.precision)


def set_up_process(config: TorchConfig) -> None:
    """Gives torch the threads of the config on a CPU."""
    if config.device == "cpu":
        with needing("a device", "torch"):
            import torch
        torch.set_num_threads(config.cfr.threads)

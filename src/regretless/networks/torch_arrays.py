# SPDX-License-Identifier: MIT
"""Networks and the moments of Adam as the arrays of a checkpoint, and back."""

from collections.abc import Mapping

import torch
from torch import Tensor

from regretless.algorithm import Arrays


def tensor_arrays(place: str, tensors: Mapping[str, Tensor]) -> Arrays:
    """Copies, as `place/name`; a network's tensors are its `state_dict()`."""
    return {f"{place}/{key}": tensor.cpu().numpy().copy() for key, tensor in tensors.items()}


def load_network(network: torch.nn.Module, place: str, arrays: Arrays) -> None:
    network.load_state_dict(
        {key: torch.as_tensor(arrays[f"{place}/{key}"]) for key in network.state_dict()}
    )


def moment_arrays(place: str, optimizer: torch.optim.Optimizer) -> Arrays:
    """`place/number of the parameter/name of the moment`."""
    arrays: Arrays = {}
    for number, moments in optimizer.state_dict()["state"].items():
        arrays |= tensor_arrays(f"{place}/{number}", moments)
    return arrays


def load_moments(optimizer: torch.optim.Optimizer, place: str, arrays: Arrays) -> None:
    """Those that are there: a parameter without any begins anew."""
    moments: dict[int, dict[str, Tensor]] = {}
    for name, array in arrays.items():
        if name.startswith(f"{place}/"):
            number, key = name.removeprefix(f"{place}/").split("/")
            moments.setdefault(int(number), {})[key] = torch.as_tensor(array)
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})

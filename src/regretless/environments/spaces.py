# SPDX-License-Identifier: MIT
"""Spaces and base classes of Gymnasium and PettingZoo where they are installed, else plain ones."""

import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless import _native


class _Plain:
    """A base class that asks for nothing."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        pass


def _base(module: str, name: str) -> Any:
    """A class of a package, or a plain one where the package is not installed."""
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        return _Plain
    return getattr(importlib.import_module(module), name)


_HAS_GYMNASIUM = importlib.util.find_spec("gymnasium") is not None

Base: Any = _base("gymnasium", "Env")
VectorBase: Any = _base("gymnasium.vector", "VectorEnv")
AecBase: Any = _base("pettingzoo", "AECEnv")


@dataclass(frozen=True)
class PlainSpace:
    """A space, where Gymnasium is not installed."""

    shape: tuple[int, ...]
    dtype: Any
    n: int | None = None
    """The number of slots."""


class _PlainSpaces:
    """Stands for `gymnasium.spaces` where that is not installed."""

    Dict = dict

    @staticmethod
    def Box(low: float, high: float, shape: tuple[int, ...], dtype: Any) -> PlainSpace:
        return PlainSpace(shape, dtype)

    @staticmethod
    def Discrete(n: int) -> PlainSpace:
        return PlainSpace((), int, n)


spaces: Any = importlib.import_module("gymnasium.spaces") if _HAS_GYMNASIUM else _PlainSpaces


def unit_box(encoder: _native.Encoder) -> Any:
    """The space of one observation: features from 0 to the most that the encoder writes."""
    return spaces.Box(0, _most(encoder), (encoder.num_features,), np.float32)


def batched(space: Any, count: int) -> Any:
    """The space of a batch of tables."""
    if not _HAS_GYMNASIUM:
        return PlainSpace((count, *space.shape), space.dtype, space.n)
    return importlib.import_module("gymnasium.vector.utils").batch_space(space, count)


def same_step() -> dict[str, Any]:
    """The metadata of a vector environment that resets in the same step."""
    if not _HAS_GYMNASIUM:
        return {"autoreset_mode": "SameStep"}
    modes = importlib.import_module("gymnasium.vector").AutoresetMode
    return {"autoreset_mode": modes.SAME_STEP}


def _most(encoder: _native.Encoder) -> float:
    """The largest feature that the fields of an encoder can give."""
    largest = {"marks": 1.0, "wide marks": 1.0}
    return max(
        largest.get(field.kind)
        or (256.0 if field.kind == "numbers" else 2.0) ** field.width * field.scale
        for field in encoder.fields
    )

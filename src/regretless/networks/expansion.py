# SPDX-License-Identifier: MIT
"""Expands encoded rows to features on a torch device, equal to the native ones to the bit.

All marks of a row are one scatter, and all numbers and bits one sum by feature, so a batch takes a
dozen kernels whatever the encoder. An absent mark repeats the first one of its row, which is
always present.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from regretless import _native

_NO_MARK, _NO_WIDE_MARK = 255, 65535


class Expansion(nn.Module):
    """From uint8 [rows, row_bytes] to features [rows, num_features]; has no parameters."""

    mark_bytes: Tensor  # [marks]
    mark_starts: Tensor  # [marks]: of its 256 places in mark_features
    mark_features: Tensor  # [marks * 256]: the feature that a byte marks, -1 for none
    wide_bytes: Tensor  # [wide marks]: the lower of two
    wide_features: Tensor  # [wide marks]: the first one
    wide_widths: Tensor  # [wide marks]
    number_bytes: Tensor  # [numbers, 4]
    number_factors: Tensor  # [numbers, 4]: 256 to the power of the place, 0 beyond its width
    number_features: Tensor  # [numbers]
    number_scales: Tensor  # [numbers]
    bit_bytes: Tensor  # [bits]
    bit_shifts: Tensor  # [bits]
    bit_masks: Tensor  # [bits]: of those that are one number
    bit_features: Tensor  # [bits]
    bit_scales: Tensor  # [bits]

    def __init__(self, encoder: _native.Encoder, dtype: torch.dtype = torch.float32) -> None:
        """Features are float32, rounded to `dtype` at the end."""
        super().__init__()
        self.row_bytes, self.num_features = encoder.row_bytes, encoder.num_features
        self.dtype = dtype
        for kind, arrays in _ARRAYS.items():
            fields = [field for field in encoder.fields if field.kind == kind]
            entries = [(field, i) for field in fields for i in range(field.count)]
            for name, array in arrays(entries).items():
                self.register_buffer(name, torch.as_tensor(array), persistent=False)

    def forward(self, rows: Tensor) -> Tensor:
        places = rows[:, self.mark_bytes] + self.mark_starts
        marked = self.mark_features[places]
        marked = torch.where(marked < 0, marked[:, :1], marked)
        features = torch.zeros(len(rows), self.num_features, dtype=self.dtype, device=rows.device)
        features.scatter_(1, marked, 1.0)
        if len(self.wide_features):
            wide = rows[:, self.wide_bytes].long() + 256 * rows[:, self.wide_bytes + 1].long()
            places = self.wide_features + wide % self.wide_widths
            features.scatter_(1, torch.where(wide == _NO_WIDE_MARK, marked[:, :1], places), 1.0)
        if len(self.number_scales):
            bytes_ = rows[:, self.number_bytes].to(torch.int32)  # [rows, numbers, 4]
            numbers = (bytes_ * self.number_factors).sum(dim=2, dtype=torch.int32)
            values = numbers.to(torch.float32) * self.number_scales
            features.index_add_(1, self.number_features, values.to(self.dtype))
        if len(self.bit_scales):
            bits = rows[:, self.bit_bytes] >> self.bit_shifts & self.bit_masks
            features.index_add_(1, self.bit_features, (bits * self.bit_scales).to(self.dtype))
        return features


class Features:
    """Expands encoded rows on a device: natively on the CPU, elsewhere by `Expansion`."""

    def __init__(
        self, encoder: _native.Encoder, device: torch.device, dtype: torch.dtype = torch.float32
    ) -> None:
        self._encoder, self._device = encoder, device
        self._expansion = None
        if device.type != "cpu":
            self._expansion = Expansion(encoder, dtype).to(device)

    def __call__(self, rows: "Tensor | NDArray[np.uint8]") -> Tensor:
        """Features [rows, num_features]."""
        if self._expansion is None:
            array = rows.numpy() if isinstance(rows, Tensor) else rows
            return torch.from_numpy(self._encoder.expand(array))
        tensor = rows if isinstance(rows, Tensor) else torch.from_numpy(np.array(rows))
        features: Tensor = self._expansion(tensor.to(self._device))
        return features

    def added(self, rows: dict[str, Tensor]) -> dict[str, Tensor]:
        """Adds the column `features`, expanded from the column `row`."""
        return {**rows, "features": self(rows["row"])}


Arrays = dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]
Entries = Sequence[tuple[_native.Field, int]]


def _marks(entries: Entries) -> Arrays:
    values = np.arange(256)
    features = [
        np.where(
            values == _NO_MARK,
            -1,
            field.feature + i * field.stride + values // field.divisor % field.width,
        )
        for field, i in entries
    ]
    return {
        "mark_bytes": np.array([field.byte + i for field, i in entries], np.int64),
        "mark_starts": 256 * np.arange(len(entries), dtype=np.int64),
        "mark_features": np.concatenate(features).astype(np.int64),
    }


def _wide_marks(entries: Entries) -> Arrays:
    return {
        "wide_bytes": np.array([field.byte + 2 * i for field, i in entries], np.int64),
        "wide_features": _features(entries),
        "wide_widths": np.array([field.width for field, _ in entries], np.int64),
    }


def _numbers(entries: Entries) -> Arrays:
    places = np.arange(4)
    bytes_ = [
        field.byte + i * field.width + np.minimum(places, field.width - 1) for field, i in entries
    ]
    factors = [np.where(places < field.width, 256**places, 0) for field, _ in entries]
    return {
        "number_bytes": np.array(bytes_, np.int64).reshape(-1, 4),
        "number_factors": np.array(factors, np.int32).reshape(-1, 4),
        "number_features": _features(entries),
        "number_scales": np.array([field.scale for field, _ in entries], np.float32),
    }


def _bits(entries: Entries) -> Arrays:
    return {
        "bit_bytes": np.array([f.byte + i * f.width // 8 for f, i in entries], np.int64),
        "bit_shifts": np.array([i * f.width % 8 for f, i in entries], np.uint8),
        "bit_masks": np.array([2**f.width - 1 for f, _ in entries], np.uint8),
        "bit_features": _features(entries),
        "bit_scales": np.array([field.scale for field, _ in entries], np.float32),
    }


def _features(entries: Entries) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array([field.feature + i * field.stride for field, i in entries], np.int64)


_ARRAYS = {"marks": _marks, "wide marks": _wide_marks, "numbers": _numbers, "bits": _bits}

# SPDX-License-Identifier: MIT
"""Attention over the records of a history, in torch; `history.Attention` describes it.

Layers are those of Vaswani et al. 2017 with the norm after each sum and without dropout; the mean
over the present records goes through a linear layer, a norm and a ReLU. The gain of that norm
begins at 0.01, so that a history changes little at first; small weights before the norm would not
do that, since the norm would undo them.

On the CPU only present records are computed, histories of the same length together. On other
devices all records are, with a padding mask, so that shapes depend on nothing but the size of the
batch and a CUDA graph can be captured.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from regretless.networks.history import Attention

_PADDED_ROWS = 1 << 15  # at a time: kernels of attention take 65,535 at most (pytorch #142228)
_POSITIONS = 0.02  # standard deviation of new positions
_GAIN = 0.01  # of the last norm at the start

Attend = Callable[[Tensor], Tensor]
"""From queries, keys and values, concatenated in the last axis, to mixed values."""


def draw_positions(module: Any, generator: torch.Generator) -> None:
    """Draws what is no linear layer."""
    with torch.no_grad():
        module.positions.normal_(0, _POSITIONS, generator=generator)
        module.output_norm.weight.fill_(_GAIN)


def read_history(shape: Attention, module: Any, histories: Tensor) -> Tensor:
    """[batch, records * record] to [batch, outputs], with the layers of a module.

    The position of a record is the number of present records before it. A history without any
    gives zeros.
    """
    records = histories.reshape(-1, shape.records, shape.record)
    present = records[:, :, 1:-1].sum(dim=2) > 0  # [batch, records]
    return (packed if histories.is_cpu else padded)(shape, module, records, present)


def packed(shape: Attention, module: Any, records: Tensor, present: Tensor) -> Tensor:
    """Computes the present ones of the records [batch, records, record], and no others."""
    lengths = present.sum(dim=1)
    order = lengths.argsort(stable=True)
    num_empty, *counts = lengths.bincount(minlength=1).tolist()
    groups = _Groups(counts)
    sorted_present = present[order]
    rows, slots = sorted_present.nonzero(as_tuple=True)
    places = sorted_present.cumsum(dim=1)[rows, slots] - 1
    hidden = module.record(records[order[rows], slots])  # [all records, width]
    hidden = hidden + nn.functional.embedding(places, module.positions)
    for layer in module.layers:
        hidden = _layer(layer, hidden, lambda numbers: groups.attended(numbers, shape.heads))
    found = _read(module, groups.means(hidden))
    zeros = found.new_zeros(len(records), shape.outputs)
    return zeros.index_copy(0, order[num_empty:], found)


def padded(shape: Attention, module: Any, records: Tensor, present: Tensor) -> Tensor:
    """Computes all records with a padding mask; the same results as `packed`."""
    parts = torch.split(records, _PADDED_ROWS), torch.split(present, _PADDED_ROWS)
    return torch.cat([_padded(shape, module, *part) for part in zip(*parts, strict=True)])


def _padded(shape: Attention, module: Any, records: Tensor, present: Tensor) -> Tensor:
    lengths = present.sum(dim=1, keepdim=True)
    divisors = lengths.clamp(min=1)  # an empty softmax or mean is not a number
    most = shape.records
    places = torch.where(present, present.cumsum(dim=1) - 1, most)[:, :, None]
    room = records.new_zeros(len(records), most + 1, shape.record)
    records = room.scatter(1, places.expand_as(records), records)[:, :most]
    mask = torch.arange(most, device=records.device) < divisors
    hidden = module.record(records) + module.positions
    for layer in module.layers:
        hidden = _layer(
            layer, hidden, lambda numbers: _attended(numbers, shape.heads, mask[:, None, None])
        )
    sums = mask[:, None].to(hidden.dtype) @ hidden
    found = _read(module, sums[:, 0] / divisors)
    return torch.where(lengths > 0, found, 0)


def _read(module: Any, means: Tensor) -> Tensor:
    return torch.relu(module.output_norm(module.output(means)))


def _layer(layer: Any, hidden: Tensor, attend: Attend) -> Tensor:
    """Attention, then a hidden layer for each record, each added to its input."""
    hidden = layer.mixing_norm(hidden + layer.mixing(attend(layer.attention(hidden))))
    wide = torch.relu(layer.widening(hidden))
    found: Tensor = layer.narrowing_norm(hidden + layer.narrowing(wide))
    return found


class _Groups:
    """Records of histories sorted by length: histories of one length have one shape."""

    def __init__(self, counts: list[int]) -> None:
        """`counts`: histories of 1 record, of 2 and so on."""
        self._shapes = [(count, length) for length, count in enumerate(counts, 1) if count]
        self._shapes = self._shapes or [(0, 1)]  # an empty group, for gradients of 0
        self._sizes = [count * length for count, length in self._shapes]

    def attended(self, numbers: Tensor, heads: int) -> Tensor:
        """Attention within each history, [all records, 3 * width] to [all records, width]."""
        return torch.cat([_attended(part, heads).flatten(0, 1) for part in self._parts(numbers)])

    def means(self, hidden: Tensor) -> Tensor:
        """Means over each history, [histories, width]."""
        return torch.cat([part.mean(dim=1) for part in self._parts(hidden)])

    def _parts(self, numbers: Tensor) -> list[Tensor]:
        """[histories, length, ...] for each length."""
        parts = zip(torch.split(numbers, self._sizes), self._shapes, strict=True)
        return [part.reshape(*shape, part.shape[1]) for part, shape in parts]


def _attended(numbers: Tensor, heads: int, mask: Tensor | None = None) -> Tensor:
    """[batch, records, 3 * width] to [batch, records, width]; `mask`: the present records."""
    batch, records, width = numbers.shape[0], numbers.shape[1], numbers.shape[2] // 3
    if records == 1:  # a record attends to itself alone
        return numbers[:, :, 2 * width :]
    split = numbers.reshape(batch, records, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    queries, keys, values = split.unbind(0)  # [batch, heads, records, width of a head]
    mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    return mixed.transpose(1, 2).flatten(2)

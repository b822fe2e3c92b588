# SPDX-License-Identifier: MIT
"""The part of a network that reads what was done so far: attention over records.

Layers are those of Vaswani et al. 2017, each norm after its sum, without dropout; the mean over the
records that are there goes through a linear layer, a norm and a ReLU. The gain of that norm is
drawn as 0.01, so that a history says next to nothing at first; small weights before the norm would
not do it, since the norm would undo them.

On the CPU only the records that are there are computed, histories of the same length together. On
other devices all are, with a mask, so that shapes depend on nothing but the size of the batch and a
graph can be captured.
"""

from collections.abc import Callable
from itertools import starmap

import torch
from torch import Tensor, nn

from regretless.networks.drawn_layers import draw_linear, zero_linear
from regretless.networks.history_shape import HistoryShape

_PADDED_ROWS = 1 << 15  # at a time: kernels of attention take 65,535 at most (pytorch #142228)
_POSITIONS = 0.02  # deviation of positions that are drawn
_GAIN = 0.01  # of the last norm where it is drawn

Attend = Callable[[Tensor], Tensor]
"""From queries, keys and values, one after the other in the last axis, to mixed values."""


class HistoryNetwork(nn.Module):
    """Histories [batch, records * record] in, what they say out, [batch, outputs].

    The position of a record is the number of those that are there before it. A history without any
    gives zeros.
    """

    def __init__(self, shape: HistoryShape) -> None:
        super().__init__()
        self.shape = shape
        self.record = zero_linear(shape.record, shape.width)
        self.positions = nn.Parameter(torch.zeros(shape.records, shape.width))
        self.layers = nn.ModuleList(_Layer(shape) for _ in range(shape.layers))
        self.output = zero_linear(shape.width, shape.outputs)
        self.output_norm = nn.LayerNorm(shape.outputs)

    def draw(self, generator: torch.Generator) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear):
                draw_linear(module, generator)
        with torch.no_grad():
            self.positions.normal_(0, _POSITIONS, generator=generator)
            self.output_norm.weight.fill_(_GAIN)

    def forward(self, histories: Tensor) -> Tensor:
        records = histories.reshape(-1, self.shape.records, self.shape.record)
        there = records[:, :, 1:-1].sum(dim=2) > 0  # [batch, records]
        return (self.packed if histories.is_cpu else self.padded)(records, there)

    def packed(self, records: Tensor, there: Tensor) -> Tensor:
        """Of the records [batch, records, record] that are there, and of no others."""
        lengths = there.sum(dim=1)
        order = lengths.argsort(stable=True)
        num_empty, *counts = lengths.bincount(minlength=1).tolist()
        groups = _Groups(counts)
        sorted_there = there[order]
        rows, slots = sorted_there.nonzero(as_tuple=True)
        places = sorted_there.cumsum(dim=1)[rows, slots] - 1
        hidden = self.record(records[order[rows], slots])  # [all records, width]
        hidden = hidden + nn.functional.embedding(places, self.positions)
        for layer in self.layers:
            hidden = layer(hidden, lambda numbers: groups.attended(numbers, self.shape.heads))
        found = self._told(groups.means(hidden))
        zeros = found.new_zeros(len(records), self.shape.outputs)
        return zeros.index_copy(0, order[num_empty:], found)

    def padded(self, records: Tensor, there: Tensor) -> Tensor:
        """The same, with room for all records in every history."""
        parts = torch.split(records, _PADDED_ROWS), torch.split(there, _PADDED_ROWS)
        return torch.cat(list(starmap(self._padded, zip(*parts, strict=True))))

    def _padded(self, records: Tensor, there: Tensor) -> Tensor:
        lengths = there.sum(dim=1, keepdim=True)
        divisors = lengths.clamp(min=1)  # softmax over nothing, and a mean, are no numbers
        most = self.shape.records
        places = torch.where(there, there.cumsum(dim=1) - 1, most)[:, :, None]
        room = records.new_zeros(len(records), most + 1, self.shape.record)
        records = room.scatter(1, places.expand_as(records), records)[:, :most]
        seen = torch.arange(most, device=records.device) < divisors
        hidden = self.record(records) + self.positions
        for layer in self.layers:
            hidden = layer(
                hidden, lambda numbers: _attended(numbers, self.shape.heads, seen[:, None, None])
            )
        sums = seen[:, None].to(hidden.dtype) @ hidden
        found = self._told(sums[:, 0] / divisors)
        return torch.where(lengths > 0, found, 0)

    def _told(self, means: Tensor) -> Tensor:
        return torch.relu(self.output_norm(self.output(means)))


class _Layer(nn.Module):
    """Attention, then a hidden layer for each record, each added to what comes in."""

    def __init__(self, shape: HistoryShape) -> None:
        super().__init__()
        width = shape.width
        self.attention = zero_linear(width, 3 * width)  # queries, keys and values
        self.mixing = zero_linear(width, width)
        self.mixing_norm = nn.LayerNorm(width)
        self.widening = zero_linear(width, shape.feedforward)
        self.narrowing = zero_linear(shape.feedforward, width)
        self.narrowing_norm = nn.LayerNorm(width)

    def forward(self, hidden: Tensor, attend: Attend) -> Tensor:
        hidden = self.mixing_norm(hidden + self.mixing(attend(self.attention(hidden))))
        wide = torch.relu(self.widening(hidden))
        found: Tensor = self.narrowing_norm(hidden + self.narrowing(wide))
        return found


class _Groups:
    """Records of histories in the order of their lengths: those of one length have one shape."""

    def __init__(self, counts: list[int]) -> None:
        """`counts`: histories of 1 record, of 2 and so on."""
        self._shapes = [(count, length) for length, count in enumerate(counts, 1) if count]
        self._shapes = self._shapes or [(0, 1)]  # a group of nothing, for gradients of 0
        self._sizes = [count * length for count, length in self._shapes]

    def attended(self, numbers: Tensor, heads: int) -> Tensor:
        """Within each history, [all records, 3 * width] to [all records, width]."""
        return torch.cat([_attended(part, heads).flatten(0, 1) for part in self._parts(numbers)])

    def means(self, hidden: Tensor) -> Tensor:
        """Of each history, [histories, width]."""
        return torch.cat([part.mean(dim=1) for part in self._parts(hidden)])

    def _parts(self, numbers: Tensor) -> list[Tensor]:
        """[histories, length, ...] for each length."""
        parts = zip(torch.split(numbers, self._sizes), self._shapes, strict=True)
        return [part.reshape(*shape, part.shape[1]) for part, shape in parts]


def _attended(numbers: Tensor, heads: int, seen: Tensor | None = None) -> Tensor:
    """[batch, records, 3 * width] to [batch, records, width]; `seen`: which records are."""
    batch, records, width = numbers.shape[0], numbers.shape[1], numbers.shape[2] // 3
    if records == 1:  # all attention is its own
        return numbers[:, :, 2 * width :]
    split = numbers.reshape(batch, records, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    queries, keys, values = split.unbind(0)  # [batch, heads, records, width of a head]
    mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, attn_mask=seen)
    return mixed.transpose(1, 2).flatten(2)

# SPDX-License-Identifier: MIT
"""Data that crosses a cluster: arrays and plain JSON in one block of bytes, never objects.

A block is the length of a header (8 bytes), the header (JSON: a value, and the names, types and
shapes of arrays), and the arrays, each at a multiple of 64 bytes. Whoever reads a block copies
nothing: the arrays are views of the block.
"""

import json
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from regretless.errors import InputError
from regretless.networks.shape import NetworkShape, NetworkWeights

Block = NDArray[np.uint8]

_PREFIX, _ALIGNMENT = 8, 64
_NUMBERS = re.compile(r"[<>|=][biuf]\d{1,2}")  # as numpy writes the types of arrays
_SHAPES: TypeAdapter[Any] = TypeAdapter(NetworkShape)


def pack(value: Any, arrays: Mapping[str, NDArray[Any]]) -> Block:
    """Returns a block with a JSON value and arrays of numbers or booleans."""
    rows = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
    header = json.dumps([value, rows], allow_nan=False, separators=(",", ":")).encode()
    ends, end = [], _aligned(_PREFIX + len(header))
    for array in arrays.values():
        ends.append(end)
        end = _aligned(end + array.nbytes)
    block = np.zeros(end, np.uint8)
    block[:_PREFIX] = np.frombuffer(struct.pack("<Q", len(header)), np.uint8)
    block[_PREFIX : _PREFIX + len(header)] = np.frombuffer(header, np.uint8)
    for start, array in zip(ends, arrays.values(), strict=True):
        if array.nbytes:
            contiguous = np.ascontiguousarray(array)
            block[start : start + array.nbytes] = contiguous.reshape(-1).view(np.uint8)
    return block


def unpack(block: Block) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Returns the value and the arrays, as views; InputError for anything but a whole block."""
    try:
        (length,) = struct.unpack("<Q", block[:_PREFIX].tobytes())
        value, rows = json.loads(block[_PREFIX : _PREFIX + length].tobytes())
        arrays, end = {}, _aligned(_PREFIX + length)
        for name, kind, shape in rows:
            if not _NUMBERS.fullmatch(kind):  # numpy would evaluate other texts
                raise InputError(f"a block: {name}: no numbers")
            dtype = np.dtype(kind)
            size = dtype.itemsize * math.prod(shape)
            arrays[name] = block[end : end + size].view(dtype).reshape(shape)
            end = _aligned(end + size)
    except InputError:
        raise
    except (ValueError, TypeError, struct.error, RecursionError) as error:
        raise InputError(f"a block: {error}") from None
    if end != len(block):
        raise InputError(f"a block: {len(block):,} bytes where {end:,} are described")
    return value, arrays


def pack_weights(weights: Mapping[str, Any]) -> Block:
    """Returns networks by name: `NetworkWeights`, or plain arrays as belief networks have."""
    value, arrays = {}, dict[str, NDArray[Any]]()
    for name, each in weights.items():
        parts, shape = each, None
        if isinstance(each, NetworkWeights):
            shape = each.shape.model_dump(mode="json")
            seats = {} if each.seats is None else {"/seats": each.seats}
            parts = {**each.parameters, "/weights": each.weights, **seats}
        value[name] = shape
        arrays |= {f"{name}:{key}": array for key, array in parts.items()}
    return pack(value, arrays)


def unpack_weights(block: Block) -> dict[str, Any]:
    """Returns the networks of `pack_weights`."""
    value, arrays = unpack(block)
    found: dict[str, Any] = {name: {} for name in value}
    for key, array in arrays.items():
        name, _, part = key.partition(":")
        found[name][part] = array
    for name, shape in value.items():
        if shape is not None:
            parts = found[name]
            counts, seats = parts.pop("/weights"), parts.pop("/seats", None)
            found[name] = NetworkWeights(_SHAPES.validate_python(shape), parts, counts, seats)
    return found


def pack_shard(shard: Any) -> Block:
    """Returns a dataclass of whole numbers and arrays."""
    values = {field.name: getattr(shard, field.name) for field in fields(shard)}
    arrays = {name: each for name, each in values.items() if isinstance(each, np.ndarray)}
    return pack({name: each for name, each in values.items() if name not in arrays}, arrays)


def unpack_shard(block: Block, kind: type) -> Any:
    """Returns the shard of `pack_shard`, of the class `kind`."""
    value, arrays = unpack(block)
    return kind(**value, **arrays)


def _aligned(place: int) -> int:
    return -(-place // _ALIGNMENT) * _ALIGNMENT

# SPDX-License-Identifier: MIT
"""Blocks of the cluster hold arrays and plain data, and damaged ones are refused."""

import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from regretless.algorithm import Shard
from regretless.cluster.wire import (
    pack,
    pack_shard,
    pack_weights,
    unpack,
    unpack_shard,
    unpack_weights,
)
from regretless.errors import InputError
from regretless.generation.subgames import GameShard
from regretless.networks.mlp import MlpShape
from regretless.networks.network import Network, network_weights

NUMBERS = st.sampled_from(["bool", "uint8", "int32", "int64", "uint64", "float32", "float64"])
ARRAYS = arrays_of.arrays(NUMBERS, arrays_of.array_shapes(min_dims=0, max_dims=4, min_side=0))


@given(st.dictionaries(st.text(max_size=5), ARRAYS, max_size=4), st.integers())
def test_blocks_come_back(arrays: dict[str, Any], value: int) -> None:
    block = pack({"value": value}, arrays)
    found, unpacked = unpack(block)
    assert found == {"value": value} and list(unpacked) == list(arrays)
    for name, array in arrays.items():
        assert (unpacked[name].dtype, unpacked[name].shape) == (array.dtype, array.shape)
        assert unpacked[name].tobytes() == array.tobytes()
        assert array.size == 0 or np.shares_memory(unpacked[name], block)


def test_weights_come_back() -> None:
    shape = MlpShape(inputs=3, widths=(4,), outputs=2, head="values")
    weights = network_weights([Network(shape), Network(shape)], seats=range(2))
    plain = {"layer.weight": np.arange(6.0).reshape(2, 3)}
    found = unpack_weights(pack_weights({"advantages": weights, "values": plain}))
    assert found["advantages"].shape == shape
    assert (found["advantages"].seats == weights.seats).all()
    assert found["advantages"].parameters.keys() == weights.parameters.keys()
    for name, array in weights.parameters.items():
        assert (found["advantages"].parameters[name] == array).all()
    assert (found["values"]["layer.weight"] == plain["layer.weight"]).all()


def test_shards_come_back() -> None:
    assert unpack_shard(pack_shard(Shard(3, 4, 5, 1)), Shard) == Shard(3, 4, 5, 1)
    games = GameShard(2, 7, np.arange(3, dtype=np.int32), np.ones((3, 2, 6)))
    found = unpack_shard(pack_shard(games), GameShard)
    assert (found.number, found.iteration) == (2, 7)
    assert (found.states == games.states).all() and (found.ranges == games.ranges).all()
    assert len(games.head(2).states) == 2 and Shard(3, 4).head(2) == Shard(3, 2)


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        unpack(np.frombuffer(data, np.uint8))


@given(st.integers(0, 255), st.data())
def test_a_damaged_block_is_refused_or_read(byte: int, data: st.DataObject) -> None:
    block = pack([1, 2], {"rows": np.arange(40, dtype=np.int32), "weights": np.ones(5)})
    block[data.draw(st.integers(0, len(block) - 1))] = byte
    try:
        unpack(block[: data.draw(st.integers(0, len(block)))])
    except InputError:
        return


def test_objects_do_not_travel() -> None:
    with pytest.raises((InputError, TypeError, ValueError)):
        unpack(pack(None, {"objects": np.array([object()])}))


@pytest.mark.parametrize("kind", [",i4", "<,4", "<O8", "i4", "", "<f3", "(2,)i4"])
def test_types_that_numpy_would_evaluate_are_refused(kind: str) -> None:
    block = pack(0.5, {"rows": np.arange(6, dtype=np.int32)}).tobytes()
    header = json.dumps([0.5, [["rows", kind, [6]]]]).encode().ljust(56)
    changed = struct.pack("<Q", len(header)) + header + block[64:]
    with pytest.raises(InputError, match="a block"):
        unpack(np.frombuffer(changed, np.uint8))

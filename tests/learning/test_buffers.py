# SPDX-License-Identifier: MIT
"""Rings and reservoirs against plain Python: the same rows to the byte, whatever the batches."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buffer_copies import contents
from regretless.buffers import Buffer, Column, Reservoir, Ring, buffers_of
from regretless.errors import InputError

COLUMNS = (
    Column("row", "uint8", (3,)),
    Column("target", "float32", (2, 2)),
    Column("legal", "uint64"),
    Column("weight", "float32"),
)
MASK = (1 << 64) - 1


def scatter(x: int) -> int:
    """Mixes a number as SplitMix64 does."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def random_bits(*keys: int) -> int:
    """The first number of the stream that the keys name."""
    state, step = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15
    for key in keys:
        state = scatter((state ^ key) + step & MASK)
    return scatter(state + step & MASK)


def algorithm_r(capacity: int, count: int, seed: int) -> list[int]:
    """Which rows are kept, by index."""
    kept: list[int] = []
    for number in range(count):
        if number < capacity:
            kept.append(number)
        elif (index := random_bits(seed, number) * (number + 1) >> 64) < capacity:
            kept[index] = number
    return kept


def newest(capacity: int, count: int, seed: int) -> list[int]:
    kept = list(range(min(capacity, count)))
    for number in range(capacity, count):
        kept[number % capacity] = number
    return kept


def rows_of(numbers: Iterable[int]) -> dict[str, np.ndarray[Any, Any]]:
    """All columns tell the number of a row."""
    n = np.fromiter(numbers, np.int64)
    return {
        "row": np.stack([n % 251, n // 251 % 256, n % 7], axis=1).astype(np.uint8),
        "target": (n[:, None, None] + np.arange(4).reshape(2, 2) / 8).astype(np.float32),
        "legal": n.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15),
        "weight": np.sqrt(n).astype(np.float32),
    }


def bytes_of(numbers: Iterable[int]) -> bytes:
    rows = rows_of(numbers)
    places = range(len(rows["weight"]))
    return b"".join(rows[column.name][place].tobytes() for place in places for column in COLUMNS)


@settings(max_examples=60)
@given(
    st.booleans(),
    st.integers(1, 40),
    st.lists(st.integers(0, 90), max_size=6),
    st.integers(0, MASK),
    st.integers(1, 3),
)
def test_rows_are_those_of_the_model(
    is_ring: bool, capacity: int, batches: list[int], seed: int, threads: int
) -> None:
    buffer: Ring | Reservoir
    if is_ring:
        buffer = Ring(COLUMNS, capacity, threads=threads)
    else:
        buffer = Reservoir(COLUMNS, capacity, seed=seed, threads=threads)
    total, model = 0, newest if is_ring else algorithm_r
    for batch in batches:
        before, since = model(capacity, total, seed), total
        buffer.add(rows_of(range(total, total + batch)))
        total += batch
        kept = model(capacity, total, seed)
        assert (buffer.num_added, buffer.size) == (total, len(kept))
        assert contents(buffer) == bytes_of(kept)
        padded = before + [-1] * (len(kept) - len(before))
        wanted = [index for index, row in enumerate(kept) if padded[index] != row]
        assert buffer.changed(since).tolist() == wanted


@given(st.integers(0, MASK), st.integers(0, MASK), st.integers(1, 30))
@settings(max_examples=30)
def test_minibatches_are_those_of_the_model(seed: int, step: int, count: int) -> None:
    ring = Ring(COLUMNS, 50)
    ring.add(rows_of(range(33)))
    drawn = [random_bits(seed, step, place) * 33 >> 64 for place in range(count)]
    rows, wanted = ring.sample(seed, step, count), rows_of(drawn)
    into = {column.name: np.empty((count, *column.shape), column.type) for column in COLUMNS}
    ring.sample_into(seed, step, into)
    for name, array in wanted.items():
        assert rows[name].dtype == array.dtype and np.array_equal(rows[name], array)
        assert np.array_equal(into[name], array)


def test_sizes_are_known(tmp_path: Path) -> None:
    inside, mapped = Ring(COLUMNS, 10), Reservoir(COLUMNS, 10, seed=1, directory=tmp_path)
    assert inside.row_bytes == 3 + 16 + 8 + 4
    assert inside.num_bytes == mapped.num_bytes == 310
    assert (inside.memory_bytes, inside.disk_bytes) == (310, 0)
    assert (mapped.memory_bytes, mapped.disk_bytes) == (0, 310)
    assert not list(tmp_path.iterdir())  # the file has no name
    assert buffers_of(object()) == {}
    kept: Buffer = mapped
    assert kept.capacity == 10


@pytest.mark.parametrize(
    ("columns", "capacity", "options", "words"),
    [
        (COLUMNS, 0, {}, "capacity"),
        (COLUMNS, 1 << 62, {}, "capacity"),
        (COLUMNS, 1 << 70, {}, "64 bits"),
        (COLUMNS, 100, {"max_bytes": 3099}, "more than the 3099 bytes of max_bytes"),
        (COLUMNS, 100, {"directory": Path("/no/such")}, "/no/such: no room .*No such file"),
        (COLUMNS, 100, {"threads": 0}, "threads"),
        ((), 100, {}, "columns"),
        ((COLUMNS[0], COLUMNS[0]), 100, {}, "columns"),
        ((Column("a", "str"),), 100, {}, "column a"),
        ((Column("a", "float33"),), 100, {}, "column a"),
        ((Column("a", "float32", (0,)),), 100, {}, "column a"),
        ((Column("a", "float32", (1 << 40,)),), 100, {}, "bytes"),
    ],
)
def test_what_cannot_be_kept_is_one_clear_line(
    columns: Any, capacity: int, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        Ring(columns, capacity, **options)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=words):
        Reservoir(columns, capacity, seed=1, **options)


def test_rows_that_do_not_fit_are_refused() -> None:
    ring, good = Ring(COLUMNS, 10), rows_of(range(4))
    for bad, words in (
        ({**good, "weight": good["weight"].astype(np.float64)}, "weight: expected float32"),
        ({**good, "weight": good["weight"][:3]}, "weight"),
        ({**good, "target": good["target"].reshape(4, 4)}, r"target: expected float32 \[4, 2, 2\]"),
        ({**good, "more": good["weight"]}, "columns"),
        ({"row": good["row"]}, "columns"),
    ):
        with pytest.raises(InputError, match=words):
            ring.add(bad)
    with pytest.raises(InputError, match="empty"):
        ring.sample(0, 0, 5)
    ring.add({name: array[::2] for name, array in good.items()})
    assert contents(ring) == bytes_of([0, 2])
    with pytest.raises(InputError, match="contiguous"):
        ring.sample_into(0, 0, {name: array[::2] for name, array in good.items()})
    with pytest.raises(ValueError, match="indices"):
        ring.get(np.array([10]))
    with pytest.raises(ValueError, match="fewer rows"):
        ring.changed(3)

# SPDX-License-Identifier: MIT
"""Minibatches are rows of the buffer."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from regretless.buffers import Column, Ring  # noqa: E402
from regretless.learning import minibatches as rows_module  # noqa: E402
from regretless.learning.minibatches import (  # noqa: E402
    Mirror,
    indexed_minibatches,
    minibatches,
)

COLUMNS = (Column("row", "uint8", (3,)), Column("value", "float32"), Column("mask", "int64"))
DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.gpu),
]


def rows_of(first: int, count: int) -> dict[str, Any]:
    numbers = np.arange(first, first + count)
    row = np.stack([numbers % 256, numbers // 256 % 256, numbers % 9], axis=1).astype(np.uint8)
    return {"row": row, "value": numbers.astype(np.float32) / 3, "mask": numbers**2}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 50])
def test_they_are_those_of_the_buffer(device: str, steps: int) -> None:
    ring = Ring(COLUMNS, 10_000)
    ring.add(rows_of(0, 10_000))
    place = torch.device(device)
    seen, total = 0, torch.zeros((), dtype=torch.int64, device=place)
    for step, rows in zip(
        range(7, 7 + steps), minibatches(ring, 3, range(7, 7 + steps), 512, place), strict=True
    ):
        total += rows["mask"].sum()
        kept = {name: each.clone() for name, each in rows.items()}
        for name, wanted in ring.sample(3, step, 512).items():
            assert kept[name].device.type == place.type
            assert np.array_equal(kept[name].cpu().numpy(), wanted), (step, name)
        seen += 1
    assert seen == steps
    wanted_total = sum(int(ring.sample(3, step, 512)["mask"].sum()) for step in range(7, 7 + steps))
    assert int(total) == wanted_total


def test_they_may_be_left_early() -> None:
    ring = Ring(COLUMNS, 10)
    ring.add(rows_of(0, 10))
    drawn = minibatches(ring, 1, range(9), 4, torch.device("cpu"))
    first = next(drawn)
    drawn.close()  # type: ignore[attr-defined]
    assert np.array_equal(first["mask"].numpy(), ring.sample(1, 0, 4)["mask"])


def test_indexed_ones_are_rows_of_the_buffer() -> None:
    ring = Ring(COLUMNS, 100)
    ring.add(rows_of(0, 130))
    drawn = [*indexed_minibatches(ring, 5, range(3), 8, torch.device("cpu"))]
    chosen = torch.randint(100, (3, 8), generator=torch.Generator().manual_seed(5)).numpy()
    numbers = (chosen - 30) % 100 + 30  # 0 to 29 were overwritten by 100 to 129
    for rows, expected in zip(drawn, numbers, strict=True):
        for name, column in rows_of(0, 130).items():
            np.testing.assert_array_equal(rows[name].numpy(), column[expected])


def test_a_mirror_copies_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = Ring([Column("a", "float32", (3,))], 50)
    monkeypatch.setattr(rows_module, "_COPIED_BYTES", 7 * ring.row_bytes)
    mirror = Mirror(ring, torch.device("cpu"))
    for count in (20, 1, 45):  # the last ones replace the first
        rows = np.random.default_rng(count).random((count, 3), np.float32)
        ring.add({"a": rows})
        mirror.refresh()
        every = np.arange(ring.size)
        found = mirror.rows(torch.from_numpy(every))["a"].numpy()
        assert found.tobytes() == ring.get(every).tobytes()

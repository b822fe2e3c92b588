# SPDX-License-Identifier: MIT
"""Minibatches are those of the buffer; a replay on a device is a buffer, too."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buffer_copies import contents

torch = pytest.importorskip("torch")

from regretless.buffers import Buffer, Column, Ring, num_bytes  # noqa: E402
from regretless.errors import InputError  # noqa: E402
from regretless.learning.minibatches import minibatches  # noqa: E402
from regretless.learning.replay import Replay  # noqa: E402
from regretless.storage.segments import SegmentStore  # noqa: E402

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


@pytest.mark.parametrize("device", DEVICES)
def test_a_replay_is_a_ring(device: str, tmp_path: Path) -> None:
    """Both buffers hold equal rows in equal slots, also after a save and a restore."""

    def tensors(first: int, count: int) -> dict[str, Any]:
        return {k: torch.as_tensor(v).to(device) for k, v in rows_of(first, count).items()}

    replay, ring, store = Replay(100, tensors(0, 1)), Ring(COLUMNS, 100), SegmentStore(tmp_path)
    kept: Buffer = replay
    assert (kept.columns, num_bytes(kept)) == (COLUMNS, ring.num_bytes)
    assert kept.memory_bytes == (ring.num_bytes if device == "cpu" else 0)
    for count in (30, 0, 50, 60, 250, 1):
        since = ring.num_added
        ring.add(rows_of(since, count))
        replay.add(tensors(since, count))
        assert contents(replay) == contents(ring)
        assert replay.get(np.arange(0)).shape == ring.get(np.arange(0)).shape
        assert np.array_equal(replay.changed(since), ring.changed(since))
        saved = store.write({"replay": replay})
        other = Replay(100, tensors(0, 1))
        SegmentStore(tmp_path).restore(saved, {"replay": other})
        assert other.num_added == ring.num_added and contents(other) == contents(ring)


@pytest.mark.parametrize("device", DEVICES)
def test_a_replay_larger_than_the_device_is_refused(device: str) -> None:
    row = {"x": torch.zeros((1, 1 << 20), device=device)}
    with pytest.raises(InputError, match=rf"replay: .* more than {device}.* has free"):
        Replay(1 << 30, row)

# SPDX-License-Identifier: MIT
"""A large reservoir mapped to a file: how fast it fills, is drawn from, and is saved.

    python -m benchmarks.scripts.large_reservoir --rows 100_000_000 --directory runs

It takes 100 bytes a row in `--directory` and 104 for checkpoints in `--saves`; all is gone at the
end. On a disk, rows that change at random make the system write whole pages; where it fits into
memory, `--directory /dev/shm` shows what the buffer itself takes.
"""

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.keeping import (
    BATCH,
    MINIBATCH,
    add_rows,
    change_share,
    mapped_reservoir,
    save_seconds,
)
from regretless.buffers import Reservoir
from regretless.storage.segments import SegmentStore


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--threads", type=int, default=1, help="that add rows")
    parser.add_argument("--directory", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--saves", type=Path, help="another directory for checkpoints")
    options = parser.parse_args()
    saves = options.saves or options.directory
    for directory in (options.directory, saves):
        directory.mkdir(parents=True, exist_ok=True)
    reservoir = mapped_reservoir(options.rows, options.directory, options.threads)
    with tempfile.TemporaryDirectory(dir=saves, prefix=".reservoir-") as name:
        measure(reservoir, SegmentStore(Path(name)))


def measure(reservoir: Reservoir, store: SegmentStore) -> None:
    rows = reservoir.capacity
    print(f"{rows:,} rows, {reservoir.num_bytes / 1e9:.3g} GB")
    tell_rate("filled", reservoir, rows)
    tell_minibatches(reservoir)
    first = save(store, reservoir)
    print(f"first save: {first[0]:.3g} s by the clock, {first[1]:.3g} s of processor time")
    for _ in range(3):
        change_share(reservoir, 0.01)
        again = save(store, reservoir)
        print(
            f"saved after 1 % of change: {again[0]:.3g} s by the clock, {again[0] / first[0]:.2%} "
            f"of the first; {again[1]:.3g} s of processor time, {again[1] / first[1]:.2%}"
        )
    tell_rate("added at random places", reservoir, rows // 10)
    tell_minibatches(reservoir)


def save(store: SegmentStore, reservoir: Reservoir) -> tuple[float, float]:
    """Seconds by the clock and of processor time."""
    begun = time.process_time()
    seconds = save_seconds(store, reservoir)
    return seconds, time.process_time() - begun


def tell_rate(what: str, reservoir: Reservoir, count: int) -> None:
    begun = time.perf_counter(), time.process_time()
    add_rows(reservoir, count)
    seconds, busy = time.perf_counter() - begun[0], time.process_time() - begun[1]
    print(
        f"{what}: {count / seconds / 1e6:.3g} M rows/s by the clock, {count / busy / 1e6:.3g} M "
        f"rows/s of processor time, in batches of {BATCH:,}"
    )


def tell_minibatches(reservoir: Reservoir, count: int = 1000) -> None:
    rows = reservoir.sample(0, 0, MINIBATCH)
    begun = time.perf_counter(), time.process_time()
    for step in range(count):
        reservoir.sample_into(1, step, rows)
    seconds, busy = time.perf_counter() - begun[0], time.process_time() - begun[1]
    print(
        f"minibatches of {MINIBATCH:,}: {seconds / count * 1e3:.3g} ms each by the clock, "
        f"{busy / count * 1e3:.3g} ms of processor time"
    )


if __name__ == "__main__":
    main()

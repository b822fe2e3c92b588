# SPDX-License-Identifier: MIT
"""A large reservoir mapped to a file: how fast it fills, is drawn from, and is saved.

    python examples/large_reservoir.py --rows 100_000_000 --directory runs

It takes 100 bytes of disk a row for itself and 101 for its checkpoints, all gone at the end.
"""

import argparse
import tempfile
import time
from pathlib import Path

from regretless.benchmarks.keeping import (
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
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.directory, prefix=".reservoir-") as name:
        measure(options.rows, Path(name), options.threads)


def measure(rows: int, directory: Path, threads: int) -> None:
    reservoir = mapped_reservoir(rows, directory, threads)
    print(f"{rows:,} rows, {reservoir.num_bytes / 1e9:.3g} GB, mapped in {directory.parent}")
    tell_rate("filled", reservoir, rows)
    tell_minibatches(reservoir)
    store = SegmentStore(directory / "segments")
    first = save_seconds(store, reservoir)
    print(f"first save: {first:.3g} s, {reservoir.num_bytes / first / 1e6:,.0f} MB/s")
    for _ in range(3):
        change_share(reservoir, 0.01)
        seconds = save_seconds(store, reservoir)
        print(f"saved after 1 % of change: {seconds:.3g} s, {seconds / first:.2%} of the first")
    tell_rate("added at random places", reservoir, rows // 10)
    tell_minibatches(reservoir)


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

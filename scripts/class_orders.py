# SPDX-License-Identifier: MIT
"""Writes src/regretless/preflop/class_orders.bin: orders of three classes of hands, all-in.

Prints the hash, which belongs into src/regretless/preflop/triples.py. Takes about ten minutes on
one core.
"""

import hashlib

import numpy as np

from regretless import _native
from regretless.preflop.triples import ORDERS_FILE, pack_orders

SLICE = 2_000  # boards


def main() -> None:
    boards = _native.num_canonical_boards()
    sums = np.zeros((3, 169, 169, 169), np.int64)
    for first in range(0, boards, SLICE):
        sums += np.stack(_native.class_orders(first, min(SLICE, boards - first)))
        print(f"{first:,} of {boards:,} boards", flush=True)
    data = pack_orders(*sums)
    ORDERS_FILE.write_bytes(data)
    print(hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Writes src/regretless/preflop/class_wins.bin: deals that each class of hands wins against each.

Prints the hash, which belongs into src/regretless/preflop/matchups.py.
"""

import hashlib

from regretless import _native
from regretless.preflop.matchups import WINS_FILE


def main() -> None:
    wins = _native.class_wins(0, _native.num_canonical_boards())
    data = wins.astype("<u4").tobytes()
    WINS_FILE.write_bytes(data)
    print(hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Memory on a device, known from the size of a problem alone."""

from regretless import _native
from regretless.errors import InputError
from regretless.solvers.cuda.boards import UNIT
from regretless.solvers.cuda.device import Device

_NODE_BYTES = 160  # of the lists of work, at most
_HAND_BYTES = 40  # of a hand on a board
_MORE_BOARDS = 60  # than two for each showdown: of a turn or a flop


def device_bytes(size: _native.SolveSize, *, bits: int, predicts: bool) -> int:
    """The bytes of all buffers, or a little more; measuring included, packing not."""
    hands = [-(-each // UNIT) * UNIT for each in size.hands]  # as rows have them
    entries = size.entries * max(hands[p] / size.hands[p] for p in range(2))
    dealt = min(size.nodes - size.endings, size.nodes - size.entries // max(size.hands))
    rows = entries + (dealt + 1) * sum(hands)  # of reaches
    values = size.nodes * max(hands)
    tables = (3 if predicts else 2) * entries * (bits / 8 + (4 / UNIT if bits == 16 else 0))
    boards = (2 * size.tables + _MORE_BOARDS) * sum(hands) * _HAND_BYTES
    return int(4 * (rows + values) + tables + size.nodes * _NODE_BYTES + boards)


def check_memory(device: Device, needed: int, allowed: int) -> None:
    """InputError where `needed` bytes are more than allowed or than the device has free."""
    free = device.free_bytes()
    if free is not None:
        allowed = min(allowed, free)
    if needed > allowed:
        raise InputError(
            f"device {device.name!r}: the problem takes {needed / 2**20:,.0f} MiB, and "
            f"{allowed / 2**20:,.0f} MiB may be used: precision 16, narrower ranges or fewer bet "
            "sizes make it smaller"
        )

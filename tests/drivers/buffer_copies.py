# SPDX-License-Identifier: MIT
"""Rows of buffers from one algorithm to another, as a checkpoint would bring them."""

import numpy as np

from regretless.buffers import Buffer, buffers_of


def contents(buffer: Buffer) -> bytes:
    """All rows as they lie."""
    size = min(buffer.num_added, buffer.capacity)
    return buffer.get(np.arange(size)).tobytes()


def copy_buffers(source: object, target: object) -> None:
    for name, buffer in buffers_of(source).items():
        indices = np.arange(min(buffer.num_added, buffer.capacity))
        copy = buffers_of(target)[name]
        copy.put(indices, buffer.get(indices))
        copy.resume(buffer.num_added)


def assert_same_buffers(left: object, right: object) -> None:
    for name, buffer in buffers_of(left).items():
        other = buffers_of(right)[name]
        assert buffer.num_added == other.num_added
        assert contents(buffer) == contents(other), name

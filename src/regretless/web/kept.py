# SPDX-License-Identifier: MIT
"""Objects that take long to make, kept for the next who asks."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_T = TypeVar("_T")


class Kept:
    """Objects by key; the least recently used is dropped first. Any thread may use it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, Any]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], _T], stamp: object = None) -> _T:
        """The object of a key, made again when its stamp has changed."""
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or kept[0] != stamp:
            kept = (stamp, make())
        with self._lock:
            other = self._kept.get(key)
            if other is None or other[0] != stamp:  # else another thread was first
                self._kept[key] = kept
            self._kept.move_to_end(key)
            found: _T = self._kept[key][1]
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return found

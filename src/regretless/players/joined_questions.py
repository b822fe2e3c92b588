# SPDX-License-Identifier: MIT
"""Questions of several jobs as one batch."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from regretless import _native


def join(parts: Sequence[_native.Questions]) -> _native.Questions:
    """All the rows in order; good as long as the parts are."""
    if len(parts) == 1:
        return parts[0]
    return cast(_native.Questions, JoinedQuestions(parts))


class JoinedQuestions:
    """Reads like `Questions`; a column is put together when it is read."""

    def __init__(self, parts: Sequence[_native.Questions]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return sum(len(each) for each in self.parts)

    @property
    def features(self) -> NDArray[np.float32]:
        return np.concatenate([each.features for each in self.parts])

    @property
    def legal(self) -> NDArray[np.bool_]:
        return np.concatenate([each.legal for each in self.parts])

    @property
    def actors(self) -> NDArray[np.int32]:
        return np.concatenate([each.actors for each in self.parts])

    @property
    def hands(self) -> NDArray[np.int32]:
        return np.concatenate([each.hands for each in self.parts])

    @property
    def episodes(self) -> NDArray[np.int64]:
        return np.concatenate([each.episodes for each in self.parts])

    @property
    def infosets(self) -> NDArray[np.uint64]:
        return np.concatenate([each.infosets for each in self.parts])

    @property
    def pots(self) -> NDArray[np.int32]:
        return np.concatenate([each.pots for each in self.parts])

    @property
    def to_calls(self) -> NDArray[np.int32]:
        return np.concatenate([each.to_calls for each in self.parts])

    @property
    def stacks(self) -> NDArray[np.int32]:
        return np.concatenate([each.stacks for each in self.parts])

    @property
    def streets(self) -> NDArray[np.int32]:
        return np.concatenate([each.streets for each in self.parts])

    @property
    def hand_strengths(self) -> NDArray[np.float32]:
        return np.concatenate([each.hand_strengths for each in self.parts])

    def part(self, rows: NDArray[Any]) -> _native.Questions:
        """Some of the rows; copies that stay good."""
        ends = np.cumsum([len(each) for each in self.parts])
        found = []
        for row in rows.tolist():
            number = int(np.searchsorted(ends, row, side="right"))
            first = int(ends[number]) - len(self.parts[number])
            found.append(self.parts[number].part(np.array([row - first], np.int64)))
        return join(found)

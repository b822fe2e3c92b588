# SPDX-License-Identifier: MIT
"""What must hold of the columns of a strategy table before anybody plays it."""

from collections.abc import Mapping

import numpy as np

from regretless.errors import InputError
from regretless.storage.columns import Column

_CHUNK_ROWS = 1 << 16
_TOLERANCE = 1e-3  # of a row's sum


def check_columns(columns: Mapping[str, Column], num_actions: int, place: str) -> None:
    """The shapes and types, which cost nothing to see."""
    keys, rows = columns.get("keys"), columns.get("probabilities")
    if keys is None or keys.dtype != np.uint64 or keys.ndim != 1:
        raise InputError(f"{place}: keys must be uint64 [infosets]")
    if rows is None or rows.shape != (len(keys), num_actions) or rows.dtype.kind != "f":
        raise InputError(f"{place}: probabilities must be float [{len(keys)}, {num_actions}]")
    for name in columns.keys() - {"keys", "probabilities"}:
        if name not in ("values", "reaches"):
            raise InputError(f"{place}: there is no column {name!r}")
        if columns[name].shape != keys.shape or columns[name].dtype.kind != "f":
            raise InputError(f"{place}: {name} must be float [{len(keys)}]")


def check_rows(columns: Mapping[str, Column], place: str) -> None:
    """Keys ascend and rows are distributions, looked at in chunks."""
    keys, rows = columns["keys"], columns["probabilities"]
    for first in range(0, len(keys), _CHUNK_ROWS):
        part = keys[first : first + _CHUNK_ROWS + 1]
        if not (part[1:] > part[:-1]).all():
            raise InputError(f"{place}: keys must ascend")
        with np.errstate(all="ignore"):  # whatever the bytes say
            chunk = rows[first : first + _CHUNK_ROWS].astype(np.float64)
            is_sound = (chunk >= 0).all() and (np.abs(chunk.sum(axis=1) - 1) <= _TOLERANCE).all()
        if not is_sound:
            raise InputError(f"{place}: a row of probabilities does not sum to 1")
    for name in columns.keys() - {"keys", "probabilities"}:
        if not np.isfinite(columns[name]).all():
            raise InputError(f"{place}: {name} must be finite")

# SPDX-License-Identifier: MIT
"""Encoders by name: the input of networks (docs/encoders.md)."""

from collections.abc import Sequence

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games import Game

ENCODERS: dict[str, int] = {
    "slots12": 1,
    "canonical24": 1,
    "composition": 1,
    "buckets": 1,
    "table30": 1,
    "infoset": 1,
}
"""The version of every encoder; another version has other rows or features."""


def load_encoder(
    name: str, game: Game, buckets: Sequence[_native.HandBuckets] = ()
) -> _native.Encoder:
    """The named encoder for a game; InputError if there is none, or if its buckets are missing."""
    _require(name)
    with refusing():
        return _native.Encoder(game, name, list(buckets))


def check_encoder(name: str, version: int) -> None:
    """Raises InputError unless this is the present version of the encoder."""
    _require(name)
    if version != ENCODERS[name]:
        raise InputError(
            f"encoder {name!r}: version {version} was recorded, and this is {ENCODERS[name]}"
        )


def describe_encoder(encoder: _native.Encoder) -> str:
    """The fields of an encoder, one a line: bytes of the row, features, meaning."""
    lines = [
        f"{encoder.name}, version {encoder.version}: "
        f"{encoder.row_bytes} bytes, {encoder.num_features} features"
    ]
    for field in encoder.fields:
        last = field.byte + field.num_bytes - 1
        place = f"bytes {field.byte} to {last}" if last > field.byte else f"byte {field.byte}"
        what = f"{field.count} {field.kind}" if field.count > 1 else field.kind.removesuffix("s")
        if field.kind == "bits" and field.width > 1:
            what = f"{field.count} numbers of {field.width} bits"
        lines.append(f"  {place}, features from {field.feature}: {field.name} ({what})")
    return "\n".join(lines)


def _require(name: str) -> None:
    if name not in ENCODERS:
        raise InputError.unknown(f"no encoder is called {name!r}", name, ENCODERS)

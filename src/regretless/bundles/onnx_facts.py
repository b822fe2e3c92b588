# SPDX-License-Identifier: MIT
"""The metadata of an ONNX file, each a text of JSON (docs/onnx.md)."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from regretless.bundles.bundle_manifest import (
    AlgorithmFacts,
    EncoderFacts,
    GameFacts,
    Strength,
    refuse_constant,
    validated,
)
from regretless.errors import InputError
from regretless.networks.shape import NetworkShape

FORMAT: Final = "regretless-onnx"
VERSION: Final = 1
_MOST_CHARACTERS = 1 << 20  # of all texts together
_Text = Annotated[str, Field(max_length=1000)]


class SeenFacts(EncoderFacts):
    """The encoder that makes the features, and their number."""

    features: Annotated[int, Field(ge=1, le=1 << 20, strict=True)]


class OnnxFacts(BaseModel):
    """All of the metadata, each field a key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["regretless-onnx"] = FORMAT
    version: Literal[1] = VERSION
    game: GameFacts
    """The game that it was trained on."""
    encoder: SeenFacts
    slots: Annotated[list[_Text], Field(min_length=1, max_length=64)]
    """Names of the slots that the probabilities are of."""
    seats: Annotated[int, Field(ge=1, le=64, strict=True)] | None
    """Seats with networks of their own; None: there is one for all."""
    network: NetworkShape
    algorithm: AlgorithmFacts
    strength: Annotated[list[Strength], Field(max_length=100)]
    """The measures that the maker claims."""
    software: _Text

    @model_validator(mode="after")
    def _check_sizes(self) -> Self:
        if self.network.inputs != self.encoder.features:
            raise ValueError("encoder: has not as many features as the network has inputs")
        if self.network.outputs != len(self.slots):
            raise ValueError("slots: are not as many as the network has outputs")
        return self

    def texts(self) -> dict[str, str]:
        """The facts as a file keeps them: a text of JSON by key."""
        row = self.model_dump(mode="json")
        row["strength"] = [each.model_dump(exclude_none=True) for each in self.strength]
        return {key: json.dumps(value, ensure_ascii=True) for key, value in row.items()}

    def description(self) -> str:
        """The use of the graph, for people who open the file elsewhere."""
        inputs, slots = self.encoder.features, len(self.slots)
        parts = [
            f"A strategy for {self.game.name}, written by {self.software}.",
            f"features float32 [batch, {inputs}]: what the actor knows, as encoder "
            f"{self.encoder.name}, version {self.encoder.version}, of regretless writes it.",
            f"legal bool [batch, {slots}]: the slots that may be chosen, at least one: "
            f"{', '.join(self.slots)}.",
            f"probabilities float32 [batch, {slots}]: of the slots, 0 where one is not legal.",
            "The metadata have the rules of the game and all else as JSON.",
        ]
        if self.seats is not None:
            parts.insert(3, f"seat int64 [batch]: the actor's seat, 0 to {self.seats - 1}.")
        return "\n".join(parts)


def parse_facts(texts: Mapping[str, str], place: str) -> OnnxFacts:
    """The facts that texts hold; InputError names the key that makes no sense."""
    if sum(map(len, texts.values())) > _MOST_CHARACTERS:
        raise InputError(f"{place}: more than {_MOST_CHARACTERS:,} characters of metadata")
    row = {key: _parse(key, text, place) for key, text in texts.items()}
    if row.get("format") != FORMAT:
        raise InputError(f"{place}: was not written by regretless: its metadata lack the format")
    return validated(OnnxFacts, row, VERSION, place)


def _parse(key: str, text: str, place: str) -> Any:
    if not key.isprintable():
        raise InputError(f"{place}: a key of its metadata cannot be printed: {key[:40]!r}")
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise InputError(f"{place}: metadata {key[:40]!r}: not JSON") from None

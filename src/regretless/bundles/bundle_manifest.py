# SPDX-License-Identifier: MIT
"""The manifest of a strategy bundle: contents, origin and strength."""

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from regretless.errors import InputError
from regretless.networks.beliefs import BeliefValuesShape
from regretless.networks.shape import NetworkShape
from regretless.networks.street_values import StreetValuesShape

FORMAT: Final = "regretless-bundle"
VERSION: Final = 1
MOST_BYTES = 1 << 20
_MOST_DEPTH = 16
_KINDS = ("table", "networks", "tree", "values")
_Model = TypeVar("_Model", bound=BaseModel)

KindName = Literal["table", "networks", "tree", "values"]
Precision = Literal["float64", "float32", "bfloat16"]
_Text = Annotated[str, Field(max_length=1000)]
_Count = Annotated[int, Field(ge=0, lt=1 << 48, strict=True)]
_Number = Annotated[float, Field(allow_inf_nan=False)]
_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
# A plain name in the bundle itself: no folders, nothing hidden.
_FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Strength(_Record):
    """One measure of the strategy, always with how it was taken."""

    measure: _Text
    """Such as `exact exploitability`."""
    value: _Number
    unit: _Text
    """Such as `antes`, per episode."""
    how: _Text
    """The computation or the play that gave the value."""
    low: _Number | None = None
    """The lower end of the 95 % interval, if the value is an estimate ..."""
    high: _Number | None = None
    """... and its upper end."""


class GameFacts(_Record):
    """The game, in full: names may change, rules do not."""

    name: _Text
    unit: _Text
    rules: dict[str, Any]
    """As `games.rules_record` writes them, the bet menu included."""


class AlgorithmFacts(_Record):
    """The algorithm that made the strategy."""

    name: _Text
    config: dict[str, Any] = {}
    iterations: _Count | None = None
    seconds: _Number | None = None
    seed: _Count | None = None


class Coverage(_Record):
    """The number of infosets that have a row; elsewhere the strategy is uniform."""

    infosets: _Count
    of: _Count | None = None
    """Infosets of the game; None: it is too large to count."""


class TableFacts(_Record):
    """The table that a reader will find."""

    file: _FileName
    infosets: _Count
    actions: Annotated[list[_Text], Field(min_length=1, max_length=64)]
    """Names of the slots of a row."""
    columns: dict[str, str]
    """The type of each column: keys, probabilities, and if known values and reaches."""
    key_probe: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    """The key of a fixed infoset: programs that make other keys cannot read this table."""


class AbstractionFacts(_Record):
    """The buckets that the infosets of a table are made of, which the bundle carries."""

    file: _FileName
    digest: _Digest
    """The digest of the cards and the tables (docs/abstraction.md)."""
    rule: Literal["holdem", "short-deck"]
    ranks: _Text
    buckets: dict[_Text, _Count]
    """Numbers of buckets by street."""
    made: dict[str, Any]
    """The parameters of their computation."""


class TreeFacts(_Record):
    """The solved public tree that a reader will find."""

    file: _FileName
    nodes: _Count
    decisions: _Count
    hands: Annotated[list[_Count], Field(min_length=2, max_length=2)]
    """Hands of each player."""
    actions: Annotated[list[_Text], Field(min_length=1, max_length=64)]
    """Names of the slots."""
    columns: dict[str, str]
    """The type of each column."""
    key_probe: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    """As for a table."""


class EncoderFacts(_Record):
    """The encoder that makes the rows that networks see."""

    name: _Text
    version: _Count


class NetworksFacts(_Record):
    """The networks that a reader will find."""

    file: _FileName
    count: Annotated[int, Field(ge=1, le=100_000, strict=True)]
    """A seat with several draws one for each episode, in proportion to the weights."""
    seats: Annotated[int, Field(ge=1, le=64, strict=True)] | None = None
    """Seats with networks of their own; None: all networks play at every seat."""
    shape: NetworkShape
    precision: Literal["float32", "bfloat16"]
    encoder: EncoderFacts
    actions: Annotated[list[_Text], Field(min_length=1, max_length=64)]
    """Names of the slots that the outputs stand for."""


class ValuesFacts(_Record):
    """The value network over public belief states that a reader will find."""

    file: _FileName
    shape: Annotated[BeliefValuesShape | StreetValuesShape, Field(discriminator="kind")]
    precision: Literal["float32", "bfloat16"] = "float32"
    actions: Annotated[list[_Text], Field(min_length=1, max_length=64)]
    """Names of the slots of the game."""


class FileFacts(_Record):
    """The size and the hash of a file."""

    size: _Count
    sha256: _Digest


class Manifest(_Record):
    """All of `manifest.json`."""

    format: Literal["regretless-bundle"] = FORMAT
    version: Literal[1] = VERSION
    kind: KindName
    game: GameFacts
    algorithm: AlgorithmFacts
    strength: Annotated[list[Strength], Field(max_length=100)]
    coverage: Coverage | None = None
    """For tables; networks answer everywhere."""
    table: TableFacts | None = None
    abstraction: AbstractionFacts | None = None
    """For tables whose infosets are slots and buckets instead of actions and cards."""
    networks: NetworksFacts | None = None
    tree: TreeFacts | None = None
    """A solved spot: the strategy and the values at every node."""
    values: ValuesFacts | None = None
    software: _Text
    created: _Text | None = None
    """Date and time (UTC), if its maker gives it."""
    files: Annotated[dict[_FileName, FileFacts], Field(max_length=100)]
    """Every file of the bundle but the manifest and the sums."""

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        for kind in _KINDS:
            if (kind == self.kind) != (getattr(self, kind) is not None):
                raise ValueError(f"{kind}: for bundles of kind {kind}, and only for them")
        is_table = self.kind == "table"
        if is_table != (self.coverage is not None):
            raise ValueError("coverage: for bundles of kind table, and only for them")
        if self.abstraction is not None and not is_table:
            raise ValueError("abstraction: only tables have one")
        return self

    @property
    def facts(self) -> TableFacts | NetworksFacts | TreeFacts | ValuesFacts:
        """The facts of its kind."""
        found: TableFacts | NetworksFacts | TreeFacts | ValuesFacts = getattr(self, self.kind)
        return found

    @property
    def precision(self) -> Precision:
        """The type of its numbers; a tree counts as float32."""
        networks = self.networks or self.values
        if networks is not None:
            return networks.precision
        is_double = self.table is not None and self.table.columns["probabilities"] == "float64"
        return "float64" if is_double else "float32"

    @property
    def slots(self) -> str:
        """The slots with their names, for people."""
        return f"{len(self.facts.actions)} slots ({', '.join(self.facts.actions)})"

    @property
    def in_units(self) -> str:
        return f"Values are in {self.game.unit}."

    def to_json(self) -> str:
        parts = (*_KINDS, "coverage", "abstraction")
        row = self.model_dump(mode="json")
        row = {key: value for key, value in row.items() if value is not None or key not in parts}
        if self.networks is not None and self.networks.seats is None:
            del row["networks"]["seats"]
        if self.values is not None and self.values.precision == "float32":
            del row["values"]["precision"]
        row["strength"] = [each.model_dump(exclude_none=True) for each in self.strength]
        return json.dumps(row, indent=2, ensure_ascii=True) + "\n"


def parse_manifest(text: bytes, path: Path) -> Manifest:
    """The manifest in a file; InputError names a field that makes no sense."""
    try:
        row = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise InputError(f"{path}: not JSON") from None
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise InputError(f"{path}: not the manifest of a strategy bundle")
    return validated(Manifest, row, VERSION, path)


def validated(kind: type[_Model], row: dict[str, Any], version: int, place: Path | str) -> _Model:
    """A mapping of this version as a model; InputError names a field that makes no sense."""
    if row.get("version") != version:
        found = repr(row.get("version"))[:40]
        raise InputError(f"{place}: version {found}; this reads version {version}")
    _check_texts(row, place)
    try:
        return kind.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "metadata"
        raise InputError(f"{place}: {field}: {first['msg']}") from None


def refuse_constant(text: str) -> None:
    """Refuses NaN and Infinity, which Python would read."""
    raise ValueError(f"{text} is no JSON")


def _check_texts(value: Any, path: Path | str, depth: int = 0) -> None:
    """InputError for texts that move the cursor of a terminal, and for deep nesting."""
    if depth > _MOST_DEPTH:
        raise InputError(f"{path}: nested too deeply")
    if isinstance(value, str) and not value.isprintable():
        raise InputError(f"{path}: a text has characters that cannot be printed: {value[:40]!r}")
    if isinstance(value, dict):
        for key, each in value.items():
            _check_texts(key, path, depth + 1)
            _check_texts(each, path, depth + 1)
    elif isinstance(value, list):
        for each in value:
            _check_texts(each, path, depth + 1)

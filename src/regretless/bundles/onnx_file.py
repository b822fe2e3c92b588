# SPDX-License-Identifier: MIT
"""Networks as one ONNX file that other programs can run, and that plays here, too (docs/onnx.md).

Nothing in a file is trusted: its parameters are taken out, compared with their hash, checked, and
put into a graph written here.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

import regretless
from regretless import _native
from regretless.bundles.bundle_manifest import (
    AlgorithmFacts,
    EncoderFacts,
    GameFacts,
    Strength,
    refuse_constant,
    validated,
)
from regretless.bundles.network_bundle import find_encoder
from regretless.errors import InputError, needing
from regretless.games import Game
from regretless.games.face import rules_record, unit_name
from regretless.games.rules_record import check_record, recorded_game
from regretless.networks.shape import NetworkShape, NetworkWeights
from regretless.storage.files import read_plain, sync, told_on_failure, write_bytes

if TYPE_CHECKING:
    from regretless.inference.onnx_policy import OnnxPolicy

SUFFIX = ".onnx"
_MOST_BYTES = 1 << 30
PACKAGES = ("onnx", "onnxruntime")
_DIGEST = "sha256"  # key of the metadata
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


@dataclass(frozen=True)
class OnnxFile:
    """The contents of a file, checked."""

    place: str
    """The file's path, for messages."""
    facts: OnnxFacts
    game: Game
    """The game that it was trained on."""
    networks: NetworkWeights
    model: bytes
    """The bytes of the file, written again."""

    def encoder(self, game: Game | None = None) -> _native.Encoder:
        """The encoder of a game; InputError if the networks cannot play the game."""
        game = game or self.game
        facts, shape = self.facts.encoder, self.facts.network
        if game.num_actions != shape.outputs:
            mine = f"its network has {shape.outputs} slots"
            raise InputError(f"{self.place}: {mine}, and {game.name} has {game.num_actions}")
        if self.facts.seats not in (None, game.num_players):
            mine = f"has networks for {self.facts.seats} seats"
            raise InputError(f"{self.place}: {mine}, and {game.name} has {game.num_players}")
        return find_encoder(game, facts, shape.inputs, self.place)

    def policy(self, game: Game | None = None, *, threads: int = 1) -> "OnnxPolicy":
        """A policy for the game that it was trained on, or for another one like it."""
        encoder = self.encoder(game)
        with needing(f"{self.place}: this", *PACKAGES):
            from regretless.inference.onnx_policy import OnnxPolicy
        facts = self.facts
        name, seats = facts.algorithm.name, facts.seats
        return OnnxPolicy(self.model, encoder, facts.network, name, seats=seats, threads=threads)


def make_onnx(
    place: str,
    game: Game,
    networks: NetworkWeights,
    encoder: _native.Encoder,
    algorithm: AlgorithmFacts,
    strength: list[Strength],
) -> OnnxFile:
    """A file of one network, or of one for each seat; `place` is for messages."""
    networks.check(place)
    check_record(game, place)
    if len(networks) != (networks.num_seats or 1):
        raise InputError(
            f"{place}: {len(networks):,} networks, of which each seat draws one for an episode: "
            "an ONNX file has one that always plays, or one for each seat"
        )
    if 4 * len(networks) * networks.shape.num_parameters() > _MOST_BYTES // 2:
        raise InputError(f"{place}: networks of more than {_MOST_BYTES // 2:,} bytes")
    if encoder.buckets:
        raise InputError(f"{place}: encoder {encoder.name} needs buckets, which it cannot carry")
    facts = OnnxFacts(
        game=GameFacts(name=game.name, unit=unit_name(game), rules=rules_record(game)),
        encoder=SeenFacts(
            name=encoder.name, version=encoder.version, features=encoder.num_features
        ),
        slots=game.action_names,
        seats=networks.num_seats,
        network=networks.shape,
        algorithm=algorithm,
        strength=strength,
        software=f"regretless {regretless.__version__}",
    )
    return parse_onnx(_model(networks, facts, place), place)  # whatever is written can be read


def write_onnx(path: Path, file: OnnxFile) -> None:
    """Write a file, whole or not at all; an older one is replaced in one instant."""
    require_suffix(path)
    with told_on_failure(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise InputError(f"{path}: is a directory")
        write_bytes(path, [file.model])
        sync(path.parent)


def require_suffix(path: Path) -> None:
    """InputError unless the name is that of an ONNX file."""
    if path.suffix != SUFFIX:
        raise InputError(f"{path}: the name of an ONNX file must end in {SUFFIX}")


def names_onnx(text: str | Path) -> bool:
    """Whether the text names an ONNX file, which need not be there."""
    return Path(text).suffix == SUFFIX and not Path(text).is_dir()


def open_onnx(path: Path) -> OnnxFile:
    """The networks of a file; InputError if it is anything but what `write_onnx` writes."""
    return parse_onnx(read_plain(path, _MOST_BYTES), str(path))


def parse_onnx(data: bytes, place: str) -> OnnxFile:
    """The networks that the bytes of a file hold."""
    if len(data) > _MOST_BYTES:
        raise InputError(f"{place}: {len(data):,} bytes, more than the {_MOST_BYTES:,} allowed")
    with needing(f"{place}: this", *PACKAGES):
        from onnx import ModelProto

        from regretless.networks.onnx_graph import IR_VERSION, OPSET, read_networks
    from google.protobuf.message import DecodeError  # which onnx brings along

    try:
        model = ModelProto.FromString(data)
    except DecodeError:
        raise InputError(f"{place}: no ONNX file, or a damaged one") from None
    texts = [(each.key, each.value) for each in model.metadata_props]
    if not all(isinstance(text, str) for pair in texts for text in pair):  # bytes if no UTF-8
        raise InputError(f"{place}: metadata that are no text")
    named = dict(texts)
    if len(named) != len(texts):
        raise InputError(f"{place}: has a key of its metadata twice")
    claimed = named.pop(_DIGEST, None)
    facts = parse_facts(named, place)
    opsets = [(each.domain, each.version) for each in model.opset_import]
    if opsets != [("", OPSET)] or model.ir_version != IR_VERSION:
        raise InputError(f"{place}: must be of opset {OPSET} and IR version {IR_VERSION}")
    networks = read_networks(model.graph, facts.network, facts.seats, place)
    file = OnnxFile(
        place,
        facts,
        recorded_game(facts.game.rules, f"{place}: game.rules"),
        networks,
        _model(networks, facts, place),
    )
    if facts.slots != file.game.action_names:
        raise InputError(f"{place}: its slots are not those of {file.game.name}")
    file.encoder()
    if claimed != _digest(networks, facts):
        raise InputError(f"{place}: damaged, its SHA-256 is another")
    return file


def _model(networks: NetworkWeights, facts: OnnxFacts, place: str) -> bytes:
    """The bytes of a file; equal networks and facts give equal bytes."""
    with needing(f"{place}: this", *PACKAGES):
        from onnx import helper

        from regretless.networks.onnx_graph import IR_VERSION, OPSET, network_graph
    model: Any = helper.make_model(
        network_graph(networks),
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
        producer_name="regretless",
        producer_version=regretless.__version__,
        doc_string=facts.description(),
    )
    helper.set_model_props(model, {**facts.texts(), _DIGEST: _digest(networks, facts)})
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def _digest(networks: NetworkWeights, facts: OnnxFacts) -> str:
    """The SHA-256 of the other metadata and of all parameters, as a text of JSON."""
    digest = hashlib.sha256(json.dumps(facts.texts(), sort_keys=True).encode())
    for name, parameter in sorted(networks.parameters.items()):
        digest.update(f"{name} {parameter.shape} ".encode())
        digest.update(np.ascontiguousarray(parameter, "<f4").data)
    return json.dumps(digest.hexdigest())

# SPDX-License-Identifier: MIT
"""Networks as one ONNX file that other programs can run, and that plays here, too (docs/onnx.md).

Nothing in a file is trusted: its parameters are taken out, compared with their hash, checked, and
put into a graph written here.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import regretless
from regretless.bundles.bundle_manifest import AlgorithmFacts, GameFacts, Strength
from regretless.bundles.network_bundle import find_encoder
from regretless.bundles.onnx_facts import OnnxFacts, SeenFacts, parse_facts
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import rules_record, unit_name
from regretless.games.rules_record import check_record, recorded_game
from regretless.networks.shape import NetworkWeights, RowEncoder
from regretless.storage.files import sync, told_on_failure, write_bytes
from regretless.storage.plain_file import read_plain

if TYPE_CHECKING:
    from regretless.inference.onnx_policy import OnnxPolicy

SUFFIX = ".onnx"
_MOST_BYTES = 1 << 30
_PACKAGES = ("onnx", "onnxruntime")
_DIGEST = "sha256"  # key of the metadata


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

    def encoder(self, game: Game | None = None) -> RowEncoder:
        """The encoder of a game; InputError if the networks cannot play the game."""
        game = game or self.game
        facts, shape = self.facts.encoder, self.facts.network
        if game.num_actions != shape.outputs:
            mine = f"its network has {shape.outputs} slots"
            raise InputError(f"{self.place}: {mine}, and {game.name} has {game.num_actions}")
        if self.facts.seats not in (None, game.num_players):
            mine = f"has networks for {self.facts.seats} seats"
            raise InputError(f"{self.place}: {mine}, and {game.name} has {game.num_players}")
        encoder = find_encoder(game, facts, self.place)
        if encoder.num_features != shape.inputs:
            raise InputError(
                f"{self.place}: its network sees {shape.inputs} features, and encoder "
                f"{facts.name} gives {encoder.num_features} of {game.name}"
            )
        return encoder

    def policy(self, game: Game | None = None, *, threads: int = 1) -> "OnnxPolicy":
        """A policy for the game that it was trained on, or for another one like it."""
        encoder = self.encoder(game)
        with told_if_missing(self.place):
            from regretless.inference.onnx_policy import OnnxPolicy
        facts = self.facts
        name, seats = facts.algorithm.name, facts.seats
        return OnnxPolicy(self.model, encoder, facts.network, name, seats=seats, threads=threads)


def make_onnx(
    place: str,
    game: Game,
    networks: NetworkWeights,
    encoder: RowEncoder,
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
    with told_if_missing(place):
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
    with told_if_missing(place):
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


@contextlib.contextmanager
def told_if_missing(place: str, *packages: str) -> Iterator[None]:
    """Reports a package that is not installed in one line; `packages` are needed beside ONNX's."""
    needed = (*_PACKAGES, *packages)
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in needed:
            raise
        raise InputError(
            f"{place}: this needs {error.name}, which is not installed "
            f"(pip install {' '.join(needed)})"
        ) from None

# SPDX-License-Identifier: MIT
"""Strategy bundles: a directory that can be shipped, and opened without knowing what made it.

docs/file_formats.md describes the format. Nothing in a bundle is code, no file outside of its
directory is ever opened, and every size is checked before it is used. `kinds` has the verbs that
differ by what a bundle holds.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import regretless
from regretless.abstraction.card_abstraction import CardAbstraction, Cards
from regretless.bundles.abstraction import read_columns
from regretless.bundles.bundle_manifest import (
    MOST_BYTES,
    AlgorithmFacts,
    FileFacts,
    GameFacts,
    KindName,
    Manifest,
    Precision,
    Strength,
    parse_manifest,
)
from regretless.bundles.game_file import GAME, game_columns, read_game
from regretless.bundles.kinds import Kind, find_kind
from regretless.bundles.model_card import model_card
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import face, rules_record, unit_name
from regretless.games.rules_record import check_record, recorded_game
from regretless.networks.beliefs import BeliefWeights
from regretless.networks.shape import NetworkWeights
from regretless.networks.street_values import StreetWeights
from regretless.policies.policy import Policy
from regretless.policies.strategy_table import StrategyTable
from regretless.policies.strategy_tree import StrategyTree
from regretless.storage.columns import Column, map_columns, write_columns
from regretless.storage.files import (
    new_directory,
    open_plain,
    read_plain,
    require_writable,
    sha256_of,
    told_on_failure,
)

MANIFEST, SUMS, CARD = "manifest.json", "SHA256SUMS", "README.md"


@dataclass(frozen=True)
class BundleFacts:
    """Facts about a strategy that its writer knows besides its numbers."""

    algorithm: AlgorithmFacts
    strength: list[Strength] = field(default_factory=list)
    num_infosets: int | None = None
    """Infosets of the whole game; None: counted if the game is small enough."""
    created: str | None = None
    """Date and time; without it equal strategies give equal bytes."""


def write_files(
    path: str | Path,
    game: Game,
    kind: KindName,
    files: Mapping[str, Mapping[str, Column]],
    part: Mapping[str, Any],
    facts: BundleFacts,
) -> "Bundle":
    """Writes a bundle, whole or not at all, over nothing but an older bundle.

    `files` are columns by the name of their file, `part` are the fields that the kind adds to the
    manifest.
    """
    path, files = Path(path), dict(files)
    explicit = face(game).explicit
    if explicit is not None:
        files[GAME] = game_columns(explicit)
    else:
        check_record(game, str(path))
    require_replaceable(path)
    with told_on_failure(path), new_directory(path) as folder:
        for name, columns in files.items():
            write_columns(folder / name, columns)
        manifest = Manifest(
            kind=kind,
            game=GameFacts(name=game.name, unit=unit_name(game), rules=rules_record(game)),
            algorithm=facts.algorithm,
            strength=facts.strength,
            software=f"regretless {regretless.__version__}",
            created=facts.created,
            files={name: _facts_of(folder / name) for name in files},
            **part,
        )
        (folder / CARD).write_text(model_card(manifest), encoding="utf-8", newline="\n")
        listed = manifest.files | {CARD: _facts_of(folder / CARD)}
        manifest = manifest.model_copy(update={"files": dict(sorted(listed.items()))})
        text = manifest.to_json().encode()
        parse_manifest(text, path)  # whatever is written can be read
        (folder / MANIFEST).write_bytes(text)
        (folder / SUMS).write_text(_sums(manifest, text), encoding="ascii", newline="\n")
    return open_bundle(path)


def copy_bundle(
    bundle: "Bundle",
    path: str | Path,
    *,
    precision: Precision | None = None,
    strength: list[Strength] | None = None,
) -> "Bundle":
    """Writes a strategy again, rounded to another precision or with other measures of strength.

    It may replace the bundle itself.
    """
    manifest = bundle.manifest
    claimed = _rounded(manifest, precision) if strength is None else strength
    of = manifest.coverage.of if manifest.coverage is not None else None
    facts = BundleFacts(manifest.algorithm, claimed, of, manifest.created)
    return bundle.kind.copy(bundle, Path(path), precision, facts)


def _rounded(manifest: Manifest, precision: Precision | None) -> list[Strength]:
    """The measures, with a note where numbers were rounded after they had been measured."""
    if precision in (None, manifest.precision):
        return manifest.strength
    note = f", before it was rounded from {manifest.precision} to {precision}"
    return [each.model_copy(update={"how": each.how + note}) for each in manifest.strength]


def require_replaceable(path: Path) -> None:
    """InputError if something other than an older bundle is where one should be written."""
    require_writable(path)
    if not path.exists() and not path.is_symlink():
        return
    if path.is_dir() and not any(path.iterdir()):
        return
    try:
        open_bundle(path).verify()
    except InputError:
        raise InputError(f"{path}: exists, and is not a sound bundle to be replaced") from None


def open_bundle(path: str | Path, *, verify: bool = True) -> "Bundle":
    """The bundle in a directory; InputError if it cannot be one. Reads the manifest, no columns.

    Columns are checked against their hash, and row by row, when they are first used; without
    `verify` only their shapes are.
    """
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"{path}: no such directory")
    text = read_plain(path / MANIFEST, MOST_BYTES)
    manifest = parse_manifest(text, path / MANIFEST)
    for name, facts in manifest.files.items():
        file, size = open_plain(path / name)
        file.close()
        if size != facts.size:
            raise InputError(f"{path / name}: {size:,} bytes instead of {facts.size:,}")
    buckets = [manifest.abstraction.file] if manifest.abstraction is not None else []
    for name in (manifest.facts.file, CARD, *buckets):
        if name not in manifest.files:
            raise InputError(f"{path / MANIFEST}: files: {name} is missing")
    return Bundle(path, manifest, hashlib.sha256(text).hexdigest(), verify)


@dataclass(frozen=True, repr=False)
class Bundle:
    """An open bundle. Its files are mapped when they are first used, and hashed once."""

    path: Path
    manifest: Manifest
    digest: str
    """SHA-256 of the manifest, and so of everything."""
    is_checked: bool = True
    """Whether columns are compared with their hash before they are used."""

    def __repr__(self) -> str:
        made = f"{self.manifest.algorithm.name} on {self.manifest.game.name}"
        return f"<Bundle {self.path}: {made}, {self.manifest.kind}>"

    @cached_property
    def kind(self) -> Kind:
        return find_kind(self.manifest.kind)

    @property
    def data_path(self) -> Path:
        """The file of the strategy itself."""
        return self.path / self.manifest.facts.file

    @cached_property
    def game(self) -> Game:
        rules = self.manifest.game.rules
        if "explicit" in rules:
            if GAME not in self.manifest.files:
                raise InputError(f"{self.path / MANIFEST}: files: {GAME} is missing")
            return read_game(self._map(GAME), rules["explicit"], str(self.path / GAME))
        return recorded_game(self.manifest.game.rules, f"{self.path / MANIFEST}: game.rules")

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of the strategy's file; the kind has not checked them yet."""
        if self.manifest.facts.actions != self.game.action_names:
            raise InputError(f"{self.path}: its slots are not those of {self.game.name}")
        return self._map(self.manifest.facts.file)

    @cached_property
    def contents(self) -> Any:
        """The strategy, checked: a table, networks, a tree or a value network, by the kind."""
        return self.kind.read(self)

    @cached_property
    def abstraction(self) -> CardAbstraction | None:
        """The buckets that the infosets of the table are made of; None: hands and boards are."""
        facts = self.manifest.abstraction
        if facts is None:
            return None
        cards, place = Cards(facts.rule, facts.ranks), str(self.path / facts.file)
        return read_columns(self._map(facts.file), cards, facts.made, facts.digest, place)

    def table(self) -> StrategyTable:
        """The rows of all infosets; computed where the bundle holds no table."""
        if self.manifest.kind == "networks":
            raise InputError(f"{self.path}: holds networks, not a table")
        return self.kind.table(self)

    def tree(self) -> StrategyTree:
        if not isinstance(self.contents, StrategyTree):
            raise InputError(f"{self.path}: holds no solved tree")
        return self.contents

    def networks(self) -> NetworkWeights:
        if not isinstance(self.contents, NetworkWeights):
            raise InputError(f"{self.path}: holds a {self.manifest.kind}, not networks")
        return self.contents

    def values(self) -> BeliefWeights:
        if not isinstance(self.contents, BeliefWeights):
            raise InputError(f"{self.path}: holds no value network")
        return self.contents

    def street_values(self) -> StreetWeights:
        if not isinstance(self.contents, StreetWeights):
            raise InputError(f"{self.path}: holds no value network of a street of hold'em")
        return self.contents

    def policy(self, *, device: str = "cpu") -> Policy:
        """A policy that plays the strategy; networks run on the device."""
        return self.kind.policy(self, device)

    def check_keys(self, probe: str) -> None:
        """InputError unless infoset keys are made as they were when the bundle was written."""
        if key_probe(self.game) != probe:
            raise InputError(f"{self.path}: its infoset keys are of another version")

    def verify(self) -> None:
        """Checks every byte against the sums, and every row; InputError names what is wrong."""
        if not self.is_checked:
            replace(self, is_checked=True).verify()
            return
        text = read_plain(self.path / MANIFEST, MOST_BYTES)
        if hashlib.sha256(text).hexdigest() != self.digest:
            raise InputError(f"{self.path / MANIFEST}: changed since it was opened")
        if read_plain(self.path / SUMS, MOST_BYTES) != _sums(self.manifest, text).encode():
            raise InputError(f"{self.path}: {SUMS} and {MANIFEST} do not fit together")
        listed = {MANIFEST, SUMS, *self.manifest.files}
        stray = sorted(each.name for each in self.path.iterdir() if each.name not in listed)
        if stray:
            raise InputError(f"{self.path}: {stray[0]!r} is not in the manifest")
        buckets = {self.manifest.abstraction.file} if self.manifest.abstraction else set()
        mapped = {self.manifest.facts.file, GAME, *buckets}  # hashed where they are mapped
        for name in self.manifest.files.keys() - mapped:
            if sha256_of(self.path / name) != self.manifest.files[name].sha256:
                raise InputError(f"{self.path / name}: damaged, its SHA-256 is another")
        _ = self.game, self.contents, self.abstraction

    def _map(self, name: str) -> dict[str, Column]:
        sha256 = self.manifest.files[name].sha256 if self.is_checked else None
        return map_columns(self.path / name, sha256)


def key_probe(game: Game) -> str:
    """The key of a fixed infoset: programs that make other keys cannot read a table."""
    return f"{face(game).infoset_probe():016x}"


def _facts_of(path: Path) -> FileFacts:
    return FileFacts(size=path.stat().st_size, sha256=sha256_of(path))


def _sums(manifest: Manifest, text: bytes) -> str:
    """Hashes in the format of `sha256sum`, which can check them."""
    digests = {name: facts.sha256 for name, facts in manifest.files.items()}
    digests[MANIFEST] = hashlib.sha256(text).hexdigest()
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))

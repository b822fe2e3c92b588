# SPDX-License-Identifier: MIT
"""Strategy bundles: a directory one can ship, and open without knowing what made it.

docs/file_formats.md writes the format down. Nothing in a bundle is code, no file outside of its
directory is ever opened, and every size is checked before it is used.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import regretless
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.games.rules_record import (
    check_record,
    infoset_probe,
    recorded_game,
    rules_record,
)
from regretless.games.units import unit_name
from regretless.policy import TablePolicy
from regretless.storage.bundle_manifest import (
    MOST_BYTES,
    AlgorithmFacts,
    Coverage,
    FileFacts,
    GameFacts,
    Manifest,
    Strength,
    TableFacts,
    parse_manifest,
)
from regretless.storage.columns import Column, map_columns, write_columns
from regretless.storage.files import new_directory, told_on_failure
from regretless.storage.model_card import model_card
from regretless.storage.plain_file import open_plain, read_plain, sha256_of
from regretless.storage.table_checks import check_columns, check_rows
from regretless.strategy_table import StrategyTable, TableEvaluator

MANIFEST, SUMS, CARD, TABLE = "manifest.json", "SHA256SUMS", "README.md", "strategy.safetensors"
_NUMBERS = {"uint64": np.uint64, "float32": np.float32, "float64": np.float64}


@dataclass(frozen=True)
class BundleFacts:
    """What the writer knows of a strategy besides its numbers."""

    algorithm: AlgorithmFacts
    strength: list[Strength] = field(default_factory=list)
    num_infosets: int | None = None
    """Of the whole game; counted if it is small enough and this is None."""
    created: str | None = None
    """Day and time; without it equal strategies give equal bytes."""


def write_bundle(
    path: Path,
    game: Game,
    table: StrategyTable,
    facts: BundleFacts,
    *,
    precision: Literal["float32", "float64"] = "float64",
    values: NDArray[Any] | None = None,
    reaches: NDArray[Any] | None = None,
) -> "Bundle":
    """Write a strategy, whole or not at all, over nothing else than an older bundle.

    `values` [infosets] are the actor's expected payoffs in units and `reaches` [infosets] the
    actor's own reach, where they are known.
    """
    columns: dict[str, Column] = {
        "keys": np.asarray(table.keys, np.uint64),
        "probabilities": np.asarray(table.probabilities, _NUMBERS[precision]),
    }
    for name, column in (("values", values), ("reaches", reaches)):
        if column is not None:
            columns[name] = np.asarray(column, _NUMBERS[precision])
    check_columns(columns, game.num_actions, str(path))
    check_rows(columns, str(path))
    check_record(game, str(path))
    require_replaceable(path)
    with told_on_failure(path), new_directory(path) as folder:
        write_columns(folder / TABLE, columns)
        manifest = _manifest(game, columns, facts, {TABLE: _facts_of(folder / TABLE)})
        (folder / CARD).write_text(model_card(manifest), encoding="utf-8", newline="\n")
        files = manifest.files | {CARD: _facts_of(folder / CARD)}
        manifest = manifest.model_copy(update={"files": dict(sorted(files.items()))})
        text = manifest.to_json().encode()
        parse_manifest(text, path)  # whatever is written can be read
        (folder / MANIFEST).write_bytes(text)
        (folder / SUMS).write_text(_sums(manifest, text), encoding="ascii", newline="\n")
    return open_bundle(path)


def require_replaceable(path: Path) -> None:
    """InputError if something else than an older bundle is where one should be written."""
    if not path.exists() and not path.is_symlink():
        return
    if path.is_dir() and not any(path.iterdir()):
        return
    try:
        open_bundle(path).verify()
    except InputError:
        raise InputError(f"{path}: exists, and is not a sound bundle to be replaced") from None


def open_bundle(path: Path) -> "Bundle":
    """The bundle in a directory; InputError if it cannot be one. Reads the manifest, no columns."""
    if not path.is_dir():
        raise InputError(f"{path}: no such directory")
    text = read_plain(path / MANIFEST, MOST_BYTES)
    manifest = parse_manifest(text, path / MANIFEST)
    for name, facts in manifest.files.items():
        file, size = open_plain(path / name)
        file.close()
        if size != facts.size:
            raise InputError(f"{path / name}: {size:,} bytes instead of {facts.size:,}")
    for name in (manifest.table.file, CARD):
        if name not in manifest.files:
            raise InputError(f"{path / MANIFEST}: files: {name} is missing")
    return Bundle(path, manifest, hashlib.sha256(text).hexdigest())


@dataclass(frozen=True)
class Bundle:
    """An open bundle. Its columns are mapped when they are first used."""

    path: Path
    manifest: Manifest
    digest: str
    """SHA-256 of the manifest, and so of everything."""

    @cached_property
    def game(self) -> Game:
        return recorded_game(self.manifest.game.rules, f"{self.path / MANIFEST}: game.rules")

    @cached_property
    def columns(self) -> dict[str, Column]:
        """keys [infosets], probabilities [infosets, actions]; values and reaches if known."""
        facts, place = self.manifest.table, str(self.path / self.manifest.table.file)
        if f"{infoset_probe(self.game):016x}" != facts.key_probe:
            raise InputError(f"{self.path}: its infoset keys are of another version")
        if facts.actions != self.game.action_names:
            raise InputError(f"{self.path}: its slots are not those of {self.game.name}")
        columns = map_columns(self.path / facts.file)
        types = {name: column.dtype.name for name, column in columns.items()}
        if types != facts.columns or len(columns["keys"]) != facts.infosets:
            raise InputError(f"{place}: not the columns that the manifest lists")
        check_columns(columns, self.game.num_actions, place)
        return columns

    def table(self) -> StrategyTable:
        return StrategyTable(self.columns["keys"], self.columns["probabilities"])

    def policy(self) -> TablePolicy:
        """Something that can play: uniform where the table has no row."""
        return TablePolicy(self.table(), self.manifest.algorithm.name)

    def verify(self) -> None:
        """Check every byte against the sums, and every row; InputError names what is wrong."""
        text = read_plain(self.path / MANIFEST, MOST_BYTES)
        if hashlib.sha256(text).hexdigest() != self.digest:
            raise InputError(f"{self.path / MANIFEST}: changed since it was opened")
        if read_plain(self.path / SUMS, MOST_BYTES) != _sums(self.manifest, text).encode():
            raise InputError(f"{self.path}: {SUMS} and {MANIFEST} do not fit together")
        for name, facts in self.manifest.files.items():
            if sha256_of(self.path / name) != facts.sha256:
                raise InputError(f"{self.path / name}: damaged, its SHA-256 is another")
        listed = {MANIFEST, SUMS, *self.manifest.files}
        stray = sorted(each.name for each in self.path.iterdir() if each.name not in listed)
        if stray:
            raise InputError(f"{self.path}: {stray[0]!r} is not in the manifest")
        check_rows(self.columns, str(self.path / self.manifest.table.file))


def _manifest(
    game: Game, columns: dict[str, Column], facts: BundleFacts, files: dict[str, FileFacts]
) -> Manifest:
    num_rows = len(columns["keys"])
    total = facts.num_infosets if facts.num_infosets is not None else _count_infosets(game)
    return Manifest(
        game=GameFacts(name=game.name, unit=unit_name(game), rules=rules_record(game)),
        algorithm=facts.algorithm,
        strength=facts.strength,
        coverage=Coverage(infosets=num_rows, of=total),
        table=TableFacts(
            file=TABLE,
            infosets=num_rows,
            actions=game.action_names,
            columns={name: column.dtype.name for name, column in columns.items()},
            key_probe=f"{infoset_probe(game):016x}",
        ),
        software=f"regretless {regretless.__version__}",
        created=facts.created,
        files=files,
    )


def _count_infosets(game: Game) -> int | None:
    try:
        return len(TableEvaluator(game).keys)
    except TooLargeError:
        return None


def _facts_of(path: Path) -> FileFacts:
    return FileFacts(size=path.stat().st_size, sha256=sha256_of(path))


def _sums(manifest: Manifest, text: bytes) -> str:
    """As `sha256sum` writes them, so that it can check them."""
    digests = {name: facts.sha256 for name, facts in manifest.files.items()}
    digests[MANIFEST] = hashlib.sha256(text).hexdigest()
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))

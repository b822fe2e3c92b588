# SPDX-License-Identifier: MIT
"""Strategy bundles: a directory one can ship, and open without knowing what made it.

docs/file_formats.md writes the format down. Nothing in a bundle is code, no file outside of its
directory is ever opened, and every size is checked before it is used.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

import regretless
from regretless.abstraction.card_abstraction import CardAbstraction, Cards
from regretless.bundles.abstraction import abstraction_columns, read_columns
from regretless.bundles.bundle_manifest import (
    MOST_BYTES,
    AbstractionFacts,
    AlgorithmFacts,
    Coverage,
    EncoderFacts,
    FileFacts,
    GameFacts,
    Manifest,
    NetworksFacts,
    Precision,
    Strength,
    TableFacts,
    TreeFacts,
    parse_manifest,
)
from regretless.bundles.game_file import GAME, game_columns, read_game
from regretless.bundles.model_card import model_card
from regretless.bundles.table_checks import check_columns, check_rows
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.games.encoders import check_encoder, load_encoder
from regretless.games.face import face, rules_record, unit_name
from regretless.games.rules_record import check_record, recorded_game
from regretless.networks.shape import (
    NetworkWeights,
    RowEncoder,
    check_seats,
    check_shapes,
)
from regretless.policies.policy import BucketPolicy, Policy, TablePolicy
from regretless.policies.strategy_table import StrategyTable, TableEvaluator, solution_table
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers.problem import CFRConfig, make_problem
from regretless.storage.columns import (
    Column,
    from_bfloat16,
    map_columns,
    to_bfloat16,
    type_name,
    write_columns,
)
from regretless.storage.files import new_directory, require_writable, told_on_failure
from regretless.storage.plain_file import open_plain, read_plain, sha256_of

MANIFEST, SUMS, CARD = "manifest.json", "SHA256SUMS", "README.md"
TABLE, NETWORKS, TREE = "strategy.safetensors", "networks.safetensors", "tree.safetensors"
ABSTRACTION = "abstraction.safetensors"
_WEIGHTS, _SEATS, _PARAMETER = "weights", "seats", "network."  # columns of a file of networks
_NUMBERS = {"uint64": np.uint64, "float32": np.float32, "float64": np.float64}
_NO_TORCH = "a bundle of networks needs PyTorch, which is not installed (pip install torch)"


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
    path: str | Path,
    game: Game,
    table: StrategyTable,
    facts: BundleFacts,
    *,
    abstraction: CardAbstraction | None = None,
    precision: Literal["float32", "float64"] = "float64",
) -> "Bundle":
    """Write a table, whole or not at all, over nothing else than an older bundle.

    The buckets that its infosets are made of, if they are, go with it.
    """
    columns: dict[str, Column] = {
        "keys": np.asarray(table.keys, np.uint64),
        "probabilities": np.asarray(table.probabilities, _NUMBERS[precision]),
    }
    for name, column in (("values", table.values), ("reaches", table.reaches)):
        if column is not None:
            columns[name] = np.asarray(column, _NUMBERS[precision])
    check_columns(columns, game.num_actions, str(path))
    check_rows(columns, str(path))
    num_rows = len(columns["keys"])
    total = facts.num_infosets
    if total is None and abstraction is None:
        total = _count_infosets(game)
    part = {
        "kind": "table",
        "coverage": Coverage(infosets=num_rows, of=total),
        "table": TableFacts(
            file=TABLE,
            infosets=num_rows,
            actions=game.action_names,
            columns={name: type_name(column) for name, column in columns.items()},
            key_probe=f"{face(game).infoset_probe():016x}",
        ),
    }
    files = {TABLE: columns}
    if abstraction is not None:
        files[ABSTRACTION] = abstraction_columns(abstraction)
        part["abstraction"] = AbstractionFacts(
            file=ABSTRACTION,
            digest=abstraction.digest,
            rule=abstraction.cards.rule,
            ranks=abstraction.cards.ranks,
            buckets={name: len(street) for name, street in abstraction.streets.items()},
            made=dict(abstraction.made),
        )
    return _write(path, game, files, part, facts)


def write_network_bundle(
    path: str | Path,
    game: Game,
    networks: NetworkWeights,
    encoder: EncoderFacts,
    facts: BundleFacts,
    *,
    precision: Literal["float32", "bfloat16"] = "float32",
) -> "Bundle":
    """Write networks, whole or not at all, over nothing else than an older bundle."""
    networks.check(str(path))
    if networks.shape.outputs != game.num_actions:
        raise InputError(f"{path}: {game.name} has {game.num_actions} slots, not the networks'")
    _require_seats(networks, game, str(path))
    columns: dict[str, Column] = {_WEIGHTS: np.asarray(networks.weights, np.float64)}
    if networks.seats is not None:
        columns[_SEATS] = networks.seats.astype(np.uint64)
    for name, parameter in networks.parameters.items():
        is_half = precision == "bfloat16"
        columns[_PARAMETER + name] = to_bfloat16(parameter) if is_half else parameter
    part = {
        "kind": "networks",
        "networks": NetworksFacts(
            file=NETWORKS,
            count=len(networks),
            seats=networks.num_seats,
            shape=networks.shape,
            precision=precision,
            encoder=encoder,
            actions=game.action_names,
        ),
    }
    return _write(path, game, {NETWORKS: columns}, part, facts)


def write_tree_bundle(path: Path, game: Game, tree: StrategyTree, facts: BundleFacts) -> "Bundle":
    """Write a solved public tree, whole or not at all, over nothing else than an older bundle."""
    columns: dict[str, Column] = tree.columns()
    part = {
        "kind": "tree",
        "tree": TreeFacts(
            file=TREE,
            nodes=len(tree.actors),
            decisions=tree.num_decisions,
            hands=[len(tree.hands(player)) for player in range(2)],
            actions=game.action_names,
            columns={name: type_name(column) for name, column in columns.items()},
            key_probe=f"{face(game).infoset_probe():016x}",
        ),
    }
    return _write(path, game, {TREE: columns}, part, facts)


def copy_bundle(
    bundle: "Bundle",
    path: str | Path,
    *,
    precision: Precision | None = None,
    strength: list[Strength] | None = None,
) -> "Bundle":
    """The same strategy again, rounded to another precision or with other measures of strength.

    It may take the place of the bundle itself.
    """
    manifest = bundle.manifest
    claimed = _rounded(manifest, precision) if strength is None else strength
    of = manifest.coverage.of if manifest.coverage is not None else None
    facts = BundleFacts(manifest.algorithm, claimed, of, manifest.created)
    known = precision or manifest.precision
    if manifest.tree is not None:
        if precision is not None:
            raise InputError("precision: a solved tree has numbers of 16 bits and no others")
        return write_tree_bundle(Path(path), bundle.game, bundle.tree(), facts)
    if manifest.networks is None:
        if known == "bfloat16":
            raise InputError("precision: a table has float64 or float32, not bfloat16")
        table, buckets = bundle.table(), bundle.abstraction()
        return write_bundle(path, bundle.game, table, facts, abstraction=buckets, precision=known)
    if known == "float64":
        raise InputError("precision: networks have float32 or bfloat16, not float64")
    encoder = manifest.networks.encoder
    return write_network_bundle(
        path, bundle.game, bundle.networks(), encoder, facts, precision=known
    )


def _rounded(manifest: Manifest, precision: Precision | None) -> list[Strength]:
    """Measures are of the numbers that were measured, which others may differ from a little."""
    if precision in (None, manifest.precision):
        return manifest.strength
    note = f", before it was rounded from {manifest.precision} to {precision}"
    return [each.model_copy(update={"how": each.how + note}) for each in manifest.strength]


def require_replaceable(path: Path) -> None:
    """InputError if something else than an older bundle is where one should be written."""
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


def open_policy(path: str | Path, *, device: str = "cpu") -> Policy:
    """What the bundle in a directory plays: a table, or networks on a device."""
    return open_bundle(path).policy(device=device)


@dataclass(frozen=True)
class Bundle:
    """An open bundle. Its columns are mapped when they are first used."""

    path: Path
    manifest: Manifest
    digest: str
    """SHA-256 of the manifest, and so of everything."""
    is_checked: bool = True
    """Whether columns are compared with their hash before they are used."""

    @cached_property
    def game(self) -> Game:
        rules = self.manifest.game.rules
        if "explicit" in rules:
            if GAME not in self.manifest.files:
                raise InputError(f"{self.path / MANIFEST}: files: {GAME} is missing")
            sha256 = self.manifest.files[GAME].sha256 if self.is_checked else None
            columns = map_columns(self.path / GAME, sha256)
            return read_game(columns, rules["explicit"], str(self.path / GAME))
        return recorded_game(self.manifest.game.rules, f"{self.path / MANIFEST}: game.rules")

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Of a table: keys [infosets], probabilities [infosets, actions]; values and reaches if
        known. Of networks: weights and if need be seats [networks], and network.NAME [networks,
        ...].
        """
        if self.manifest.facts.actions != self.game.action_names:
            raise InputError(f"{self.path}: its slots are not those of {self.game.name}")
        facts = self.manifest.files[self.manifest.facts.file]
        columns = map_columns(self._data_path, facts.sha256 if self.is_checked else None)
        if self.manifest.table is not None:
            self._check_table(columns)
        elif self.manifest.networks is not None:
            self._check_networks(columns)
        else:
            self._check_tree(columns)
        return columns

    def table(self) -> StrategyTable:
        """Of a solved tree the rows of all boards, which are computed."""
        if self.manifest.networks is not None:
            raise InputError(f"{self.path}: holds networks, not a table")
        if self.manifest.tree is not None:
            return self._tree_table()
        columns = self.columns
        named = columns["keys"], columns["probabilities"]
        return StrategyTable(*named, columns.get("values"), columns.get("reaches"))

    def tree(self) -> StrategyTree:
        if self.manifest.tree is None:
            raise InputError(f"{self.path}: holds no solved tree")
        return StrategyTree(**self.columns)  # checked when they were mapped

    def _tree_table(self) -> StrategyTable:
        problem = make_problem(self.game, CFRConfig())
        tree, actors = self.tree(), np.asarray(problem.actors)
        if not np.array_equal(actors, tree.actors):
            raise InputError(f"{self.path}: its tree is not that of {self.game.name}")
        rows = partial(problem.rows, tree.profile())
        return solution_table(rows, self.game, CFRConfig.max_bytes)

    def abstraction(self) -> CardAbstraction | None:
        """The buckets that the infosets of the table are made of; None: hands and boards are."""
        facts = self.manifest.abstraction
        if facts is None:
            return None
        path, cards = self.path / facts.file, Cards(facts.rule, facts.ranks)
        sha256 = self.manifest.files[facts.file].sha256 if self.is_checked else None
        return read_columns(map_columns(path, sha256), cards, facts.made, facts.digest, str(path))

    def networks(self) -> NetworkWeights:
        facts = self.manifest.networks
        if facts is None:
            raise InputError(f"{self.path}: holds a table, not networks")
        parameters = {
            name.removeprefix(_PARAMETER): column
            for name, column in self.columns.items()
            if name.startswith(_PARAMETER)
        }
        if facts.precision == "bfloat16":
            parameters = {name: from_bfloat16(column) for name, column in parameters.items()}
        weights, seats = self.columns[_WEIGHTS], self.columns.get(_SEATS)
        networks = NetworkWeights(facts.shape, parameters, weights, seats)
        networks.check(str(self._data_path))
        if facts.seats not in (None, networks.num_seats):
            raise InputError(f"{self._data_path}: not the seats that the manifest says")
        _require_seats(networks, self.game, str(self._data_path))
        return networks

    def policy(self, *, device: str = "cpu") -> Policy:
        """Something that can play; a table plays uniformly where it has no row."""
        name = self.manifest.algorithm.name
        if self.manifest.networks is not None:
            return _network_policy(self, name, device)
        abstraction = self.abstraction()
        if abstraction is not None:
            return BucketPolicy(self.table(), abstraction, name)
        return TablePolicy(self.table(), name)

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
        if self.manifest.table is not None:
            check_rows(self.columns, str(self._data_path))
            self.abstraction()
        elif self.manifest.tree is not None:
            self.tree().check_rows(str(self._data_path))
        else:
            self.networks()

    @property
    def _data_path(self) -> Path:
        return self.path / self.manifest.facts.file

    def _check_table(self, columns: dict[str, Column]) -> None:
        facts = self.manifest.table
        assert facts is not None
        if f"{face(self.game).infoset_probe():016x}" != facts.key_probe:
            raise InputError(f"{self.path}: its infoset keys are of another version")
        types = {name: type_name(column) for name, column in columns.items()}
        if types != facts.columns or len(columns["keys"]) != facts.infosets:
            raise InputError(f"{self._data_path}: not the columns that the manifest lists")
        check_columns(columns, self.game.num_actions, str(self._data_path))
        if self.is_checked:
            check_rows(columns, str(self._data_path))

    def _check_tree(self, columns: dict[str, Column]) -> None:
        facts, place = self.manifest.tree, str(self._data_path)
        assert facts is not None
        if f"{face(self.game).infoset_probe():016x}" != facts.key_probe:
            raise InputError(f"{self.path}: its infoset keys are of another version")
        tree = StrategyTree.from_columns(columns, place)
        hands = [len(tree.hands(player)) for player in range(2)]
        types = {name: type_name(column) for name, column in columns.items()}
        if (types, len(tree.actors), hands) != (facts.columns, facts.nodes, facts.hands):
            raise InputError(f"{place}: not the columns that the manifest lists")
        if self.is_checked:
            tree.check_rows(place)

    def _check_networks(self, columns: dict[str, Column]) -> None:
        facts, place = self.manifest.networks, str(self._data_path)
        assert facts is not None
        if facts.shape.outputs != self.game.num_actions:
            raise InputError(f"{self.path}: its networks are not of {self.game.name}")
        weights = columns.get(_WEIGHTS)
        if weights is None or weights.dtype != np.float64 or weights.shape != (facts.count,):
            raise InputError(f"{place}: {_WEIGHTS} must be float64 [{facts.count}]")
        if _SEATS in columns:
            check_seats(columns[_SEATS], facts.count, place)
        others = (_WEIGHTS, _SEATS)
        parameters = {name: column for name, column in columns.items() if name not in others}
        for name, column in parameters.items():
            if not name.startswith(_PARAMETER) or type_name(column) != facts.precision:
                raise InputError(f"{place}: {name!r} is no parameter in {facts.precision}")
        named = {name.removeprefix(_PARAMETER): column for name, column in parameters.items()}
        check_shapes(facts.shape, named, weights, place)


def _require_seats(networks: NetworkWeights, game: Game, place: str) -> None:
    if networks.num_seats not in (None, game.num_players):
        players = f"{game.name} has {game.num_players} players"
        raise InputError(f"{place}: has networks for {networks.num_seats} seats, and {players}")


def _network_policy(bundle: Bundle, name: str, device: str) -> Policy:
    """Imports torch, which only bundles of networks need."""
    try:
        from regretless.inference.network_policy import NetworkPolicy
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise InputError(f"{bundle.path}: {_NO_TORCH}") from None
    facts = bundle.manifest.networks
    assert facts is not None
    encoder = find_encoder(bundle.game, facts.encoder, str(bundle.path))
    if encoder.num_features != facts.shape.inputs:
        raise InputError(
            f"{bundle.path}: its networks see {facts.shape.inputs} features, and encoder "
            f"{facts.encoder.name} gives {encoder.num_features}"
        )
    return NetworkPolicy(bundle.networks(), encoder, name, device=device)


def find_encoder(game: Game, facts: EncoderFacts, place: str) -> RowEncoder:
    """The encoder that networks were trained with; InputError if there is only another version."""
    try:
        check_encoder(facts.name, facts.version)
        return load_encoder(facts.name, game)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _write(
    path: str | Path,
    game: Game,
    files: dict[str, dict[str, Column]],
    part: dict[str, Any],
    facts: BundleFacts,
) -> Bundle:
    """All files of a bundle; `files` are those of columns, by name."""
    path = Path(path)
    explicit = face(game).explicit
    if explicit is not None:
        files = files | {GAME: game_columns(explicit)}
    else:
        check_record(game, str(path))
    require_replaceable(path)
    with told_on_failure(path), new_directory(path) as folder:
        for name, columns in files.items():
            write_columns(folder / name, columns)
        manifest = Manifest(
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

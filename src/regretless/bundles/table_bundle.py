# SPDX-License-Identifier: MIT
"""Bundles of tables: probabilities by infoset, with the card buckets that infosets are made of."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from regretless.abstraction.card_abstraction import CardAbstraction
from regretless.bundles.abstraction import abstraction_columns
from regretless.bundles.bundle import Bundle, BundleFacts, key_probe, write_files
from regretless.bundles.bundle_manifest import (
    AbstractionFacts,
    Coverage,
    Manifest,
    Precision,
    TableFacts,
)
from regretless.bundles.kinds import Description
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.policies.policy import Policy, TablePolicy
from regretless.policies.strategy_table import StrategyTable, TableEvaluator
from regretless.storage.columns import Column, type_name

TABLE, ABSTRACTION = "strategy.safetensors", "abstraction.safetensors"
_NUMBERS = {"float32": np.float32, "float64": np.float64}
_CHUNK_ROWS = 1 << 16
_TOLERANCE = 1e-3  # of a row's sum


def write_bundle(
    path: str | Path,
    game: Game,
    table: StrategyTable,
    facts: BundleFacts,
    *,
    abstraction: CardAbstraction | None = None,
    precision: Literal["float32", "float64"] = "float64",
) -> Bundle:
    """Writes a table, whole or not at all, over nothing but an older bundle."""
    columns: dict[str, Column] = {
        "keys": np.asarray(table.keys, np.uint64),
        "probabilities": np.asarray(table.probabilities, _NUMBERS[precision]),
    }
    for name, column in (("values", table.values), ("reaches", table.reaches)):
        if column is not None:
            columns[name] = np.asarray(column, _NUMBERS[precision])
    _check_columns(columns, game.num_actions, str(path))
    _check_rows(columns, str(path))
    total = facts.num_infosets
    if total is None and abstraction is None:
        total = _count_infosets(game)
    part = {
        "coverage": Coverage(infosets=len(table.keys), of=total),
        "table": TableFacts(
            file=TABLE,
            infosets=len(table.keys),
            actions=game.action_names,
            columns={name: type_name(column) for name, column in columns.items()},
            key_probe=key_probe(game),
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
    return write_files(path, game, "table", files, part, facts)


class TableBundles:
    """Implements `Kind`."""

    def read(self, bundle: Bundle) -> StrategyTable:
        facts, columns, place = bundle.manifest.table, bundle.columns, str(bundle.data_path)
        assert facts is not None
        bundle.check_keys(facts.key_probe)
        types = {name: type_name(column) for name, column in columns.items()}
        if types != facts.columns or len(columns["keys"]) != facts.infosets:
            raise InputError(f"{place}: not the columns that the manifest lists")
        _check_columns(columns, bundle.game.num_actions, place)
        if bundle.is_checked:
            _check_rows(columns, place)
        return StrategyTable(
            columns["keys"], columns["probabilities"], columns.get("values"), columns.get("reaches")
        )

    def policy(self, bundle: Bundle, device: str) -> Policy:
        """Plays uniformly where the table has no row."""
        name = bundle.manifest.algorithm.name
        return TablePolicy(self.table(bundle), name, bundle.abstraction)

    def table(self, bundle: Bundle) -> StrategyTable:
        found: StrategyTable = bundle.contents
        return found

    def describe(self, manifest: Manifest) -> Description:
        table, coverage, buckets = manifest.table, manifest.coverage, manifest.abstraction
        assert table is not None and coverage is not None
        size = f"{table.infosets:,} infosets"
        of = f" of {coverage.of:,}" if coverage.of is not None else ""
        columns = ", ".join(f"{name} {kind}" for name, kind in table.columns.items())
        facts = {"infosets": f"{coverage.infosets:,}{of}", "columns": columns}
        summary = [
            f"Probabilities of the {manifest.slots} at {size}, for all players. {manifest.in_units}"
        ]
        if buckets is not None:
            sizes = " / ".join(f"{size:,}" for size in buckets.buckets.values())
            facts["buckets"] = f"{sizes}, digest {buckets.digest}"
            summary.append(
                "An infoset is the slots chosen so far and the bucket of the cards, of "
                f"{sizes} by street; the bundle carries the buckets."
            )
        covered = (
            f"It covers {coverage.infosets:,}{of} infosets; at any other it plays every legal slot "
            "with the same probability."
        )
        return Description(size, facts, summary, covered)

    def copy(
        self, bundle: Bundle, path: Path, precision: Precision | None, facts: BundleFacts
    ) -> Bundle:
        known = precision or bundle.manifest.precision
        if known == "bfloat16":
            raise InputError("precision: a table has float64 or float32, not bfloat16")
        table, buckets = self.table(bundle), bundle.abstraction
        return write_bundle(path, bundle.game, table, facts, abstraction=buckets, precision=known)


def _count_infosets(game: Game) -> int | None:
    try:
        return len(TableEvaluator(game).keys)
    except TooLargeError:
        return None


def _check_columns(columns: Mapping[str, Column], num_actions: int, place: str) -> None:
    """InputError unless the columns have their shapes and types."""
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


def _check_rows(columns: Mapping[str, Column], place: str) -> None:
    """InputError unless keys ascend and rows are distributions, checked in chunks."""
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

# SPDX-License-Identifier: MIT
"""Bundles of solved public trees: the strategy and the values of a spot at every node."""

from functools import partial
from pathlib import Path

import numpy as np

from regretless.bundles.bundle import Bundle, BundleFacts, key_probe, write_files
from regretless.bundles.bundle_manifest import Manifest, Precision, TreeFacts
from regretless.bundles.kinds import Description
from regretless.errors import InputError
from regretless.games import Game
from regretless.policies.policy import Policy, TablePolicy
from regretless.policies.strategy_table import StrategyTable, solution_table
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers.problem import CFRConfig, make_problem
from regretless.storage.columns import Column, type_name

TREE = "tree.safetensors"


def write_tree_bundle(path: Path, game: Game, tree: StrategyTree, facts: BundleFacts) -> Bundle:
    """Writes a solved public tree, whole or not at all, over nothing but an older bundle."""
    columns: dict[str, Column] = tree.columns()
    part = {
        "tree": TreeFacts(
            file=TREE,
            nodes=len(tree.actors),
            decisions=tree.num_decisions,
            hands=_hands(tree),
            actions=game.action_names,
            columns={name: type_name(column) for name, column in columns.items()},
            key_probe=key_probe(game),
        )
    }
    return write_files(path, game, "tree", {TREE: columns}, part, facts)


class TreeBundles:
    """Implements `Kind`."""

    def read(self, bundle: Bundle) -> StrategyTree:
        facts, columns, place = bundle.manifest.tree, bundle.columns, str(bundle.data_path)
        assert facts is not None
        bundle.check_keys(facts.key_probe)
        tree = StrategyTree.from_columns(columns, place)
        types = {name: type_name(column) for name, column in columns.items()}
        if (types, len(tree.actors), _hands(tree)) != (facts.columns, facts.nodes, facts.hands):
            raise InputError(f"{place}: not the columns that the manifest lists")
        if bundle.is_checked:
            tree.check_rows(place)
        return tree

    def policy(self, bundle: Bundle, device: str) -> Policy:
        return TablePolicy(self.table(bundle), bundle.manifest.algorithm.name)

    def table(self, bundle: Bundle) -> StrategyTable:
        """The rows of all boards, computed from the tree."""
        problem, tree = make_problem(bundle.game, CFRConfig()), bundle.tree()
        if not np.array_equal(np.asarray(problem.actors), tree.actors):
            raise InputError(f"{bundle.path}: its tree is not that of {bundle.game.name}")
        rows = partial(problem.rows, tree.profile())
        return solution_table(rows, bundle.game, CFRConfig.max_bytes)

    def describe(self, manifest: Manifest) -> Description:
        tree = manifest.tree
        assert tree is not None
        size = f"{tree.decisions:,} decisions"
        hands = " and ".join(f"{count:,}" for count in tree.hands)
        summary = (
            f"Probabilities of the {manifest.slots} and values of every hand at {size} of the "
            "public tree. Boards that differ in the names of suits alone are kept once. Values "
            "are in chips."
        )
        covered = "It covers every infoset from where the spot begins."
        facts = {"decisions": f"{tree.decisions:,}", "hands": hands}
        return Description(size, facts, [summary], covered)

    def copy(
        self, bundle: Bundle, path: Path, precision: Precision | None, facts: BundleFacts
    ) -> Bundle:
        if precision is not None:
            raise InputError("precision: a solved tree has numbers of 16 bits and no others")
        return write_tree_bundle(path, bundle.game, bundle.tree(), facts)


def _hands(tree: StrategyTree) -> list[int]:
    return [len(tree.hands(player)) for player in range(2)]

# SPDX-License-Identifier: MIT
"""An explicit game as columns of a bundle, so that its code need not run again."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.errors import InputError, refusing
from regretless.explicit.explicit_game import ExplicitGame
from regretless.explicit.explicit_tree import ExplicitTree
from regretless.explicit.python_game import CHANCE, TERMINAL
from regretless.storage.columns import Column

GAME = "game.safetensors"
_SHIFT = 2  # actors from CHANCE and TERMINAL on are kept as bytes from 0 on
_TYPES = {
    "actors": np.uint8,
    "num_children": np.uint64,
    "chance_probabilities": np.float64,
    "infosets": np.uint64,
    "payoffs": np.float64,
    "names": np.uint8,
}


def game_columns(game: ExplicitGame) -> dict[str, Column]:
    """Its tree: actors, children and chance by node, infosets of decisions, payoffs, names."""
    tree = game.tree
    names = [tree.infoset_names, tree.infoset_action_names]
    return {
        "actors": (tree.actors + _SHIFT).astype(np.uint8),
        "num_children": tree.num_children.astype(np.uint64),
        "chance_probabilities": np.asarray(tree.chance_probabilities, np.float64),
        "infosets": tree.infosets[tree.infosets >= 0].astype(np.uint64),
        "payoffs": np.asarray(tree.payoffs, np.float64),
        "names": np.frombuffer(json.dumps(names).encode(), np.uint8),
    }


def read_game(columns: Mapping[str, Column], record: Any, place: str) -> ExplicitGame:
    """The game in columns; InputError unless it is the game of the record."""
    if not isinstance(record, Mapping) or not isinstance(record.get("name"), str):
        raise InputError(f"{place}: rules: must have the name of a game")
    if columns.keys() != _TYPES.keys() or any(
        columns[name].dtype != kind for name, kind in _TYPES.items()
    ):
        raise InputError(f"{place}: not the columns of a game")
    with refusing(place):
        game = ExplicitGame(_tree(columns), record["name"])
    if game.digest != record.get("sha256"):
        raise InputError(f"{place}: is another game than the manifest says")
    return game


def _tree(columns: Mapping[str, Column]) -> ExplicitTree:
    actors = columns["actors"].astype(np.int16) - _SHIFT
    counts, payoffs = columns["num_children"], columns["payoffs"]
    nodes = len(actors)
    infoset_names, action_names = _names(columns["names"])
    decisions, endings = actors >= 0, actors == TERMINAL
    chosen = columns["infosets"]
    is_sound = (
        0 < nodes < 1 << 31
        and actors.ndim == counts.ndim == chosen.ndim == 1
        and payoffs.ndim == 2
        and counts.shape == actors.shape == columns["chance_probabilities"].shape
        and int(actors.max()) < payoffs.shape[1]
        and len(payoffs) == np.count_nonzero(endings)
        and len(chosen) == np.count_nonzero(decisions)
        and bool((counts < nodes).all())
        and int(counts.sum()) == nodes - 1
        and np.array_equal(np.unique(chosen), np.arange(len(infoset_names)))
        and np.isfinite(payoffs).all()
    )
    if not is_sound:
        raise InputError("its columns do not fit together")
    num_children = counts.astype(np.int32)
    infosets = np.full(nodes, -1, np.int32)
    infosets[decisions] = chosen
    terminals = np.full(nodes, -1, np.int32)
    terminals[endings] = np.arange(len(payoffs), dtype=np.int32)
    parents = np.full(nodes, -1, np.int32)
    parents[1:] = np.repeat(np.arange(nodes, dtype=np.int32), num_children)
    infoset_actors = np.full(len(infoset_names), CHANCE, np.int8)
    infoset_actors[chosen.astype(np.intp)] = actors[decisions]
    return ExplicitTree(
        actors=actors.astype(np.int8),
        parents=parents,
        first_children=np.cumsum(num_children, dtype=np.int32) - num_children + np.int32(1),
        num_children=num_children,
        chance_probabilities=np.array(columns["chance_probabilities"]),
        infosets=infosets,
        terminals=terminals,
        payoffs=np.array(payoffs),
        infoset_actors=infoset_actors,
        infoset_num_actions=np.array([len(each) for each in action_names], np.int32),
        infoset_names=infoset_names,
        infoset_action_names=action_names,
    )


def _names(column: Column) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    try:
        infosets, actions = json.loads(column.tobytes())
        names = tuple(infosets), tuple(tuple(each) for each in actions)
        texts = [*names[0], *(name for each in names[1] for name in each)]
        is_sound = len(names[0]) == len(names[1]) and all(
            isinstance(text, str) and text.isprintable() for text in texts
        )
    except (ValueError, TypeError, RecursionError):
        is_sound = False
    if not is_sound:
        raise InputError("its names make no sense, or cannot be printed")
    return names

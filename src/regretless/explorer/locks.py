# SPDX-License-Identifier: MIT
"""Locks: fixed strategies at nodes, such as `x b50% = f 0.6, c 0.4`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.explorer.tree_place import find_place
from regretless.games import Game
from regretless.games.episodes import legal_slots
from regretless.games.spots import Spot
from regretless.histories.lines import read_line
from regretless.notation.cards import FULL_DECK
from regretless.notation.ranges import Range, all_hands
from regretless.notation.text_file import read_yaml
from regretless.notation.tokens import Token
from regretless.options import read_options
from regretless.solvers.backend import TreeSolver

_SHARE = re.compile(r"(\S+)\s+((?:[0-9]+\.?|[0-9]*\.[0-9]+)(?:e-?[0-9]+)?)")


@dataclass(frozen=True)
class Lock:
    """Shares of the actions at the node of a line, for some hands or all."""

    line: str
    shares: Mapping[str, float]  # by action, as a line writes it
    hands: str = "random"  # a range; hands outside of it play uniformly


def parse_lock(text: str) -> Lock:
    """`LINE = f 0.6, c 0.4`; the line of the start is empty."""
    line, *rest = Token.whole(text).split("=")
    if len(rest) != 1:
        raise line.error("a lock is a line of play, one = and shares of actions")
    shares: dict[str, float] = {}
    for item in rest[0].split(","):
        match = _SHARE.fullmatch(item.text)
        if match is None:
            raise item.error("an action and its share, such as f 0.6")
        shares[match[1]] = float(match[2])
    return Lock(line.text, shares)


def read_lock_options(texts: list[str]) -> list[Lock]:
    """Reads locks from texts, each a lock or the name of a YAML file."""
    return [
        lock
        for text in texts
        for lock in ([parse_lock(text)] if "=" in text else read_locks(Path(text)))
    ]


def read_locks(path: Path) -> list[Lock]:
    """Reads locks from a YAML file: a list of `line`, `shares` by action and optional `hands`."""
    rows = read_yaml(path)
    if not isinstance(rows, list) or not rows:
        raise InputError(f"{path}: must be a list of locks")
    return [_read_lock(row, f"{path}: [{i}]") for i, row in enumerate(rows)]


def _read_lock(row: Any, place: str) -> Lock:
    if not isinstance(row, Mapping) or not {"line", "shares"} <= row.keys():
        raise InputError(f"{place}: needs line and shares")
    return read_options(Lock, place, {**row, "line": row["line"] or ""})


def set_locks(solver: TreeSolver, spot: Spot, locks: list[Lock]) -> None:
    """Locks the nodes; InputError names the lock that is wrong."""
    nodes: dict[int, NDArray[np.float64]] = {}
    problem = solver.problem
    for lock in locks:
        node, episode = find_place(spot.game, problem, lock.line)
        if episode.actor < 0:
            raise InputError(f"lock at {lock.line!r}: nobody decides there")
        slots = legal_slots(episode)
        row = np.zeros(len(slots))
        for word, share in lock.shares.items():
            (step,) = read_line(word, episode.copy())
            assert step.slot is not None  # somebody decides
            row[slots.index(step.slot)] += share
        if row.min() < 0 or not abs(row.sum() - 1) <= 1e-6:
            wrong = f"shares are from 0 to 1 and sum to 1, and these sum to {row.sum():g}"
            raise InputError(f"lock at {lock.line!r}: {wrong}")
        hands = problem.hands(episode.actor)
        weights = Range.parse(lock.hands, spot.game.rules.deck).weights[hands]
        strategy = nodes.setdefault(node, np.full((len(slots), len(hands)), 1 / len(slots)))
        strategy[:, weights > 0] = row[:, None] / row.sum()
    for node, strategy in nodes.items():
        solver.lock(node, strategy)


def bound_seats(game: Game, locks: Sequence[Lock]) -> set[int]:
    """The seats that act at the locked nodes."""
    seats = set()
    for line in {each.line for each in locks}:
        episode = game.episode_of()
        read_line(line, episode)
        seats.add(episode.actor)
    return seats


def keeps_suits_alike(locks: list[Lock]) -> bool:
    """Whether no lock distinguishes suits, so that isomorphic suits can be merged."""
    for lock in locks:
        weights = Range.parse(lock.hands).weights.reshape(-1)
        for renaming in permutations(range(4)):
            cards = all_hands(FULL_DECK, 2).astype(np.int64)
            moved = np.sort(cards // 4 * 4 + np.array(renaming)[cards % 4], axis=1)
            places = moved[:, 0] + moved[:, 1] * (moved[:, 1] - 1) // 2
            if not np.array_equal(weights[places] > 0, weights > 0):
                return False
    return True

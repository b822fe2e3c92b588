# SPDX-License-Identifier: MIT
"""What the explorer looks into: solved trees where there are any, else policies that are asked."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Protocol

from regretless.errors import InputError
from regretless.games import Game
from regretless.players.asked_nodes import AskedNodes
from regretless.players.nodes import NodeView, SolvedTree
from regretless.storage.model_card import strength_line
from regretless.web.library import Entry, Library, stamp

_KEPT = 8


class Nodes(Protocol):
    """Nodes by their lines."""

    def node(self, line: str = "") -> NodeView: ...


@dataclass(frozen=True)
class OpenedNodes:
    """The nodes of an entry of the library."""

    entry: Entry
    game: Game
    nodes: Nodes
    is_solved: bool
    """Whether values are known."""
    strength: str
    """What it says of itself, in one line."""
    lock: threading.Lock

    def node(self, line: str) -> NodeView:
        with self.lock:
            return self.nodes.node(line)


class Trees:
    """Keeps what was opened last. Any thread may use it."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Any, OpenedNodes]] = OrderedDict()

    def open(self, id: str) -> OpenedNodes:
        """InputError where nothing of it can be shown."""
        entry = self.library.entry(id)
        now = stamp(entry.path)
        with self._lock:
            kept = self._kept.get(id)
            if kept is not None and kept[0] == now:
                self._kept.move_to_end(id)
                return kept[1]
        made = self._open(entry)
        with self._lock:
            self._kept[id] = (now, made)
            self._kept.move_to_end(id)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def _open(self, entry: Entry) -> OpenedNodes:
        bundle = self.library.bundle(entry.id)
        if bundle is not None:
            claimed = strength_line(bundle.manifest.strength)
            try:
                tree = SolvedTree.of_bundle(bundle)
            except InputError:
                pass  # it is asked
            else:
                return OpenedNodes(entry, tree.game, tree, True, claimed, threading.Lock())
        opened = self.library.opened(entry.id)
        found = opened.strategy
        nodes = AskedNodes(found.game, found.policy)
        claimed = strength_line(found.claimed)
        return OpenedNodes(entry, found.game, nodes, False, claimed, opened.lock)

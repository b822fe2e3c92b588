# SPDX-License-Identifier: MIT
"""What the explorer looks into: a solved tree where there is one, else a policy that is asked."""

import threading
from dataclasses import dataclass
from typing import Protocol

from regretless.errors import InputError
from regretless.games import Game
from regretless.players.asked_nodes import AskedNodes
from regretless.players.nodes import NodeView
from regretless.storage.model_card import strength_line
from regretless.web.library import Entry, Library


class Nodes(Protocol):
    """Nodes by their lines."""

    def node(self, line: str = "", *, equities: bool = True) -> NodeView: ...


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

    def node(self, line: str = "", *, equities: bool = True) -> NodeView:
        with self.lock:
            return self.nodes.node(line, equities=equities)


def open_nodes(library: Library, id: str) -> OpenedNodes:
    """InputError where nothing of it can be shown."""
    entry, bundle = library.entry(id), library.bundle(id)
    if bundle is not None:
        try:
            tree = library.solved(id)
        except InputError:
            pass  # it is asked
        else:
            claimed = strength_line(bundle.manifest.strength)
            return OpenedNodes(entry, tree.game, tree, True, claimed, threading.Lock())
    opened = library.opened(id)
    found = opened.strategy
    nodes = library.kept(id, "nodes", lambda: AskedNodes(found.game, found.policy))
    return OpenedNodes(entry, found.game, nodes, False, strength_line(found.claimed), opened.lock)

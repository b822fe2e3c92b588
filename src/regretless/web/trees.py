# SPDX-License-Identifier: MIT
"""Nodes of an entry of the library or of a solve: read from a solution, or asked of a policy."""

import contextlib
import threading
from dataclasses import dataclass
from functools import cached_property

from regretless.bundles.model_card import strength_line
from regretless.errors import InputError, TooLargeError
from regretless.explorer.asked_nodes import AskedNodes
from regretless.explorer.game_tree import MOST_NODES, public_lines
from regretless.explorer.node_view import NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.games import Game
from regretless.games.spots import spot_of
from regretless.policies.asking import policy_table
from regretless.seats.strategies import KeptStep, Strategy, kept_steps
from regretless.web.library import Entry, Library, Opened
from regretless.web.services import Services
from regretless.web.solves import SolveJob, Wish

_SOLVE = "solve/"  # before the number of a job
_MOST_ASKED = 40  # public states that a policy is asked about to show a tree
_MOST_VALUED = 10_000  # public states of a game whose values are computed to show it


@dataclass(frozen=True)
class OpenedNodes:
    """The nodes of an entry of the library, or of a solve."""

    name: str  # the title, and the name of downloads
    nodes: SolvedTree | AskedNodes
    strength: str  # the claimed strength, in one line
    lock: threading.Lock
    entry: Entry | None = None
    step: int | None = None  # the step of the checkpoint; None for the newest strategy

    def node(self, line: str = "", *, equities: bool = True, unit: str | None = None) -> NodeView:
        """The node of a line, with amounts in the `unit`."""
        with self.lock:
            return self.nodes.node(line, equities=equities, unit=unit)

    @property
    def game(self) -> Game:
        return self.nodes.game

    @property
    def is_solved(self) -> bool:
        """Whether values are known."""
        return isinstance(self.nodes, SolvedTree)

    @property
    def most_nodes(self) -> int:
        """Public states of one tree; few where a network has to be asked."""
        return MOST_NODES if self.is_solved else _MOST_ASKED

    @cached_property
    def is_spot(self) -> bool:
        """Whether the spot can be solved again."""
        try:
            return self.is_solved and spot_of(self.game).rule != "omaha"
        except InputError:
            return False


def open_place(
    services: Services, id: str, step: int | None = None, *, newest: bool = False
) -> OpenedNodes:
    """The nodes of an entry of the library, or of the solve that `solve/JOB` names.

    `newest` asks a solve that runs for its present strategy; else the last one read serves.
    """
    job = _job(services, id)
    return open_nodes(services.library, id, step) if job is None else open_live(job, newest=newest)


def solved_place(services: Services, id: str) -> SolvedTree:
    """The solution of an entry of the library, or of the solve that `solve/JOB` names."""
    job = _job(services, id)
    return services.library.solved(id) if job is None else job.tree(newest=False)[0]


def wish_of(services: Services, id: str) -> Wish | None:
    """The wish of the solve that `solve/JOB` names; None for an entry of the library."""
    job = _job(services, id)
    return None if job is None else job.wish


def _job(services: Services, id: str) -> SolveJob | None:
    if not id.startswith(_SOLVE):
        return None
    return services.jobs.find(id.removeprefix(_SOLVE), SolveJob)


def open_nodes(library: Library, id: str, step: int | None = None) -> OpenedNodes:
    """The nodes of an entry, or of a run at a kept checkpoint.

    The kind of the bundle decides: spots and tables are read, networks are asked. InputError if the
    bundle is damaged or cannot be shown.
    """
    entry = library.entry(id)
    bundle = library.bundle(id) if step is None else None
    if bundle is not None and SolvedTree.is_of(bundle):
        with contextlib.suppress(TooLargeError):  # the game of a table may be too large for values
            tree, lock = library.solved(id), threading.Lock()
            claimed = strength_line(bundle.manifest.strength, bundle.game)
            return OpenedNodes(entry.name, tree, claimed, lock, entry)
    opened = library.opened(id, step=step)
    found = opened.strategy
    nodes = library.kept(entry, f"nodes {step}", lambda: _nodes_of(opened, found))
    strength = strength_line(found.claimed, found.game) if found.claimed else found.origin
    if found.claimed and not any(each.measure.startswith("exact") for each in found.claimed):
        strength = f"for practice, no equilibrium; {strength}"
    return OpenedNodes(entry.name, nodes, strength, opened.lock, entry, step)


def _nodes_of(opened: Opened, found: Strategy) -> SolvedTree | AskedNodes:
    """Nodes with values where the game is small enough to compute them."""
    if found.game.num_players == 2:
        with contextlib.suppress(TooLargeError):
            public_lines(found.game, most=_MOST_VALUED)
            with opened.lock:
                table = policy_table(found.game, found.policy)
            return SolvedTree.of_table(found.game, table)
    return AskedNodes(found.game, found.policy)


def open_live(job: SolveJob, *, newest: bool = True) -> OpenedNodes:
    """The current strategy of a solve; ConflictError if there is none yet."""
    tree, iterations = job.tree(newest=newest)
    strength = f"after {iterations:,} iterations"
    if job.status == "running":
        strength += ", still being solved"
    return OpenedNodes(job.title, tree, strength, threading.Lock())


def steps_of(library: Library, id: str) -> tuple[KeptStep, ...]:
    """The kept checkpoints of a run, without the newest strategy."""
    entry = library.entry(id)
    if entry.kind != "run":
        return ()
    try:
        return kept_steps(entry.path)
    except InputError:
        return ()  # damaged checkpoints do not hide the newest strategy

# SPDX-License-Identifier: MIT
"""A hold'em spot as a user describes it, and what to say about its solution."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Solver
from regretless.equities import equity
from regretless.errors import InputError
from regretless.games.spots import Spot, make_spot
from regretless.notation.cards import format_cards
from regretless.notation.text_file import read_yaml


@runtime_checkable
class OnPublicTree(Solver, Protocol):
    """An algorithm over the public tree of a native problem."""

    problem: _native.VectorProblem

    @property
    def memory_bytes(self) -> int: ...

    @property
    def bits(self) -> int: ...

    def node_strategy(self, node: int) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class SpotOptions:
    """A spot in words and numbers; the defaults are those of `solve`."""

    board: str = ""
    """3, 4 or 5 cards; empty: no spot."""
    pot: int | None = None
    """Chips in the middle."""
    stack: int | None = None
    """Chips behind, of each player."""
    range_oop: str = "random"
    """Of the first to speak."""
    range_ip: str = "random"
    """Of the other."""
    bets: str = "50%,100%,a"
    raises: str = "2.5x,a"
    add_all_in: float = 0.0
    """Offer all-in where it is at most so many pots."""
    force_all_in: float = 0.0
    """All-in instead of what leaves at most so many pots behind."""
    merge: float = 0.0
    """Drop the smaller of two sizes that differ by less than this share of the pot."""
    menu: Path | None = None
    """Sizes by street and seat, a YAML file (docs/notation.md), instead of the five above."""

    def spot(self, game: str = "nlhe") -> Spot | None:
        """The spot, if there is a board; InputError names the option that is wrong."""
        changed = [each.name for each in fields(self) if vars(self)[each.name] != each.default]
        if not self.board:
            if changed:
                raise InputError(f"{_flag(changed[0])} belongs to a spot: give --board too")
            return None
        if game != "nlhe":
            raise InputError(f"--board: a spot is of nlhe, not of {game!r}")
        if self.pot is None or self.stack is None:
            missing = "--pot, the chips in the middle" if self.pot is None else "--stack, the chips"
            raise InputError(f"a spot needs a pot and a stack: give {missing}")
        ranges = (self.range_oop, self.range_ip)
        return make_spot(self.board, self.pot, self.stack, *ranges, self._menu(changed))

    def _menu(self, changed: list[str]) -> Any:
        if self.menu is None:
            return {
                "all": {"open": self.bets, "raise": self.raises},
                "add_all_in": self.add_all_in,
                "force_all_in": self.force_all_in,
                "merge": self.merge,
            }
        for key in ("bets", "raises", "add_all_in", "force_all_in", "merge"):
            if key in changed:
                raise InputError(f"{_flag(key)}: write it into {self.menu}")
        return read_yaml(self.menu)


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-")


def spot_result(spot: Spot, solver: OnPublicTree) -> dict[str, Any]:
    """What there is to say: chips with the pot counted, shares, the first decision."""
    native = solver.problem
    oop, ip = (
        value + ante for value, ante in zip(solver.values(), spot.game.rules.antes, strict=True)
    )
    shares = equity(spot.ranges, format_cards(spot.board, spot.game.rules.deck)).equities
    mix = solver.node_strategy(0)  # [actions, hands]
    weights = spot.ranges[0].weights[native.hands(0)] * native.hand_weights(0)
    root = spot.game.episode_of()
    names = [root.slot_text(slot) for slot in native.events[1 : 1 + len(mix)].tolist()]
    return {
        "ev_oop": oop,
        "ev_ip": ip,
        "ev_unit": "chips, with the pot counted",
        "equity_oop": shares[0],
        "equity_ip": shares[1],
        "root_mix": dict(zip(names, (mix @ weights / weights.sum()).tolist(), strict=True)),
        "memory_bytes": solver.memory_bytes,
        "precision": solver.bits,
    }

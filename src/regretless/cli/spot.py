# SPDX-License-Identifier: MIT
"""A hold'em spot on the command line: from the options of `solve` to the spot, and its answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Algorithm
from regretless.equity import equity
from regretless.errors import InputError
from regretless.games.spots import Spot, make_spot
from regretless.notation.cards import format_cards
from regretless.notation.text_file import read_yaml


@runtime_checkable
class OnPublicTree(Algorithm, Protocol):
    """An algorithm over the public tree of a native problem."""

    problem: _native.VectorProblem

    @property
    def memory_bytes(self) -> int: ...

    @property
    def bits(self) -> int: ...

    def node_strategy(self, node: int) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class SpotOptions:
    """What `solve` was told about a spot; the defaults are those of the command line."""

    board: str = ""
    pot: int = 0
    stack: int = 0
    range_oop: str = "random"
    range_ip: str = "random"
    bets: str = "50%,100%,a"
    raises: str = "2.5x,a"
    add_all_in: float = 0.0
    force_all_in: float = 0.0
    merge: float = 0.0
    menu: Path | None = None


def read_spot(game: str, options: SpotOptions) -> Spot | None:
    """The spot, if a board is given."""
    changed = [key for key, value in vars(options).items() if value != getattr(SpotOptions, key)]
    if "board" not in changed:
        if changed:
            raise InputError(f"{_flag(changed[0])} belongs to a spot: give --board too")
        return None
    if game != "nlhe":
        raise InputError(f"--board: a spot is of nlhe, not of {game!r}")
    ranges = (options.range_oop, options.range_ip)
    return make_spot(options.board, options.pot, options.stack, *ranges, _menu(options, changed))


def _menu(options: SpotOptions, changed: list[str]) -> Any:
    if options.menu is None:
        return {
            "all": {"open": options.bets, "raise": options.raises},
            "add_all_in": options.add_all_in,
            "force_all_in": options.force_all_in,
            "merge": options.merge,
        }
    for key in ("bets", "raises", "add_all_in", "force_all_in", "merge"):
        if key in changed:
            raise InputError(f"{_flag(key)}: write it into {options.menu}")
    return read_yaml(options.menu)


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-")


def spot_result(spot: Spot, solver: OnPublicTree) -> dict[str, Any]:
    """What to tell of a solved spot: chips with the pot counted, shares, the first decision."""
    native = solver.problem
    oop, ip = (value + spot.pot / 2 for value in solver.values())
    shares = equity(spot.ranges, format_cards(spot.board, spot.game.rules.deck)).equities
    mix = solver.node_strategy(0)  # [actions, hands]
    weights = spot.ranges[0].weights[native.hands(0)] * native.hand_weights(0)
    root = _native.PokerEpisode(spot.game, hole=[])
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

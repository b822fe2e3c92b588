# SPDX-License-Identifier: MIT
"""A spot as a user describes it, and the figures of its solution."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from regretless.equities import RULES as DECKS
from regretless.equities import equity
from regretless.errors import InputError
from regretless.games.spots import Spot, make_spot
from regretless.notation.cards import format_cards, parse_cards
from regretless.notation.text_file import read_yaml
from regretless.solvers.backend import TreeSolver
from regretless.solving.presets import find_preset


@dataclass(frozen=True)
class SpotOptions:
    """A spot in words and numbers; the defaults are those of `solve`."""

    board: str = ""
    """Board of a hold'em spot, 3 to 5 cards; without a board there is no spot."""
    pot: int | None = None
    """Chips in the pot."""
    stack: int | None = None
    """Chips behind, for each player."""
    range_oop: str = "random"
    """Range out of position, of the player who acts first."""
    range_ip: str = "random"
    """Range in position."""
    bets: str | None = None
    """Bet sizes, such as 33%,75%,a; default: 50%,100%,a, of a flop 33%,75% and later 75%."""
    raises: str | None = None
    """Raise sizes, such as 2.5x,a; default: 2.5x,a, of a flop 3x."""
    add_all_in: float = 1.5
    """Add all-in where it is at most this many pots; 0: never."""
    force_all_in: float = 0.2
    """Bet all-in instead of leaving at most this many pots behind; 0: never."""
    merge: float = 0.1
    """Merge sizes closer than this share of the pot: the smaller one is dropped; 0: none."""
    menu: Path | None = None
    """YAML file of sizes by street and seat (docs/notation.md), instead of other sizes."""
    stack_ip: int | None = None
    """Chips behind in position, if different; both play for the smaller stack."""
    rake: float = 0.0
    """Rake, in percent of the pot."""
    rake_cap: int | None = None
    """Most chips of rake."""
    bets_flop: str | None = None
    """Bet sizes on this street."""
    bets_turn: str | None = None
    """Bet sizes on this street."""
    bets_river: str | None = None
    """Bet sizes on this street."""
    bets_oop: str | None = None
    """Bet sizes out of position."""
    raises_flop: str | None = None
    """Raise sizes on this street."""
    raises_turn: str | None = None
    """Raise sizes on this street."""
    raises_river: str | None = None
    """Raise sizes on this street."""
    raises_oop: str | None = None
    """Raise sizes out of position."""
    donks: str | None = None
    """Bet sizes into the aggressor of the previous street, or none; default: as `bets`."""
    aggressor: str = "ip"
    """Aggressor before the board, for donk bets (oop, ip, none)."""
    preset: str | None = None
    """A pot with ranges to begin with, such as btn-bb-srp (docs/solving.md); other options change
    it."""

    def spot(self, game: str = "nlhe") -> Spot | None:
        """The spot, if there is a board; InputError names the option that is wrong."""
        changed = [each.name for each in fields(self) if vars(self)[each.name] != each.default]
        if self.preset is not None and self.board:
            given = {key: vars(self)[key] for key in changed if key != "preset"}
            sizes = {} if self.menu is None else {"donks": None, "aggressor": "ip"}
            return SpotOptions(**find_preset(self.preset).spot | sizes | given).spot(game)
        if not self.board:
            if changed:
                raise InputError(f"{_flag(changed[0])} belongs to a spot: give --board too")
            return None
        if game not in RULES:
            raise InputError(f"--board: a spot is of nlhe, short-deck or plo4, not of {game!r}")
        if self.pot is None or self.stack is None:
            missing = "--pot, the chips in the middle" if self.pot is None else "--stack, the chips"
            raise InputError(f"a spot needs a pot and a stack: give {missing}")
        ranges = (self.range_oop, self.range_ip)
        if not 0 <= self.rake < 100:
            raise InputError(f"--rake: must be a percentage from 0 to below 100, not {self.rake}")
        return make_spot(
            self.board,
            self.pot,
            self.stack,
            *ranges,
            self._menu(changed, game),
            stack_ip=self.stack_ip,
            rake=self.rake / 100,
            rake_cap=self.rake_cap,
            rule=RULES[game],
            aggressor=self.aggressor,
        )

    def _menu(self, changed: list[str], game: str) -> Any:
        if self.menu is None:
            is_flop = len(parse_cards(self.board, DECKS[RULES[game]].deck)) == _FLOP_CARDS
            own = self._streets(self.bets_oop, self.raises_oop, is_flop)
            usual = self._streets(None, None, is_flop)
            is_pot_limit = RULES[game] == "omaha"  # no all-in to add or to force
            return {
                **({"seats": [own, usual]} if own != usual else usual),
                **{
                    key: 0.0 if is_pot_limit and key not in changed else vars(self)[key]
                    for key in _THRESHOLDS
                },
            }
        for key in (*_SIZES, *_THRESHOLDS):
            if key in changed:
                raise InputError(f"{_flag(key)}: write it into {self.menu}")
        return read_yaml(self.menu)

    def _streets(self, bets: str | None, raises: str | None, is_flop: bool) -> dict[str, Any]:
        """Sizes by street; `bets` and `raises`, if given, are those of all streets."""
        opens = self._by_street("bets", bets, _FLOP_BETS if is_flop else _BETS)
        answers = self._by_street("raises", raises, {"all": "3x" if is_flop else "2.5x,a"})
        rows = {
            street: {
                "open": opens.get(street, opens["all"]),
                "raise": answers.get(street, answers["all"]),
            }
            for street in opens | answers
        }
        return {**rows, **({} if self.donks is None else {"donk": self.donks})}

    def _by_street(self, key: str, of_seat: str | None, usual: dict[str, str]) -> dict[str, str]:
        """The sizes of `bets` or `raises` by street, and of `all` others."""
        if of_seat is not None:
            return {"all": of_seat}
        given = vars(self)
        found = usual if given[key] is None else {"all": given[key]}
        named = {street: given[f"{key}_{street}"] for street in ("flop", "turn", "river")}
        return found | {street: each for street, each in named.items() if each is not None}


RULES = {"nlhe": "holdem", "short-deck": "short-deck", "plo4": "omaha", "plo": "omaha"}
_FLOP_CARDS = 3
_BETS = {"all": "50%,100%,a"}
_FLOP_BETS = {"all": "75%", "flop": "33%,75%"}  # fit into the memory of a laptop
_THRESHOLDS = ("add_all_in", "force_all_in", "merge")
_SIZES = (
    *(
        f"{key}{of}"
        for key in ("bets", "raises")
        for of in ("", "_flop", "_turn", "_river", "_oop")
    ),
    "donks",
)


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-")


def spot_evs(spot: Spot, values: Sequence[float]) -> list[float]:
    """Expected chips of each seat with the pot counted, from the values of its solver."""
    return [value + ante for value, ante in zip(values, spot.game.rules.antes, strict=True)]


def spot_result(spot: Spot, solver: TreeSolver) -> dict[str, Any]:
    """The figures of a solution: expected chips, equities, the mix of the first decision."""
    native = solver.problem
    oop, ip = spot_evs(spot, solver.values())
    board = format_cards(spot.board, spot.game.rules.deck)
    shares = equity(spot.ranges, board, rule=spot.rule).equities
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

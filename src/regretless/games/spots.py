# SPDX-License-Identifier: MIT
"""Spots: games that begin at a board with a pot, stacks, two ranges and bet sizes.

Hold'em and short deck may begin at any board, pot-limit Omaha with four cards on the river.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless import _native
from regretless.equities import RULES
from regretless.errors import InputError, refusing
from regretless.games.face import Game
from regretless.games.poker_rules import make_poker
from regretless.games.variants import make_variant
from regretless.notation.cards import deck_ranks, format_cards, parse_cards
from regretless.notation.ranges import Range

_STREETS = {3: [3, 1, 1], 4: [4, 1], 5: [5]}
MOST_OMAHA_HANDS = 30_000  # of a range, that the board leaves; the core has the same limit
AGGRESSORS = {"oop": 0, "ip": 1, "none": -1}  # seats that may have bet last before a spot


@dataclass(frozen=True, repr=False)
class Spot:
    """A game that begins at a board with a pot and two ranges; seat 0 is out of position."""

    game: "_native.Poker"
    """Begins there: with the board, and with hands as likely as the ranges say."""
    board: tuple[int, ...]
    ranges: tuple[Range, Range]
    pot: int
    stack: int
    rule: str = "holdem"

    def __repr__(self) -> str:
        board = format_cards(self.board, self.game.rules.deck)
        oop, ip = self.ranges
        stakes = f"pot {self.pot:,}, {self.stack:,} behind"
        return f"<Spot {board}, {stakes}: {oop.num_combos} hands against {ip.num_combos}>"


def make_spot(
    board: str,
    pot: int,
    stack: int,
    range_oop: str,
    range_ip: str,
    menu: str | Mapping[str, Any],
    min_bet: int = 1,
    *,
    stack_ip: int | None = None,
    rake: float = 0.0,
    rake_cap: int | None = None,
    rule: str = "holdem",
    aggressor: str = "ip",
) -> Spot:
    """Makes a spot with `pot` chips in the middle and `stack` behind each player.

    With another `stack_ip` both play for the smaller stack. The rake is the share `rake` of the
    pot, rounded down, at most `rake_cap`. `rule` may be short-deck, or omaha on a board of 5 cards:
    pot limit, hands of four cards, at most 30,000 in a range. Sizes of a menu for streets before
    the spot are ignored. For donk sizes, `aggressor` (oop, ip or none) bet last before the spot.
    """
    if rule not in RULES:
        raise InputError.unknown(f"rule: no spots of {rule!r}", rule, RULES)
    if aggressor not in AGGRESSORS:
        raise InputError.unknown(f"aggressor: no {aggressor!r}", aggressor, AGGRESSORS)
    if not isinstance(menu, str | Mapping):
        raise InputError(f"menu: must be a mapping or a line of sizes, not {menu!r}")
    deck = RULES[rule].deck
    cards = parse_cards(board, deck)
    _check_board(cards, rule)
    _check_positive(pot=pot, stack=stack, stack_ip=stack_ip, rake_cap=rake_cap)
    if not 0 <= rake < 1:
        raise InputError(f"rake: must be a share of the pot from 0 to below 1, not {rake}")
    stack = stack if stack_ip is None else min(stack, stack_ip)
    antes = [pot - pot // 2, pot // 2]  # the odd chip is dead money
    row = {
        "name": "spot",
        "board_cards": _STREETS[len(cards)],
        "antes": antes,
        "stacks": [stack + ante for ante in antes],
        "bets": min_bet,
        "unit": 1,
        "deck": {"ranks": deck_ranks(deck), "suits": deck.num_suits},
        "showdown": rule,
        **({"hole_cards": 4, "limit": "pot"} if rule == "omaha" else {}),
        "rake": {"fraction": rake} | ({} if rake_cap is None else {"cap": rake_cap}),
        "menu": menu,
    }
    poker = make_poker(make_variant(row, "spot"), "spot")
    if not poker.menu.has_donks and aggressor != "ip":
        raise InputError("aggressor: only donk sizes ask for him, and the menu has none")
    seat = AGGRESSORS[aggressor] if poker.menu.has_donks else AGGRESSORS["none"]
    ranges = _read_ranges((range_oop, range_ip), cards, deck, rule)
    weights = [each.weights.tolist() for each in ranges]
    with refusing("spot"):
        game = _native.Poker(
            poker.rules, poker.menu, board=list(cards), weights=weights, aggressor=seat
        )
    return Spot(game, cards, ranges, pot, stack, rule)


def _check_board(cards: Sequence[int], rule: str) -> None:
    if len(cards) not in _STREETS:
        raise InputError(f"board: must be 3, 4 or 5 cards, not {len(cards)}")
    if rule == "omaha" and len(cards) != 5:
        raise InputError(f"board: of Omaha only rivers are solved, 5 cards, not {len(cards)}")


def _check_positive(**amounts: int | None) -> None:
    for name, chips in amounts.items():
        if chips is not None and chips <= 0:
            raise InputError(f"{name}: must be a positive number of chips, not {chips}")


def _read_ranges(
    texts: tuple[str, str], board: Sequence[int], deck: "_native.Deck", rule: str
) -> tuple[Range, Range]:
    """The ranges of both players; InputError if the board leaves none or too many hands."""
    num_hole = RULES[rule].hole_cards[0]
    ranges = (Range.parse(texts[0], deck, num_hole), Range.parse(texts[1], deck, num_hole))
    for name, each in zip(("range_oop", "range_ip"), ranges, strict=True):
        left = int(np.count_nonzero(~np.isin(each.hands, board).any(axis=1)))
        if left == 0:
            raise InputError(f"{name}: no hand that the board leaves")
        if rule == "omaha" and left > MOST_OMAHA_HANDS:
            raise InputError(
                f"{name}: {left:,} hands that the board leaves; at most {MOST_OMAHA_HANDS:,} can "
                "be solved, so list those that matter"
            )
    return ranges


def spot_of(game: Game) -> Spot:
    """The spot that a game is which begins at one, such as that of a bundle.

    InputError if it begins elsewhere.
    """
    if not isinstance(game, _native.Poker) or len(game.board) not in _STREETS:
        raise InputError(f"{game.name}: is no spot: it does not begin at a board")
    rules = game.rules
    rule = rules.showdown.name.lower().replace("_", "-")
    if rules.num_players != 2 or rule not in RULES or any(rules.blinds):
        raise InputError(f"{game.name}: is no spot of two players")
    weights = [np.asarray(game.hand_weights(seat), np.float64) for seat in range(2)]
    first, second = (Range(each, rules.deck, rules.num_hole_cards) for each in weights)
    antes, stacks = list(rules.antes), list(rules.stacks)
    pot, stack = sum(antes), stacks[0] - antes[0]
    return Spot(game, tuple(game.board), (first, second), pot, stack, rule)


def begin_at(
    game: Game, board: Sequence[int] = (), weights: Sequence[Sequence[float]] | None = None
) -> Game:
    """The game from these public cards on, with hands as likely as `weights` [players][hands]."""
    if not board and weights is None:
        return game
    if not isinstance(game, _native.Poker):
        raise InputError(f"{game.name}: begins nowhere else than at its beginning")
    given = game.weights if weights is None else [list(each) for each in weights]
    with refusing(game.name):
        cards = list(board) or game.board
        return _native.Poker(
            game.rules, game.menu, board=cards, weights=given, aggressor=game.aggressor
        )

# SPDX-License-Identifier: MIT
"""A hold'em spot: board, pot, stacks, two ranges and bet sizes, as a game that begins there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games.loading import Game
from regretless.games.menus import STREETS
from regretless.games.variants import make_poker, make_variant
from regretless.notation.cards import deck_ranks, parse_cards
from regretless.notation.ranges import Range

_STREETS = {3: [3, 1, 1], 4: [4, 1], 5: [5]}
_RULES = {"holdem": (13, 4, 0), "short-deck": (9, 4, 4)}


@dataclass(frozen=True)
class Spot:
    """A game that begins at a board with a pot and two ranges; seat 0 is out of position."""

    game: "_native.Poker"
    """Begins there: with the board, and with hands as likely as the ranges say."""
    board: tuple[int, ...]
    ranges: tuple[Range, Range]
    pot: int
    stack: int
    rule: str = "holdem"


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
) -> Spot:
    """The spot, with `pot` chips in the middle and `stack` behind for each player.

    Where `stack_ip` is another, both have the smaller one: nobody can win more. The house takes
    the share `rake` of the pot, rounded down, at most `rake_cap`. `rule` may be short-deck.
    A menu may have sizes for the streets before the spot; they are not needed and not read.
    """
    if rule not in _RULES:
        raise InputError.unknown(f"rule: no spots of {rule!r}", rule, _RULES)
    deck = _native.Deck(*_RULES[rule])
    cards = parse_cards(board, deck)
    if len(cards) not in _STREETS:
        raise InputError(f"board: must be 3, 4 or 5 cards, not {len(cards)}")
    if pot <= 0:
        raise InputError(f"pot: must be a positive number of chips, not {pot}")
    if stack <= 0:
        raise InputError(f"stack: must be positive, not {stack}")
    if stack_ip is not None and stack_ip <= 0:
        raise InputError(f"stack_ip: must be positive, not {stack_ip}")
    if not 0 <= rake < 1:
        raise InputError(f"rake: must be a share of the pot from 0 to below 1, not {rake}")
    if rake_cap is not None and rake_cap <= 0:
        raise InputError(f"rake_cap: must be positive, not {rake_cap}")
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
        "rake": {"fraction": rake} | ({} if rake_cap is None else {"cap": rake_cap}),
        "menu": _later_streets(menu, STREETS.index("flop") + len(cards) - 3),
    }
    rules = make_poker(make_variant(row, "spot"), "spot")
    ranges = (Range.parse(range_oop, deck), Range.parse(range_ip, deck))
    for name, each in zip(("range_oop", "range_ip"), ranges, strict=True):
        if not any(set(cards).isdisjoint(hand) for hand in each.hands.tolist()):
            raise InputError(f"{name}: no hand that the board leaves")
    game = begin_at(rules, cards, [each.weights.tolist() for each in ranges])
    assert isinstance(game, _native.Poker)
    return Spot(game, cards, ranges, pot, stack, rule)


def begin_at(
    game: Game, board: Sequence[int] = (), weights: Sequence[Sequence[float]] | None = None
) -> Game:
    """The game from these public cards on, with hands as likely as `weights` [players][hands]."""
    if not board and weights is None:
        return game
    if not isinstance(game, _native.Poker):
        raise InputError(f"{game.name}: begins nowhere else than at its beginning")
    given = game.weights if weights is None else [list(each) for each in weights]
    try:
        cards = list(board) or game.board
        return _native.Poker(game.rules, game.menu, board=cards, weights=given)
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None


def _later_streets(menu: Any, first: int) -> Any:
    """The menu without the streets before the first one, in each seat too."""
    if isinstance(menu, str):
        return menu
    if not isinstance(menu, Mapping):
        raise InputError(f"menu: must be a mapping or a line of sizes, not {menu!r}")
    kept = {key: value for key, value in menu.items() if key not in STREETS[:first]}
    if isinstance(kept.get("seats"), list):
        kept["seats"] = [
            _later_streets(seat, first) if isinstance(seat, Mapping) else seat
            for seat in kept["seats"]
        ]
    return kept

# SPDX-License-Identifier: MIT
"""Poker rules made from a `Variant`, and the names of their seats and streets."""

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games.menus import make_menu
from regretless.games.variants import Variant
from regretless.notation.cards import BOARD_CARDS, RANKS, STREETS


def position_names(rules: _native.PokerRules) -> list[str]:
    """The position of each seat if the first two post blinds, else `seat 0` and so on."""
    num_seats, blinds = rules.num_players, rules.blinds
    if num_seats == 2 and blinds[0] > blinds[1] > 0:
        return ["BB", "BTN"]
    if num_seats == 2 or not 0 < blinds[0] <= blinds[1]:
        return [f"seat {seat}" for seat in range(num_seats)]
    return ring_positions(num_seats)


def ring_positions(num_seats: int) -> list[str]:
    """The positions of three seats or more, from the small blind to the button."""
    num_middle = num_seats - 3
    late = ["LJ", "HJ", "CO"][-min(3, num_middle - 1) :] if num_middle > 1 else []
    early = [f"UTG+{i}" if i else "UTG" for i in range(num_middle - len(late))]
    return ["SB", "BB", *early, *late, "BTN"]


def street_name(rules: _native.PokerRules, street: int) -> str:
    """The name by the number of board cards; games with one hole card only number their streets."""
    num_board = sum(rules.board_cards[: street + 1])
    if rules.num_hole_cards == 1 or num_board not in BOARD_CARDS:
        return f"street {street + 1}"
    return STREETS[BOARD_CARDS.index(num_board)]


def make_poker(variant: Variant, place: str) -> _native.Poker:
    """The game of a variant; InputError names the field that makes no sense."""
    rules = make_rules(variant, place)
    default = "fixed-limit" if variant.limit == "fixed" else "half-pot"
    with refusing(place):
        menu = make_menu(
            variant.menu if variant.menu is not None else default,
            rules.num_streets,
            streets=[menu_street(rules, street) for street in range(rules.num_streets)],
        )
        return _native.Poker(rules, menu)


def menu_street(rules: _native.PokerRules, street: int) -> str:
    """The name of a street in a menu: by the cards on the board, else by its number."""
    name = street_name(rules, street)
    return name if name in STREETS else STREETS[street]


def make_rules(variant: Variant, place: str) -> _native.PokerRules:
    """The rules of a variant; InputError names the field that makes no sense."""
    players, streets = variant.players, len(variant.board_cards)
    if players > variant.max_players:
        raise InputError(f"{place}: players: at most {variant.max_players}, not {players}")
    if not 1 <= streets <= 4:
        raise InputError(f"{place}: board_cards: must list 1 to 4 streets, not {streets}")
    blinds = _blinds(variant, place)
    big_blind = max(blinds)
    rules = _native.PokerRules()
    rules.name = variant.name
    rules.num_players = players
    rules.deck = _deck(variant, place)
    rules.num_hole_cards = variant.hole_cards
    rules.num_streets = streets
    rules.board_cards = variant.board_cards
    rules.limit = _native.Limit[variant.limit.upper()]
    base_bet = (
        variant.big_blind or big_blind or max(_spread(variant.antes, players, "antes", place))
    )
    rules.bets = _spread(
        variant.bets if variant.bets is not None else base_bet, streets, "bets", place
    )
    cap = variant.max_raises if variant.max_raises is not None else _native.NO_RAISE_CAP
    rules.max_raises = _spread(cap, streets, "max_raises", place)
    rules.antes = _fill(variant.antes, players, "antes", place)
    rules.blinds = blinds
    rules.stacks = _spread(variant.stacks, players, "stacks", place)
    rules.first_actors = _first_actors(variant, blinds, place)
    rules.rake = _native.Rake()
    rules.rake.fraction = variant.rake.fraction
    rules.rake.cap = variant.rake.cap
    rules.rake.no_flop_no_drop = variant.rake.no_flop_no_drop
    rules.showdown = _native.Showdown[variant.showdown.upper().replace("-", "_")]
    rules.unit = variant.unit if variant.unit is not None else variant.big_blind or 1
    with refusing(place):
        rules.validate()
    return rules


def _deck(variant: Variant, place: str) -> _native.Deck:
    ranks = variant.deck.ranks.upper()
    lowest = RANKS.find(ranks)
    if not ranks or lowest < 0:
        raise InputError(f"{place}: deck.ranks: {ranks!r} is not a part of {RANKS}")
    return _native.Deck(len(ranks), variant.deck.suits, lowest)


def _spread(value: int | list[int], count: int, key: str, place: str) -> list[int]:
    """One value for all, or a list with one for each."""
    if isinstance(value, int):
        return [value] * count
    if len(value) != count:
        raise InputError(f"{place}: {key}: needs {count} values, not {len(value)}")
    return value


def _fill(value: int | list[int], count: int, key: str, place: str) -> list[int]:
    """Spreads a value as `_spread` does; a short list is filled with zeros."""
    if isinstance(value, list) and len(value) < count:
        value = value + [0] * (count - len(value))
    return _spread(value, count, key, place)


def _blinds(variant: Variant, place: str) -> list[int]:
    if variant.blinds is not None:
        if variant.small_blind or variant.big_blind or variant.straddle or variant.button_blind:
            raise InputError(f"{place}: blinds: give these or small_blind, big_blind, straddle ...")
        return _fill(variant.blinds, variant.players, "blinds", place)
    if variant.players == 2:
        if variant.straddle:
            raise InputError(f"{place}: straddle: needs three players")
        posts = [variant.big_blind, variant.small_blind]
    else:
        posts = [variant.small_blind, variant.big_blind, variant.straddle]
        posts += [0] * (variant.players - 3)
    posts[-1] = max(posts[-1], variant.button_blind)
    return posts


def _first_actors(variant: Variant, blinds: list[int], place: str) -> list[int]:
    streets = len(variant.board_cards)
    if variant.first_actors is not None:
        return _spread(variant.first_actors, streets, "first_actors", place)
    last_blind = max(range(variant.players), key=lambda seat: (blinds[seat], seat))
    return [(last_blind + 1) % variant.players] + [0] * (streets - 1)

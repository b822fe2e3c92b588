# SPDX-License-Identifier: MIT
"""Bet menus as data: the raises of a player by seat, street and situation.

A menu is written in one of three ways:

- a name of the table below (`deep-cfr-7`);
- one line of sizes for every street: `33%,75%,150%,a`;
- a mapping (YAML): sizes by street, `open` (nobody has raised yet on the street), `raise` (one
  raise) and `reraise` (more); a missing one is taken from the one before. `donk` is for bets
  into the player who made the last bet or raise of the street before, while he has still to
  speak; `none` of them, or without the key the sizes of `open`. Beside the streets it holds for all
  streets without donk sizes. `seats` gives a
  list of such mappings, one for each seat; `max_raises` limits the raises of a street;
  `slots` names the raise slots; `add_all_in`, `force_all_in` and `merge` are ratios to the pot;
  `limp: false` leaves out calling before anybody has raised preflop.

Sizes: `33%` raise by that share of the pot after a call · `2.5x` raise to that multiple of the
bet faced · `100c` raise by that many chips · `3u` raise to that many units (big blinds) · `e`,
`2e`, `3e200%` geometric, all-in after the streets left (or 2, 3), at most 200 % of the pot ·
`min` · `a` all-in (the pot, in pot limit) · `-` nothing. `a` is always the last slot.

Ratios: `add_all_in: R` offers all-in wherever it is at most R times the pot after a call;
`force_all_in: R` makes a raise all-in if a call leaves at most R times the pot then behind;
`merge: R` drops the smaller of two raises that are closer than the share R of the pot.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.notation.cards import STREETS

Rows = list[list[list[str]]]  # [streets][open, raise, reraise and perhaps donk][raise slots]

SITUATIONS = ("open", "raise", "reraise")
DONK = "donk"
RATIOS = ("add_all_in", "force_all_in", "merge")
FOLD_SLOT, CALL_SLOT, FIRST_RAISE_SLOT = range(3)
"""The first slots of every menu; a check is a call of 0 chips."""

MENUS: dict[str, Any] = {
    "fixed-limit": "min",
    "fcpa": "100%,a",
    "half-pot": "50%,100%,a",
    "deep-cfr-7": {
        "slots": ["raise 1", "raise 2", "raise 3", "raise 4", "all-in"],
        "preflop": {"open": "2u,2.5u,3u,3.5u,a", "raise": "4x,5x,a"},
        "flop": "33%,75%,150%,a",
        "turn": "50%,100%,a",
        "river": "33%,75%,150%,a",
    },
    "nfsp-9": "25%,40%,60%,80%,100%,150%,a",
    "sd-cfr": {"bet_sizes": [0.33, 0.67, 1.0, 2.0, 3.0], "max_raises_per_street": 3},
    "pot-limit": "33%,66%,a",
    "jam-fold": {"preflop": "a", "all": "", "limp": False},
    "half-or-pot": {"slots": ["50%", "pot"], "all": "50%,a", "max_raises": 3},
}


def make_menu(
    spec: str | Mapping[str, Any],
    num_streets: int,
    name: str = "custom",
    streets: Sequence[str] = STREETS,
) -> "_native.BetMenu":
    """The menu of a `spec` for a game of `num_streets` streets; InputError names the place."""
    if isinstance(spec, str) and spec in MENUS:
        return make_menu(MENUS[spec], num_streets, spec, streets)
    if isinstance(spec, str):
        spec = {"all": spec}
    spec = _from_bet_sizes(dict(spec))
    max_raises = _take_count(spec, "max_raises")
    ratios = {key: _take_ratio(spec, key) for key in RATIOS}
    limp = _take_flag(spec, "limp", True)
    names = spec.pop("slots", None)
    seats = spec.pop("seats", None)
    if seats is not None and spec:
        raise InputError(f"menu: {next(iter(spec))!r} beside 'seats'; put it into each seat")
    if seats is not None and not (isinstance(seats, Sequence) and seats):
        raise InputError("menu.seats: must be a list with an entry for each seat")
    tables = [
        _read_streets(seat, streets[:num_streets], f"menu.seats[{i}]" if seats else "menu")
        for i, seat in enumerate(seats or [spec])
    ]
    lines = [sizes for table in tables for street in table for sizes in street]
    has_all_in = ratios["add_all_in"] > 0 or any("a" in sizes for sizes in lines)
    # A row without `a` leaves the last slot, which is all-in, empty.
    width = max(len(sizes) - sizes.count("a") for sizes in lines) + has_all_in
    slots = _slot_names(names, tables, width, has_all_in)
    rows = [
        [[_align(sizes, width, has_all_in) for sizes in street] for street in t] for t in tables
    ]
    try:
        names = ["fold", "call", *slots]
        return _native.BetMenu(name, names, rows, max_raises, limp=limp, **ratios)
    except ValueError as error:
        raise InputError(f"menu: {error}") from None


def _from_bet_sizes(spec: dict[str, Any]) -> dict[str, Any]:
    """The short form `bet_sizes: [0.33, ...], max_raises_per_street: 3`: pot shares and all-in."""
    if "bet_sizes" not in spec:
        return spec
    if "all" in spec:
        raise InputError("menu: 'all' beside 'bet_sizes'; both give the sizes of every street")
    sizes = spec.pop("bet_sizes")
    if not isinstance(sizes, Sequence) or isinstance(sizes, str):
        raise InputError("menu.bet_sizes: must be a list of shares of the pot")
    for i, size in enumerate(sizes):
        if not isinstance(size, int | float) or isinstance(size, bool) or not 0 < size <= 1e6:
            raise InputError(f"menu.bet_sizes[{i}]: must be a positive number, not {size!r}")
    if "max_raises_per_street" in spec:
        spec["max_raises"] = spec.pop("max_raises_per_street")
    return {"all": [f"{size * 100:.10g}%" for size in sizes] + ["a"], **spec}


def _take_count(spec: dict[str, Any], key: str) -> int:
    value = spec.pop(key, _native.NO_RAISE_CAP)
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or not 0 <= value <= _native.NO_RAISE_CAP
    ):
        raise InputError(f"menu.{key}: must be a whole number from 0, not {value!r}")
    return value


def _take_ratio(spec: dict[str, Any], key: str) -> float:
    value = spec.pop(key, 0)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1e6:
        raise InputError(f"menu.{key}: must be a number from 0 to a million, not {value!r}")
    return float(value)


def _take_flag(spec: dict[str, Any], key: str, default: bool) -> bool:
    value = spec.pop(key, default)
    if not isinstance(value, bool):
        raise InputError(f"menu.{key}: must be true or false, not {value!r}")
    return value


def _read_streets(spec: Any, streets: Sequence[str], place: str) -> Rows:
    if isinstance(spec, str | list):
        spec = {"all": spec}
    if not isinstance(spec, Mapping):
        raise InputError(f"{place}: must be a mapping of streets or a line of sizes")
    donk = {key: value for key, value in spec.items() if key == DONK}
    spec = {key: value for key, value in spec.items() if key != DONK}
    for key in spec:
        if key != "all" and key not in streets:
            raise InputError(
                f"{place}: unknown street {key!r}; there are {', '.join(streets)} and all"
            )
    if "all" not in spec:
        missing = [street for street in streets if street not in spec]
        if missing:
            raise InputError(f"{place}: no sizes for {missing[0]!r}, and no 'all'")
    for street, given in spec.items():
        if street == STREETS[0] and isinstance(given, Mapping) and DONK in given:
            raise InputError(f"{place}.{street}.{DONK}: nobody can have bet on a street before")
    rows = []
    for street in streets:
        given, before = spec.get(street, spec.get("all")), street != STREETS[0]
        row = _read_situations(given, donk if before else {}, f"{place}.{street}")
        rows.append(row if before else row[: len(SITUATIONS)])  # nobody has bet before the first
    return rows


def _read_situations(spec: Any, donk: Mapping[str, Any], place: str) -> list[list[str]]:
    """The rows; `donk` holds the sizes of donk bets where the street has none of its own."""
    rows: list[list[str]] = []
    if isinstance(spec, Mapping):
        known = (*SITUATIONS, DONK)
        for key in spec:
            if key not in known:
                raise InputError(f"{place}: unknown key {key!r}; there are {', '.join(known)}")
        if "open" not in spec:
            raise InputError(f"{place}: 'open' is missing")
        for key in SITUATIONS:
            rows.append(_read_sizes(spec[key], f"{place}.{key}") if key in spec else rows[-1])
        donk = {**donk, **spec}
    else:
        rows += [_read_sizes(spec, place)] * len(SITUATIONS)
    if DONK in donk:
        sizes = donk[DONK]
        rows.append(_read_sizes("" if sizes == "none" else sizes, f"{place}.{DONK}"))
    return rows


def _read_sizes(spec: Any, place: str) -> list[str]:
    if isinstance(spec, str):
        spec = spec.split(",") if spec.strip() else []
    if not isinstance(spec, list):
        raise InputError(f"{place}: must be a line or a list of sizes, not {spec!r}")
    sizes: list[str] = []
    for i, item in enumerate(spec):
        if not isinstance(item, str) or not item.strip().isprintable():
            raise InputError(f"{place}[{i}]: must be a size such as 33%, not {item!r}")
        try:
            sizes.append(_native.normalize_bet_size(item.strip()))
        except ValueError as error:
            raise InputError(f"{place}[{i}]: {error}") from None
    for size in sizes:
        if size != "-" and sizes.count(size) > 1:  # the second slot would never be legal
            raise InputError(f"{place}: {size} is given twice")
    return sizes


def _align(sizes: list[str], width: int, has_all_in: bool) -> list[str]:
    """The sizes padded to the slots, with `a` in the last one."""
    others = [size for size in sizes if size != "a"]
    last = ["a" if "a" in sizes else "-"] if has_all_in else []
    return others + ["-"] * (width - len(others) - len(last)) + last


def _slot_names(names: Any, tables: list[Rows], width: int, has_all_in: bool) -> list[str]:
    if names is not None:
        is_list = isinstance(names, list) and len(names) == width
        if not is_list or not all(isinstance(n, str) and n.isprintable() for n in names):
            raise InputError(f"menu.slots: must be {width} names, one for each raise slot")
        return list(names)
    aligned = {
        tuple(_align(sizes, width, has_all_in)) for t in tables for street in t for sizes in street
    }
    if len(aligned) == 1:
        words = {"a": "all-in", "min": "raise"}
        sizes = next(iter(aligned))
        named = [words.get(size, size) for size in sizes[: width - has_all_in]]
        return named + ["all-in"] * has_all_in
    return [f"raise {i + 1}" for i in range(width - has_all_in)] + ["all-in"] * has_all_in

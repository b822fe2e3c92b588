# SPDX-License-Identifier: MIT
"""Bet menus as data: the raises of a player by seat, street and situation.

A menu is written in one of three ways:

- a name of the table below (`deep-cfr-7`);
- one line of sizes for every street: `33%,75%,150%,a`;
- a mapping (YAML): sizes by street, `open` (nobody has raised yet on the street), `raise` (one
  raise) and `reraise` (more); a missing one is taken from the one before. Streets that the game
  begins after are ignored. `donk` is for bets into the player who made the last bet or raise of the
  street before, while he has still to speak; `none` of them, or without the key the sizes of
  `open`. Beside the streets it holds for all streets without donk sizes. `seats` gives a list of
  such mappings, one for each seat; `max_raises` limits the raises of a street; `slots` names the
  raise slots; `add_all_in`, `force_all_in` and `merge` are ratios to the pot; `limp: false` leaves
  out calling before anybody has raised preflop.

Sizes: `33%` raise by that share of the pot after a call · `2.5x` raise to that multiple of the
bet faced · `100c` raise by that many chips · `3u` raise to that many units (big blinds) · `e`,
`2e`, `3e200%` geometric, all-in after the streets left (or 2, 3), at most 200 % of the pot ·
`min` · `a` all-in (the pot, in pot limit) · `-` nothing. `a` is always the last slot.

Ratios: `add_all_in: R` offers all-in wherever it is at most R times the pot after a call;
`force_all_in: R` makes a raise all-in if a call leaves at most R times the pot then behind;
`merge: R` drops the smaller of two raises that are closer than the share R of the pot.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.notation.cards import STREETS
from regretless.options import read_model

Rows = list[list[list[str]]]  # [streets][open, raise, reraise and perhaps donk][raise slots]

SITUATIONS = ("open", "raise", "reraise")
DONK = "donk"
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


_LIMITS = {"max_raises", "add_all_in", "force_all_in", "merge", "limp"}
_Ratio = Annotated[float, Field(ge=0, le=1e6)]


class _Options(BaseModel):
    """The keys of a mapping; all further ones are streets."""

    model_config = ConfigDict(extra="allow", strict=True)

    bet_sizes: Sequence[Annotated[float, Field(gt=0, le=1e6)]] | None = None
    """A short form: shares of the pot on every street, and all-in."""
    max_raises: int = Field(
        _native.NO_RAISE_CAP,
        ge=0,
        le=_native.NO_RAISE_CAP,
        validation_alias=AliasChoices("max_raises", "max_raises_per_street"),
    )
    add_all_in: _Ratio = 0.0
    force_all_in: _Ratio = 0.0
    merge: _Ratio = 0.0
    limp: bool = True
    slots: list[str] | None = None
    seats: Annotated[Sequence[Any], Field(min_length=1)] | None = None


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
    options = read_model(_Options, dict(spec), "menu.")
    spec, seats = dict(options.model_extra or {}), options.seats
    if options.bet_sizes is not None:
        if "all" in spec:
            raise InputError("menu: 'all' beside 'bet_sizes'; both give the sizes of every street")
        spec["all"] = [f"{size * 100:.10g}%" for size in options.bet_sizes] + ["a"]
    if seats is not None and spec:
        raise InputError(f"menu: {next(iter(spec))!r} beside 'seats'; put it into each seat")
    tables = [
        _read_streets(seat, streets[:num_streets], f"menu.seats[{i}]" if seats else "menu")
        for i, seat in enumerate(seats or [spec])
    ]
    lines = [sizes for table in tables for street in table for sizes in street]
    has_all_in = options.add_all_in > 0 or any("a" in sizes for sizes in lines)
    # A row without `a` leaves the last slot, which is all-in, empty.
    width = max(len(sizes) - sizes.count("a") for sizes in lines) + has_all_in
    rows = [
        [[_align(sizes, width, has_all_in) for sizes in street] for street in t] for t in tables
    ]
    slots = _slot_names(rows, has_all_in) if options.slots is None else options.slots
    if len(slots) != width or not all(map(str.isprintable, slots)):
        raise InputError(f"menu.slots: must be {width} names, one for each raise slot")
    with refusing("menu"):
        limits = options.model_dump(include=_LIMITS)
        return _native.BetMenu(name, ["fold", "call", *slots], rows, **limits)


def _read_streets(spec: Any, streets: Sequence[str], place: str) -> Rows:
    if isinstance(spec, str | list):
        spec = {"all": spec}
    if not isinstance(spec, Mapping):
        raise InputError(f"{place}: must be a mapping of streets or a line of sizes")
    donk = {key: value for key, value in spec.items() if key == DONK}
    before = (DONK, *STREETS[: STREETS.index(streets[0])])  # streets that the game begins after
    spec = {key: value for key, value in spec.items() if key not in before}
    for key in spec:
        if key != "all" and key not in streets:
            raise InputError(
                f"{place}: unknown street {key!r}; there are {', '.join(streets)} and all"
            )
    rows = []
    for street in streets:
        if street not in spec and "all" not in spec:
            raise InputError(f"{place}: no sizes for {street!r}, and no 'all'")
        own, is_first = spec.get(street), street == STREETS[0]
        if is_first and isinstance(own, Mapping) and DONK in own:
            raise InputError(f"{place}.{street}.{DONK}: nobody can have bet on a street before")
        given = spec.get(street, spec.get("all"))
        row = _read_situations(given, {} if is_first else donk, f"{place}.{street}")
        rows.append(row[: len(SITUATIONS)] if is_first else row)
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
        with refusing(f"{place}[{i}]"):
            sizes.append(_native.normalize_bet_size(item.strip()))
    for size in sizes:
        if size != "-" and sizes.count(size) > 1:  # the second slot would never be legal
            raise InputError(f"{place}: {size} is given twice")
    return sizes


def _align(sizes: list[str], width: int, has_all_in: bool) -> list[str]:
    """The sizes padded to the slots, with `a` in the last one."""
    others = [size for size in sizes if size != "a"]
    last = ["a" if "a" in sizes else "-"] if has_all_in else []
    return others + ["-"] * (width - len(others) - len(last)) + last


def _slot_names(tables: list[Rows], has_all_in: bool) -> list[str]:
    """The sizes, if they are the same in all situations; else numbers."""
    aligned = {tuple(sizes) for table in tables for street in table for sizes in street}
    sizes, words = next(iter(aligned)), {"a": "all-in", "min": "raise"}
    names = [words.get(size, size) for size in sizes]
    if len(aligned) > 1:
        names = [f"raise {i + 1}" for i in range(len(sizes))]
    return names[: len(sizes) - has_all_in] + ["all-in"] * has_all_in

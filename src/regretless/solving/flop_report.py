# SPDX-License-Identifier: MIT
"""A spot solved on many flops: one row for each flop, and their weighted mean."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.notation.cards import format_cards, parse_cards
from regretless.solving.solution import solve
from regretless.solving.spot_options import SpotOptions
from regretless.storage.files import require_place, told_on_failure, write_file

NUM_FLOPS = 1755
"""Flops up to suit isomorphism."""
_FORMAT, _VERSION = "regretless-flops", 1


@dataclass(frozen=True)
class Flop:
    """A board of three cards."""

    cards: str
    weight: float
    """The share of all flops that it stands for."""


def all_flops() -> list[Flop]:
    """All flops up to suit isomorphism; weights sum to 1.

    In order of suits (rainbow, two of a suit, one suit), then ranks, the highest first.
    """
    deck = _native.Deck()
    canonical = _native.CanonicalIndex([3], deck)
    deals = _native.hand_cards(deck, 3)
    names = canonical.index(deals)
    _, first, counts = np.unique(names, return_index=True, return_counts=True)
    total = counts.sum()
    found = []
    for deal, count in zip(deals[first].tolist(), counts.tolist(), strict=True):
        cards = sorted(deal, reverse=True)
        num_suits = len({card % 4 for card in cards})
        order = (-num_suits, [-(card // 4) for card in cards], [-card for card in cards])
        found.append((order, Flop(format_cards(cards, deck), count / total)))
    return [flop for _, flop in sorted(found, key=lambda each: each[0])]


def flop_subset(count: int) -> list[Flop]:
    """A fixed subset of flops that stands for all.

    In the order of `all_flops` their weights are laid end to end and cut into equal parts; the
    flop in the middle of a part stands for it.
    """
    flops = all_flops()
    if not 1 <= count <= len(flops):
        raise InputError(f"--flops: must be 1 to {len(flops):,}, not {count}")
    if count == len(flops):
        return flops
    ends = np.cumsum([flop.weight for flop in flops])
    places = np.searchsorted(ends, (np.arange(count) + 0.5) / count)
    chosen, times = np.unique(places, return_counts=True)
    pairs = zip(chosen.tolist(), times.tolist(), strict=True)
    return [Flop(flops[place].cards, share / count) for place, share in pairs]


def read_flops(text: str) -> list[Flop]:
    """A number of flops, or flops between commas, each as likely as the others."""
    if text.strip().isdecimal():
        return flop_subset(int(text.strip()[:9]))
    names = [each.strip() for each in text.split(",")]
    for name in names:
        if len(parse_cards(name)) != 3:
            raise InputError(f"--flops: {name!r} is no flop of three cards")
    if len(set(names)) != len(names):
        raise InputError("--flops: a flop is given twice")
    return [Flop(name, 1 / len(names)) for name in names]


def flop_rows(
    options: SpotOptions,
    flops: list[Flop],
    path: Path,
    budget: dict[str, Any],
    tell: Callable[[dict[str, Any]], None] = lambda _: None,
) -> list[dict[str, Any]]:
    """Solves the spot on each flop and keeps its row in a file; rows of the file are not redone.

    `budget` holds options of `solve`. InputError if the file is of another spot or budget, or if
    nothing can be written there: before anything is solved.
    """
    settings = json.loads(json.dumps({**asdict(options), **budget}, default=str))
    settings["board"] = ""
    require_place(path)
    done = _read(path, settings)
    for flop in flops:
        if flop.cards not in done:
            spot = replace(options, board=flop.cards).spot()
            assert spot is not None  # it has a board
            found = solve(spot, **budget).to_json()
            kept = ("exploitability", "iterations", "ev_oop", "ev_ip", "equity_oop", "equity_ip")
            row = {"flop": flop.cards} | {key: found[key] for key in kept} | found["root_mix"]
            done[flop.cards] = row
            _write(path, settings, done)
        tell(done[flop.cards])
    return [{"weight": flop.weight, **done[flop.cards]} for flop in flops]


def mean_row(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The weighted mean of all figures; an action that a flop does not have counts as never."""
    names = dict.fromkeys(name for row in rows for name in row if name not in ("flop", "weight"))
    total = sum(row["weight"] for row in rows)
    means = {
        name: sum(row["weight"] * row.get(name, 0.0) for row in rows) / total for name in names
    }
    return {"weight": total, "flop": "all", **means}


def table_of(rows: list[dict[str, Any]]) -> Iterator[list[Any]]:
    """Names, then the figures of each row, then their mean."""
    mean = mean_row(rows)
    yield list(mean)
    for row in [*rows, mean]:
        yield [row.get(name) for name in mean]


def _read(path: Path, settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        rows = {str(row["flop"]): dict(row) for row in kept["rows"]}
        is_ours = (kept["format"], kept["version"]) == (_FORMAT, _VERSION)
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{path}: not a report over flops") from None
    if not is_ours:
        raise InputError(f"{path}: not a report over flops, or of another version")
    if kept["settings"] != settings:
        keys = settings.keys() | kept["settings"].keys()
        other = min(k for k in keys if settings.get(k) != kept["settings"].get(k))
        raise InputError(f"{path}: is a report with another {other}; name another file")
    return rows


def _write(path: Path, settings: dict[str, Any], rows: dict[str, dict[str, Any]]) -> None:
    whole = {"format": _FORMAT, "version": _VERSION, "settings": settings}
    with told_on_failure(path):
        write_file(path, json.dumps(whole | {"rows": list(rows.values())}, indent=1) + "\n")

# SPDX-License-Identifier: MIT
"""`regretless abstraction`: find buckets of hands, and look at them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer
from rich.table import Table

from regretless.abstraction.building import AbstractionConfig, Features, build_abstraction
from regretless.abstraction.card_abstraction import CardAbstraction, Cards
from regretless.bundles.abstraction import open_abstraction, require_replaceable, write_abstraction
from regretless.cli.field_options import takes
from regretless.cli.output import ForceFlag, JsonFlag, console, print_json, print_line, require_new
from regretless.cli.progress import Telling
from regretless.errors import InputError
from regretless.notation.cards import RANKS, STREETS

abstraction = typer.Typer(help="Build and inspect buckets of hold'em hands for MCCFR.")

_STREET_FEATURES = ("preflop_features", "flop_features", "turn_features")
StreetFeatures = Annotated[
    Features | None, typer.Option(help="Features of this street.", show_default=False)
]


@abstraction.command()
@takes(AbstractionConfig, *_STREET_FEATURES)
def build(
    output: Annotated[Path, typer.Option(help="Directory to write.")],
    *,
    config: AbstractionConfig,
    features: Annotated[
        Features, typer.Option(help="Features of hands before the river.")
    ] = "histogram",
    preflop_features: StreetFeatures = None,
    flop_features: StreetFeatures = None,
    turn_features: StreetFeatures = None,
    rule: Annotated[
        Literal["holdem", "short-deck"], typer.Option(help="Cards and ranks of hands.")
    ] = "holdem",
    ranks: Annotated[
        str | None, typer.Option(help="Ranks of the deck.", show_default=False)
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Number of threads.")] = 1,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Cluster all hands into buckets by their equities on future boards."""
    given = (preflop_features, flop_features, turn_features)
    streets = zip(_STREET_FEATURES, given, strict=True)
    chosen: dict[str, Any] = {name: each or features for name, each in streets}
    config = replace(config, **chosen)
    cards = Cards(rule, ranks or (RANKS if rule == "holdem" else RANKS[4:]))
    require_replaceable(output)
    if not force:
        require_new(output, "an abstraction")
    with Telling(for_programs=json) as telling:
        built = build_abstraction(config, cards, threads=threads, watch=telling.watch())
    write_abstraction(output, built)
    _show(output, built, json)


@abstraction.command()
def info(
    path: Annotated[Path, typer.Argument(help="The directory of an abstraction.")],
    hand: Annotated[str, typer.Option(help="Two cards, to print their bucket.")] = "",
    board: Annotated[str, typer.Option(help="Board of the hand, 3 to 5 cards.")] = "",
    json: JsonFlag = False,
) -> None:
    """Print the buckets of each street, or the bucket of a hand, and verify the files."""
    opened = open_abstraction(path)
    if board and not hand:
        raise InputError("--board: goes with --hand")
    if not hand:
        _show(path, opened, json)
        return
    street, bucket = opened.find(hand, board)
    buckets = opened.streets[street]
    facts = {
        "street": street,
        "bucket": bucket,
        "of": len(buckets),
        "equity": float(buckets.equities[bucket]),
        "share": float(buckets.deals[bucket] / buckets.deals.sum()),
    }
    if json:
        print_json(facts)
        return
    print_line(
        f"{hand} {board}".strip() + f": bucket {bucket} of {facts['of']} on the {street}, "
        f"mean equity {facts['equity']:.3f}, {facts['share']:.2%} of all deals"
    )


def _street_facts(opened: CardAbstraction, street: str) -> dict[str, Any]:
    buckets = opened.streets[street]
    shares = buckets.deals / buckets.deals.sum()
    return {
        "buckets": len(buckets),
        "entries": len(buckets.table),
        "deals": int(buckets.deals.sum()),
        "features": str(opened.made.get(f"{street}_features", "equity")),
        "smallest": float(shares.min()),
        "median": float(np.median(shares)),
        "largest": float(shares.max()),
        "least_equity": float(buckets.equities[0]),
        "most_equity": float(buckets.equities[-1]),
    }


def _show(path: Path, opened: CardAbstraction, json: bool) -> None:
    streets = {street: _street_facts(opened, street) for street in STREETS}
    facts = {
        "path": str(path),
        "digest": opened.digest,
        "rule": opened.cards.rule,
        "ranks": opened.cards.ranks,
        "made": dict(opened.made),
    }
    if json:
        print_json({**facts, "streets": streets})
        return
    names = ("buckets", "table", "features", "deals in a bucket: least, median, most", "equities")
    table = Table("street", *names, title=f"{path}", caption=f"digest {opened.digest}")
    for street, found in streets.items():
        table.add_row(
            street,
            f"{found['buckets']:,}",
            f"{found['entries']:,}",
            found["features"],
            " / ".join(f"{found[key]:.3%}" for key in ("smallest", "median", "largest")),
            f"{found['least_equity']:.3f} to {found['most_equity']:.3f}",
        )
    console.print(table)

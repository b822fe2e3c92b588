# SPDX-License-Identifier: MIT
"""The part of `regretless evaluate` that measures a value network of a street."""

from dataclasses import asdict, replace

from regretless.bundles.bundle import Bundle, copy_bundle
from regretless.bundles.bundle_manifest import Strength
from regretless.bundles.solution import claimed
from regretless.cli.output import print_json, print_line
from regretless.cli.progress import Telling
from regretless.errors import needing


def evaluate_street_values(
    bundle: Bundle, device: str, threads: int, *, record: bool, json: bool
) -> None:
    """Prints the gate of a network: what spots before its street lose that are solved with it."""
    with Telling("loading", for_programs=json, forecasts=True) as telling:
        with needing(f"{bundle.path}: a value network", "torch"):
            from regretless.search.streets.gate import gate, gate_measures, gate_of
        weights = bundle.street_values()
        street, kind = weights.shape.street, gate_of(weights.shape.street)
        sizes = replace(kind.sizes, threads=threads)
        telling.say(f"{sizes.spots} {kind.street}s")
        rows = gate(weights, sizes, device=device, watch=telling.watch())
    measures = gate_measures(street, rows, sizes)
    if record:
        new = [claimed(each) for each in measures]
        names = {each.measure for each in new}
        kept: list[Strength] = [
            each for each in bundle.manifest.strength if each.measure not in names
        ]
        copy_bundle(bundle, bundle.path, strength=[*kept, *new])
    if json:
        found = {
            "measures": [asdict(each) for each in measures],
            "spots": [asdict(row) for row in rows],
        }
        print_json(found)
        return
    print_line(f"{bundle.manifest.algorithm.name}, {bundle.path}")
    exact = f"exact {street}s"
    print_line(f"{kind.street:<10} stack in pots   loss in % of the pot: {exact:<12}   network")
    for row in rows:
        print_line(f"{row.spot:<10} {row.stack:>13.2f} {row.exact:>36.3f} {row.network:>9.3f}")
    for each in measures:
        ends = "" if each.low is None else f" ({each.low:.3f} to {each.high:.3f})"
        print_line(f"{each.measure}  {each.value:.3f}{ends} {each.unit}")
    print_line(measures[0].how)

# SPDX-License-Identifier: MIT
"""`regretless evaluate`: how strong the strategy of a run or of a bundle is."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import JsonFlag, console, print_json
from regretless.evaluation.measures import Evaluation
from regretless.evaluation.measures import evaluate as measure
from regretless.storage.bundle import Bundle
from regretless.storage.run_record import find_bundle


def evaluate(
    path: Annotated[Path, typer.Argument(help="The directory of a run or of a bundle.")],
    json: JsonFlag = False,
) -> None:
    """Measure a strategy: exactly where the game is small enough, else say what is possible."""
    bundle = find_bundle(path)
    bundle.verify()
    found = measure(bundle.game, bundle.policy())
    if json:
        print_json(_as_json(bundle, found))
        return
    _show(bundle, found)


def _as_json(bundle: Bundle, found: Evaluation) -> dict[str, Any]:
    manifest = bundle.manifest
    return {
        "game": manifest.game.name,
        "algorithm": manifest.algorithm.name,
        "measures": [asdict(each) for each in found.measures],
        "values": found.exact.values if found.exact else None,
        "best_response_gains": found.exact.gains if found.exact else None,
        "coverage": manifest.coverage.model_dump(),
        "claimed": [each.model_dump() for each in manifest.strength],
        "note": found.note,
    }


def _show(bundle: Bundle, found: Evaluation) -> None:
    manifest, coverage = bundle.manifest, bundle.manifest.coverage
    of = f" of {coverage.of:,}" if coverage.of is not None else ""
    lines = [
        f"{manifest.algorithm.name} on {manifest.game.name}, {coverage.infosets:,}{of} infosets"
    ]
    lines += [f"{m.measure}  {m.value:.6g} {m.unit}  ({m.how})" for m in found.measures]
    if found.exact:
        players = zip(found.exact.values, found.exact.gains, strict=True)
        lines += [
            f"seat {seat}  value {value:.6g}, a best response gains {gain:.6g}"
            for seat, (value, gain) in enumerate(players)
        ]
    if found.note:
        lines.append(found.note)
    lines += [f"claimed: {s.measure} {s.value:.6g} {s.unit}" for s in manifest.strength]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

# SPDX-License-Identifier: MIT
"""`regretless bundle`: what a strategy bundle is, whether it is sound, how two of them differ."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.bundles.bundle import Bundle, copy_bundle
from regretless.bundles.bundle_difference import BundleDifference, difference
from regretless.bundles.bundle_manifest import Precision
from regretless.bundles.model_card import strength_line
from regretless.bundles.shipped import shipped_names
from regretless.cli.output import (
    BundlePath,
    ForceFlag,
    JsonFlag,
    console,
    print_facts,
    print_json,
    print_line,
    require_new,
    rows_table,
)
from regretless.runs.run_record import require_bundle

bundle = typer.Typer(help="Inspect, verify, compare and rewrite strategy bundles.")


@bundle.command("list")
def list_shipped(json: JsonFlag = False) -> None:
    """List the shipped bundles; commands take their names in place of directories."""
    rows = [_shipped(name) for name in shipped_names()]
    if json:
        print_json({"bundles": rows})
        return
    head = ["bundle", "game", "algorithm", "strength"]
    console.print(rows_table(head, (row.values() for row in rows)))


@bundle.command()
def export(
    path: BundlePath,
    output: Annotated[Path, typer.Option(help="The directory of the new bundle.")],
    precision: Annotated[
        Precision | None,
        typer.Option(help="Number format: float64 or float32 for a table, others for networks."),
    ] = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Copy a bundle, optionally in another precision."""
    opened = require_bundle(path)
    opened.verify()
    if not force:
        require_new(output, "a bundle")
    made = copy_bundle(opened, output, precision=precision)
    _show_sound(made, output, json)


@bundle.command()
def info(path: BundlePath, json: JsonFlag = False) -> None:
    """Print the manifest of a bundle, without verifying the files."""
    opened = require_bundle(path)
    if json:
        print_json(opened.manifest.model_dump(mode="json"))
        return
    print_facts(_facts(opened))


@bundle.command()
def verify(path: BundlePath, json: JsonFlag = False) -> None:
    """Verify the hashes of all files, and every row or weight."""
    opened = require_bundle(path)
    opened.verify()
    _show_sound(opened, path, json)


def _show_sound(opened: Bundle, path: Path, json: bool) -> None:
    if json:
        print_json({"path": str(path), "sound": True, "sha256": opened.digest})
        return
    num_bytes = sum(each.size for each in opened.manifest.files.values())
    print_line(
        f"{path}: sound, {len(opened.manifest.files)} files, {num_bytes:,} bytes, "
        f"{opened.kind.describe(opened.manifest).size}"
    )


@bundle.command()
def diff(
    first: BundlePath,
    second: BundlePath,
    most: Annotated[
        int, typer.Option(min=0, max=1 << 32, help="Largest differences to list.")
    ] = 10,
    json: JsonFlag = False,
) -> None:
    """Compare two strategies of the same game."""
    opened = require_bundle(first), require_bundle(second)
    for each in opened:
        each.verify()
    found = difference(*opened, most=most)
    if json:
        print_json(asdict(found))
        return
    _show_difference(found, opened[0].manifest.facts.actions)


def _shipped(name: str) -> dict[str, str]:
    manifest = require_bundle(name).manifest
    return {
        "name": name,
        "game": manifest.game.name,
        "algorithm": manifest.algorithm.name,
        "strength": strength_line(manifest.strength),
    }


def _facts(opened: Bundle) -> dict[str, str]:
    manifest = opened.manifest
    algorithm = manifest.algorithm
    facts: dict[str, Any] = {
        "game": f"{manifest.game.name}, in {manifest.game.unit}",
        "slots": ", ".join(manifest.facts.actions),
        "algorithm": algorithm.name,
        "iterations": f"{algorithm.iterations:,}" if algorithm.iterations is not None else None,
        **opened.kind.describe(manifest).facts,
        "software": manifest.software,
        "created": manifest.created,
        "sha256": opened.digest,
    }
    for each in manifest.strength:
        facts[each.measure] = f"{each.value:.6g} {each.unit} ({each.how})"
    return {key: str(value) for key, value in facts.items() if value is not None}


def _show_difference(found: BundleDifference, actions: list[str]) -> None:
    console.print(
        f"{found.num_shared:,} infosets in both, {found.num_only_first:,} only in the first, "
        f"{found.num_only_second:,} only in the second\n"
        f"total variation: mean {found.mean_distance:.4g}, largest {found.max_distance:.4g}",
        highlight=False,
    )
    if not found.largest:
        return
    rows = (
        (each.infoset, f"{each.distance:.4f}", _row(each.first), _row(each.second))
        for each in found.largest
    )
    head = ["infoset", "distance", f"first ({', '.join(actions)})", "second"]
    console.print(rows_table(head, rows))


def _row(probabilities: list[float]) -> str:
    return "  ".join(f"{p:.3f}" for p in probabilities)

# SPDX-License-Identifier: MIT
"""`regretless bundle`: what a strategy bundle is, whether it is sound, how two of them differ."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from regretless.cli.output import JsonFlag, console, print_json
from regretless.errors import InputError
from regretless.storage.bundle import Bundle
from regretless.storage.bundle_difference import BundleDifference, difference
from regretless.storage.bundle_manifest import Manifest
from regretless.storage.run_record import find_bundle

BundlePath = Annotated[Path, typer.Argument(help="The directory of a bundle, or of a run.")]

bundle = typer.Typer(help="Look at strategy bundles, check them, compare them.")


@bundle.command()
def info(path: BundlePath, json: JsonFlag = False) -> None:
    """What a bundle says of itself; nothing is checked but its shape."""
    opened = _open(path)
    if json:
        print_json(opened.manifest.model_dump(mode="json"))
        return
    for key, value in _facts(opened).items():
        console.print(f"[bold]{key}[/bold]", end="  ")
        console.print(value, markup=False, highlight=False, soft_wrap=True)


@bundle.command()
def verify(path: BundlePath, json: JsonFlag = False) -> None:
    """Check every byte against the sums, and every row of the table or every weight."""
    opened = _open(path)
    opened.verify()
    if json:
        print_json({"path": str(path), "sound": True, "sha256": opened.digest})
        return
    num_bytes = sum(each.size for each in opened.manifest.files.values())
    console.print(
        f"{path}: sound, {len(opened.manifest.files)} files, {num_bytes:,} bytes, "
        f"{_size(opened.manifest)}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


@bundle.command()
def diff(
    first: BundlePath,
    second: BundlePath,
    most: Annotated[int, typer.Option(min=0, help="Largest differences to list.")] = 10,
    json: JsonFlag = False,
) -> None:
    """Compare two strategies of the same game."""
    opened = _open(first), _open(second)
    for each in opened:
        each.verify()
    found = difference(*opened, most=most)
    if json:
        print_json(asdict(found))
        return
    _show_difference(found, opened[0].manifest.facts.actions)


def _open(path: Path) -> Bundle:
    found = find_bundle(path)
    if found is None:
        raise InputError(f"{path}: the run has no bundle yet")
    return found


def _size(manifest: Manifest) -> str:
    if manifest.table is not None:
        return f"{manifest.table.infosets:,} infosets"
    assert manifest.networks is not None
    return f"{manifest.networks.count:,} networks"


def _held(manifest: Manifest) -> dict[str, str]:
    """What only tables have, or only networks."""
    table, networks, coverage = manifest.table, manifest.networks, manifest.coverage
    if table is not None and coverage is not None:
        of = f" of {coverage.of:,}" if coverage.of is not None else ""
        columns = ", ".join(f"{name} {kind}" for name, kind in table.columns.items())
        held = {"infosets": f"{coverage.infosets:,}{of}", "columns": columns}
        if manifest.abstraction is not None:
            sizes = " / ".join(f"{size:,}" for size in manifest.abstraction.buckets.values())
            held["buckets"] = f"{sizes}, digest {manifest.abstraction.digest}"
        return held
    assert networks is not None
    shape, encoder = networks.shape, networks.encoder
    widths = " x ".join(map(str, (shape.inputs, *shape.widths, shape.outputs)))
    return {
        "networks": f"{networks.count:,} of {widths}, {shape.activation}, {networks.precision}",
        "head": shape.head,
        "encoder": f"{encoder.name}, version {encoder.version}",
    }


def _facts(opened: Bundle) -> dict[str, str]:
    manifest = opened.manifest
    algorithm = manifest.algorithm
    facts: dict[str, Any] = {
        "game": f"{manifest.game.name}, in {manifest.game.unit}",
        "slots": ", ".join(manifest.facts.actions),
        "algorithm": algorithm.name,
        "iterations": f"{algorithm.iterations:,}" if algorithm.iterations is not None else None,
        **_held(manifest),
        "software": manifest.software,
        "created": manifest.created,
        "sha256": opened.digest,
    }
    for each in manifest.strength:
        facts[each.measure] = f"{each.value:.6g} {each.unit} ({each.how})"
    return {key: value for key, value in facts.items() if value is not None}


def _show_difference(found: BundleDifference, actions: list[str]) -> None:
    console.print(
        f"{found.num_shared:,} infosets in both, {found.num_only_first:,} only in the first, "
        f"{found.num_only_second:,} only in the second\n"
        f"total variation: mean {found.mean_distance:.4g}, largest {found.max_distance:.4g}",
        highlight=False,
    )
    if not found.largest:
        return
    table = Table("infoset", "distance", f"first ({', '.join(actions)})", "second", box=None)
    for each in found.largest:
        table.add_row(each.infoset, f"{each.distance:.4f}", _row(each.first), _row(each.second))
    console.print(table)


def _row(probabilities: list[float]) -> str:
    return "  ".join(f"{p:.3f}" for p in probabilities)

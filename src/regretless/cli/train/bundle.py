# SPDX-License-Identifier: MIT
"""`regretless bundle`: what a strategy bundle is, whether it is sound, how two of them differ."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from regretless.bundles.bundle import Bundle, copy_bundle
from regretless.bundles.bundle_difference import BundleDifference, difference
from regretless.bundles.bundle_manifest import Precision
from regretless.bundles.model_card import strength_line
from regretless.bundles.shipped import shipped_names, strategy_directory
from regretless.cli.output import ForceFlag, JsonFlag, console, print_json, require_new
from regretless.errors import InputError
from regretless.runs.run_record import find_bundle

BundlePath = Annotated[
    Path, typer.Argument(help="The directory of a bundle or of a run, or a name of `bundle list`.")
]

bundle = typer.Typer(help="Look at strategy bundles, check them, compare them, write them anew.")


@bundle.command("list")
def list_shipped(json: JsonFlag = False) -> None:
    """The bundles that ship with the package; their names go wherever a directory does."""
    rows = [_shipped(name) for name in shipped_names()]
    if json:
        print_json({"bundles": rows})
        return
    table = Table("bundle", "game", "algorithm", "strength", box=None)
    for row in rows:
        table.add_row(*row.values())
    console.print(table)


@bundle.command()
def export(
    path: BundlePath,
    output: Annotated[Path, typer.Option(help="The directory of the new bundle.")],
    precision: Annotated[
        Precision | None,
        typer.Option(help="Of its numbers: a table has float64 or float32, networks the others."),
    ] = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Write a bundle anew, elsewhere or in another precision."""
    opened = _open(path)
    opened.verify()
    if not force:
        require_new(output, "a bundle")
    made = copy_bundle(opened, output, precision=precision)
    _show_sound(made, output, json)


@bundle.command()
def info(path: BundlePath, json: JsonFlag = False) -> None:
    """What a bundle says of itself; nothing is checked but its shape."""
    opened = _open(path)
    if json:
        print_json(opened.manifest.model_dump(mode="json"))
        return
    for key, value in _facts(opened):
        console.print(f"[bold]{key}[/bold]", end="  ")
        console.print(value, markup=False, highlight=False, soft_wrap=True)


@bundle.command()
def verify(path: BundlePath, json: JsonFlag = False) -> None:
    """Check every byte against the sums, and every row of the table or every weight."""
    opened = _open(path)
    opened.verify()
    _show_sound(opened, path, json)


def _show_sound(opened: Bundle, path: Path, json: bool) -> None:
    if json:
        print_json({"path": str(path), "sound": True, "sha256": opened.digest})
        return
    num_bytes = sum(each.size for each in opened.manifest.files.values())
    console.print(
        f"{path}: sound, {len(opened.manifest.files)} files, {num_bytes:,} bytes, "
        f"{opened.kind.describe(opened.manifest).size}",
        markup=False,
        highlight=False,
        soft_wrap=True,
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
    opened = _open(first), _open(second)
    for each in opened:
        each.verify()
    found = difference(*opened, most=most)
    if json:
        print_json(asdict(found))
        return
    _show_difference(found, opened[0].manifest.facts.actions)


def _open(path: Path) -> Bundle:
    found = find_bundle(strategy_directory(path) or path)
    if found is None:
        raise InputError(f"{path}: the run has no bundle yet")
    return found


def _shipped(name: str) -> dict[str, str]:
    manifest = _open(Path(name)).manifest
    return {
        "name": name,
        "game": manifest.game.name,
        "algorithm": manifest.algorithm.name,
        "strength": strength_line(manifest.strength),
    }


def _facts(opened: Bundle) -> list[tuple[str, str]]:
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
    known = [(key, value) for key, value in facts.items() if value is not None]
    return known + [
        (each.measure, f"{each.value:.6g} {each.unit} ({each.how})") for each in manifest.strength
    ]


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

# SPDX-License-Identifier: MIT
"""`regretless sweep`: a recipe with many settings and seeds, and one table at the end."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.clusters import ClusterName, WorkerCount, cluster_of
from regretless.cli.output import CsvFile, JsonFlag, print_json, print_line, print_note, print_rows
from regretless.cli.progress import Telling
from regretless.cli.result_files import LatexFile, require_places, write_tables
from regretless.cli.session import Stop
from regretless.errors import InputError
from regretless.pictures.result_table import ResultTable, cell_text
from regretless.runs.run_groups import EXPLOITABILITY
from regretless.training.sweep import Sweep
from regretless.training.sweep import sweep as run_sweep
from regretless.watch import Stopped


def sweep(
    recipe: Annotated[
        Path,
        typer.Argument(help="A YAML file, or the name of a shipped recipe, such as kuhn_nfsp."),
    ],
    settings: Annotated[
        list[str] | None,
        typer.Argument(help="Overrides key=a,b,c: all combinations are trained."),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=10_000, help="Seeds of each setting, from that of the recipe.")
    ] = 1,
    settings_file: Annotated[
        Path | None,
        typer.Option(help="A YAML list of mappings of overrides, each a setting."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="The folder of the runs.", show_default="runs/RECIPE-sweep"),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=1024, help="Runs trained at a time.")] = 1,
    measure: Annotated[str, typer.Option(help="The metric of the table.")] = EXPLOITABILITY,
    cluster: ClusterName = None,
    workers: WorkerCount = None,
    csv: CsvFile = None,
    latex: LatexFile = None,
    json: JsonFlag = False,
) -> None:
    """Train a recipe with all combinations of settings, each with several seeds.

    Runs that are done are skipped: after a stop, the same command goes on.
    """
    require_places(csv, latex)
    if cluster is not None and jobs != 1:
        raise InputError("--jobs: with --cluster, --workers train at a time")
    stop = Stop()
    try:
        with (
            stop.listening(),
            cluster_of(cluster, workers, 1) as found_cluster,
            Telling(for_programs=json) as telling,
        ):
            found = run_sweep(
                recipe,
                *(settings or ()),
                seeds=seeds,
                settings_file=settings_file,
                output=output,
                measure=measure,
                jobs=jobs,
                run_tasks=None if found_cluster is None else found_cluster.run_tasks,
                note=print_note,
                watch=telling.watch(lambda: stop.signal is not None),
                progress=False,
            )
    except Stopped:
        print("stopped; the same command goes on", file=sys.stderr)
        raise typer.Exit(128 + (stop.signal or 0)) from None
    _report(found, csv, latex, json)


def _report(found: Sweep, csv: Path | None, latex: Path | None, json: bool) -> None:
    table = found.table()
    found.require_measured()
    write_tables(table, csv, latex)
    print_json(_result(found, table)) if json else _show(found, table)
    if found.failed:
        sys.stdout.flush()
        path, reason = next(iter(found.failed.items()))
        raise InputError(f"{len(found.failed)} of {len(found.runs)} runs failed: {path}: {reason}")


def _result(found: Sweep, table: ResultTable) -> dict[str, Any]:
    return {
        "measure": found.measure,
        "skipped": found.skipped,
        "runs": [str(each.path) for each in found.runs],
        "failed": {str(path): reason for path, reason in found.failed.items()},
        "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
    }


def _show(found: Sweep, table: ResultTable) -> None:
    print_rows(table.columns, ([cell_text(each) for each in r] for r in table.rows))
    folder = found.runs[0].path.parent
    done = f"{len(found.runs)} runs, {found.skipped} of them done before"
    print_line(f"{found.measure}, mean over seeds and 95 % interval; {done}: {folder}")

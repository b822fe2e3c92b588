# SPDX-License-Identifier: MIT
"""`regretless flops`: one pair of ranges solved on many flops, as one table."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.clusters import ClusterName, WorkerCount, cluster_of
from regretless.cli.field_options import takes
from regretless.cli.output import (
    CsvFile,
    JsonFlag,
    ParquetFile,
    print_json,
    print_line,
    print_table,
    rows_table,
)
from regretless.cli.progress import Telling
from regretless.cli.result_files import require_places
from regretless.cli.session import Stop
from regretless.errors import InputError
from regretless.solving.flop_report import (
    FlopReport,
    RunTasks,
    mean_row,
    read_flops,
    texture_rows,
)
from regretless.solving.spot_options import SpotOptions
from regretless.storage.row_files import write_rows
from regretless.watch import Stopped


@takes(SpotOptions, "board")
def flops(
    output: Annotated[
        Path, typer.Option(help="File of the rows; the same command resumes from it.")
    ],
    *,
    flops: Annotated[
        str,
        typer.Option(help="25, 95 or 184 weighted flops, 1755 for all, or a list: Td9d6h,AsKd2c."),
    ] = "25",
    at: Annotated[
        str, typer.Option(help="Report the node behind these actions, such as x,b33%.")
    ] = "",
    spot: SpotOptions,
    target: Annotated[float, typer.Option(help="Exploitability of each flop, % of the pot.")] = 0.5,
    iterations: Annotated[int | None, typer.Option(help="Most iterations for each flop.")] = None,
    threads: Annotated[int, typer.Option(help="Number of threads.")] = 1,
    cluster: ClusterName = None,
    workers: WorkerCount = None,
    csv_file: CsvFile = None,
    parquet: ParquetFile = None,
    json: JsonFlag = False,
) -> None:
    """Solve the same ranges and sizes on many flops; print frequencies, EVs and equities."""
    for name in ("pot", "stack"):
        if getattr(spot, name) is None:
            raise InputError(f"give --{name}, a number of chips")
    budget: dict[str, Any] = {"target": target, "iterations": iterations, "threads": threads}
    if at:
        budget["at"] = " ".join(at.replace(",", " ").split())
    report = FlopReport(spot, read_flops(flops), output, budget)
    require_places(csv_file, parquet)
    with cluster_of(cluster, workers, threads) as found:
        rows = _rows(report, json, None if found is None else found.run_tasks)
    mean, by_texture = mean_row(rows), texture_rows(rows)
    write_rows(lambda: [*rows, mean], csv_file, parquet, list(mean))
    if json:
        print_json({"rows": rows, "mean": mean, "textures": by_texture})
        return
    for names, lines in ((mean, [*rows, mean]), (by_texture[0], by_texture)):
        shown = [name for name in names if names is mean or name != "flop"]
        print_table(rows_table(shown, ([_text(row.get(n)) for n in shown] for row in lines)))


def _rows(report: FlopReport, json: bool, run_tasks: RunTasks | None) -> list[dict[str, Any]]:
    """Solves with a line of progress at least every five seconds; the first signal ends it."""
    stop = Stop()
    with Telling(for_programs=json) as telling, stop.listening():
        telling.say("planning")
        forecast = report.forecast()
        if not json:
            print_line(forecast)
        telling.say("solving")
        try:
            return report.rows(
                lambda flop, at: telling.say(f"{flop}   iteration {at.iterations:,}"),
                telling.watch(lambda: stop.signal is not None),
                run_tasks,
            )
        except Stopped:
            print(f"stopped; the same command goes on from {report.path}", file=sys.stderr)
            raise typer.Exit(128 + (stop.signal or 0)) from None


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.4g}"

# SPDX-License-Identifier: MIT
"""`regretless flops`: one pair of ranges solved on many flops, as one table."""

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.clusters import ClusterName, WorkerCount, cluster_of
from regretless.cli.field_options import takes
from regretless.cli.output import CsvFile, JsonFlag, console, print_json, print_line, rows_table
from regretless.cli.progress import Telling
from regretless.cli.session import Stop
from regretless.errors import InputError
from regretless.solving.flop_report import FlopReport, RunTasks, mean_row, read_flops, table_of
from regretless.solving.spot_options import SpotOptions
from regretless.storage.files import require_place, told_on_failure, write_file
from regretless.watch import Stopped


@takes(SpotOptions, "board")
def flops(
    output: Annotated[
        Path, typer.Option(help="File of the rows; the same command resumes from it.")
    ],
    *,
    flops: Annotated[
        str, typer.Option(help="Number of representative flops, or a list: Td9d6h,AsKd2c.")
    ] = "25",
    spot: SpotOptions,
    target: Annotated[float, typer.Option(help="Exploitability of each flop, % of the pot.")] = 0.5,
    iterations: Annotated[int | None, typer.Option(help="Most iterations for each flop.")] = None,
    threads: Annotated[int, typer.Option(help="Number of threads.")] = 1,
    cluster: ClusterName = None,
    workers: WorkerCount = None,
    csv_file: CsvFile = None,
    json: JsonFlag = False,
) -> None:
    """Solve the same ranges and sizes on many flops; print frequencies, EVs and equities."""
    for name in ("pot", "stack"):
        if getattr(spot, name) is None:
            raise InputError(f"give --{name}, a number of chips")
    budget: dict[str, Any] = {"target": target, "iterations": iterations, "threads": threads}
    report = FlopReport(spot, read_flops(flops), output, budget)
    if csv_file is not None:
        require_place(csv_file)
    with cluster_of(cluster, workers, threads) as found:
        rows = _rows(report, json, None if found is None else found.run_tasks)
    if csv_file is not None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(table_of(rows))
        with told_on_failure(csv_file):
            write_file(csv_file, text.getvalue())
    if json:
        print_json({"rows": rows, "mean": mean_row(rows)})
        return
    names, *lines = table_of(rows)
    console.print(rows_table(names, (map(_text, line) for line in lines)))


def _rows(report: FlopReport, json: bool, run_tasks: RunTasks | None) -> list[dict[str, Any]]:
    """Solves with a line of progress at least every five seconds; the first signal ends it."""
    stop = Stop()
    with Telling(for_programs=json, most_wait=5.0) as telling, stop.listening():
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

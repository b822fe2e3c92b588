# SPDX-License-Identifier: MIT
"""The campaign: random work for every part, for as long as one lets it.

    make campaign HOURS=2       # continues the campaign in campaign/ until it has 2 hours
    python tests/campaign/campaign.py --report docs/reliability.md    # its figures as a page

A turn is one part for about a minute, in a process of its own, so that a crash ends one turn.
`turns.jsonl` has a row for each turn; a stopped campaign continues after its last row.
"""

import argparse
import contextlib
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), *(str(HERE.parent / each) for each in ("drivers", "oracles", "house"))]

from parts import PARTS, Part  # noqa: E402
from report import write_report  # noqa: E402

KEPT = "kept"  # the folder of what parts keep from turn to turn
GRACE = 120.0  # seconds that a turn may take beyond its own before it counts as a hang


def missing(part: Part) -> list[str]:
    """Returns the packages and programs that the part needs and this machine lacks."""
    return [
        each
        for each in part.needs
        if not ((ROOT / each).is_file() if "/" in each else _is_installed(each))
    ]


def _is_installed(name: str) -> bool:
    return bool(shutil.which(name) or importlib.util.find_spec(name))


def order(parts: Mapping[str, Part], done: Mapping[str, float]) -> Iterator[str]:
    """Yields the part that is furthest behind its share, again and again."""
    spent = {name: done.get(name, 0.0) for name in parts}
    while True:
        name = min(parts, key=lambda each: spent[each] / parts[each].share)
        spent[name] += parts[name].seconds
        yield name


def run_turn(name: str, seed: int, number: int, kept: Path) -> dict[str, Any]:
    """Runs one turn in a process of its own. A crash or a hang is a finding."""
    seconds, start = PARTS[name].seconds, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="campaign-") as made:
        folder, result = Path(made) / "work", Path(made) / "row.json"
        folder.mkdir()
        words = map(str, (name, seed, number, seconds, folder, (kept / name).resolve(), result))
        with (Path(made) / "output").open("w+b") as output:
            child = subprocess.Popen(
                [sys.executable, "-X", "faulthandler", str(HERE / "turn.py"), *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path[:4], str(ROOT)])},
            )
            try:
                status = child.wait(seconds + GRACE)
                problem = f"the turn ended with status {status}" if status else None
            except subprocess.TimeoutExpired:
                problem = f"the turn did not end within {seconds + GRACE:.0f} s"
            finally:
                _end_session(child)
            output.seek(max(0, output.seek(0, os.SEEK_END) - 4000))
            text = output.read().decode(errors="replace")
        if problem is None:
            row: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
            return row
    finding = {"kind": f"crash or hang of {name}", "problem": problem, "data": text}
    spent = round(time.monotonic() - start, 1)
    return {"part": name, "seed": seed, "number": number, "seconds": spent, "counts": {}} | {
        "findings": [finding]
    }


def _end_session(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """Returns the rows of a campaign; a last row that was cut off is dropped."""
    path, rows = folder / "turns.jsonl", []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def run(folder: Path, hours: float, jobs: int, seed: int, names: list[str]) -> int:
    """Runs turns until the campaign has its hours; returns the number of findings."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = read_rows(folder)
    parts = {name: PARTS[name] for name in names or PARTS}
    for name in list(parts):
        if lacks := missing(parts[name]):
            print(f"skipped: {name} needs {', '.join(lacks)}", flush=True)
            del parts[name]
    done, numbers = dict.fromkeys(PARTS, 0.0), dict.fromkeys(PARTS, 0)
    for row in rows:
        if row["part"] in PARTS:
            done[row["part"]] += row["seconds"]
            numbers[row["part"]] = max(numbers[row["part"]], row["number"] + 1)
    before = max((row["clock"] for row in rows), default=0.0)
    start, found, queue = time.monotonic(), 0, order(parts, done)
    facts = {"seed": seed, "machine": platform.machine(), "python": platform.python_version()}
    with ThreadPoolExecutor(jobs) as pool, (folder / "turns.jsonl").open("a") as record:
        running: set[Future[dict[str, Any]]] = set()
        while True:
            clock = before + time.monotonic() - start
            while len(running) < jobs and clock < hours * 3600:
                name = next(queue)
                running.add(pool.submit(run_turn, name, seed, numbers[name], folder / KEPT))
                numbers[name] += 1
            if not running:
                return found
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for each in finished:
                row = each.result() | {"clock": round(before + time.monotonic() - start, 1)} | facts
                record.write(json.dumps(row) + "\n")
                record.flush()
                found += len(row["findings"])
                _print(row, hours)


def _print(row: dict[str, Any], hours: float) -> None:
    figures = ", ".join(f"{n:,} {noun}" for noun, n in row["counts"].items() if ":" not in noun)
    share = row["clock"] / (hours * 36)
    print(f"{share:5.1f} %  {row['part']} {row['number']}: {figures}", flush=True)
    for each in {each["kind"]: each for each in row["findings"]}.values():
        print(f"    FINDING {each['kind']}: {each['problem'][:300]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Random work for every part of regretless.")
    parser.add_argument("parts", nargs="*", help=f"Only these: {', '.join(PARTS)}.")
    parser.add_argument("--hours", type=float, default=2, help="Hours of the campaign in all.")
    parser.add_argument("--jobs", type=int, default=2, help="Turns at a time.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=ROOT / "campaign")
    parser.add_argument("--report", type=Path, help="Only write the page of the campaign so far.")
    options = parser.parse_args()
    if unknown := sorted(set(options.parts) - set(PARTS)):
        parser.error(f"unknown part {unknown[0]!r}; parts are {', '.join(PARTS)}")
    if options.report:
        return write_report(read_rows(options.folder), PARTS, options.report)
    found = run(options.folder, options.hours, options.jobs, options.seed, options.parts)
    write_report(read_rows(options.folder), PARTS, options.folder / "report.md")
    print(f"{found} findings; {options.folder / 'report.md'}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

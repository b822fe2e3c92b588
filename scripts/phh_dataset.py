# SPDX-License-Identifier: MIT
"""Reads hands of the public PHH dataset and prints how many replay to their recorded results.

    python scripts/phh_dataset.py FOLDER [--files 500] [--seed 28]

FOLDER is a copy of github.com/uoftcprg/phh-dataset. All hands of Pluribus and of the World Series
are read, and `--files` files of the other sites, drawn at random with `--seed`.
"""

import argparse
import random
import re
import time
from collections import Counter
from pathlib import Path

from regretless.histories.hand_files import Reading, read_hands

_NUMBERS = re.compile(r"[0-9.]+|'.*?'")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=28)
    options = parser.parse_args()
    data = options.folder / "data" if (options.folder / "data").is_dir() else options.folder
    others = sorted((data / "handhq").rglob("*.phhs"), key=Path.as_posix)
    drawn = random.Random(options.seed).sample(others, min(options.files, len(others)))
    groups: dict[str, list[Path]] = {
        "Pluribus": sorted((data / "pluribus").rglob("*.phh")),
        "World Series": sorted((data / "wsop").rglob("*.phh")),
    }
    for path in sorted(drawn):
        groups.setdefault(path.relative_to(data / "handhq").parts[0].split("-")[0], []).append(path)
    problems: Counter[str] = Counter()
    print(
        f"{'':14}{'files':>7}{'hands':>9}{'replayed':>10}{'result':>9}{'other':>7}{'bad':>6}  share"
    )
    totals: Counter[str] = Counter()
    for name, paths in groups.items():
        counts = _counted(paths, name, problems)
        if name not in ("Pluribus", "World Series"):
            totals.update(counts)
        _print_row(name, counts)
    _print_row("other sites", totals)
    for problem, count in problems.most_common():
        print(f"{count:7,}  {problem}")


def _counted(paths: list[Path], group: str, problems: Counter[str]) -> Counter[str]:
    counts: Counter[str] = Counter(files=len(paths))
    begun = time.perf_counter()
    for path in paths:
        for reading in read_hands(path):
            counts["hands"] += 1
            counts[_kind(reading)] += 1
            if reading.hand is None:
                short = _NUMBERS.sub("N", reading.problem.removeprefix(str(path)))
                problems[f"{group}: {short.strip(': ')[:100]}"] += 1
    counts["seconds"] = round(time.perf_counter() - begun)
    return counts


def _kind(reading: Reading) -> str:
    """`result`: the record agrees; `none`: there is no record; `other`: another one is ignored."""
    hand = reading.hand
    if hand is None:
        return "bad"
    if hand.won is not None:
        return "result"
    won = (hand.fields or {}).get("winnings")
    return "other" if isinstance(won, list) and any(won) and hand.is_over else "none"


def _print_row(name: str, counts: Counter[str]) -> None:
    good = counts["hands"] - counts["bad"]
    share = good / max(1, counts["hands"])
    print(
        f"{name:14}{counts['files']:7,}{counts['hands']:9,}{good:10,}{counts['result']:9,}"
        f"{counts['other']:7,}{counts['bad']:6,}  {share:.3%}  ({counts['seconds']} s)",
        flush=True,
    )


if __name__ == "__main__":
    main()

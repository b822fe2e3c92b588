# SPDX-License-Identifier: MIT
"""One turn of a part of the campaign: a seed, a time limit, counts and findings."""

import json
import random
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Turn:
    """The work of a turn depends on its part, seed and number alone, until its time is over."""

    part: str
    seed: int
    number: int
    seconds: float
    folder: Path
    """An empty folder, which is removed after the turn."""
    kept: Path = Path("kept")
    """A folder of the part that stays from turn to turn."""
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[dict[str, Any]] = field(default_factory=list)
    start: float = field(default_factory=time.monotonic)

    def random(self) -> random.Random:
        return random.Random(f"{self.seed}/{self.part}/{self.number}")

    def left(self) -> float:
        """Returns the seconds that are left (negative: over)."""
        return self.seconds - (time.monotonic() - self.start)

    def count(self, noun: str, number: int = 1) -> None:
        """Adds to a figure of the report, for example `inputs`."""
        self.counts[noun] += number

    def find(self, kind: str, problem: str, data: object = None) -> None:
        """Adds a finding. `kind` names what is wrong; findings of one kind count as one."""
        self.findings.append({"kind": kind, "problem": problem, "data": repr(data)[:4000]})

    def row(self) -> dict[str, Any]:
        """Returns the result as a row of `turns.jsonl`."""
        return {
            "part": self.part,
            "seed": self.seed,
            "number": self.number,
            "seconds": round(time.monotonic() - self.start, 1),
            "counts": dict(sorted(self.counts.items())),
            "findings": self.findings,
        }


def main() -> None:
    """Runs one turn in a process of its own and writes its row to a file."""
    from parts import PARTS

    part, seed, number, seconds, folder, kept, result = sys.argv[1:]
    turn = Turn(part, int(seed), int(number), float(seconds), Path(folder), Path(kept))
    try:
        PARTS[part].load()(turn)
    except Exception as error:
        turn.find(f"exception of {part}", str(error)[:200], traceback.format_exc())
    Path(result).write_text(json.dumps(turn.row()), encoding="utf-8")


if __name__ == "__main__":
    main()

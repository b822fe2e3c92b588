# SPDX-License-Identifier: MIT
"""SIGKILL before, in and after any change of a file, and at any instant: nothing is lost."""

import shutil
import signal
import time
from pathlib import Path

from faulty_files import KILLS, How, arm, require_loaded, seen
from turn import Turn
from victims import Victim, in_child, prepare, result_of, victims


def run(turn: Turn) -> None:
    require_loaded()
    every = victims()
    victim = every[turn.number % len(every)]
    prepare(victim)
    folder = turn.folder / "work"
    changes, seconds, whole = baseline(victim, folder)
    if whole is None:
        turn.find(f"{victim.name} fails", "it fails without any fault", victim.name)
        return
    draw = turn.random()
    while turn.left() > 0:
        folder.mkdir()
        plan, killed = [], 0
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            if draw.random() < 0.75:
                how, number = draw.choice(KILLS), draw.randrange(changes)
                plan.append(f"{how.name} of change {number}")
                status, said = struck(victim, folder, how, number)
            else:
                after = draw.uniform(0, seconds)
                plan.append(f"after {after:.3f} s")
                status, said = in_child(lambda: victim.work(folder), seconds=after)
            if status not in (0, -signal.SIGKILL):
                turn.find(f"{victim.name} fails after a kill", said[:300], plan)
            killed += status == -signal.SIGKILL
        left, said = result_of(victim, folder)
        if left is None:
            turn.find(f"{victim.name} cannot be resumed", said[:300], plan)
        elif left != whole:
            turn.find(f"{victim.name} ends otherwise", "another result", (plan, left, whole))
        turn.count("kills", killed)
        turn.count(f"kills: {victim.name}", killed)
        turn.count("resumed to the same result", left == whole)
        shutil.rmtree(folder, ignore_errors=True)


def baseline(victim: Victim, folder: Path) -> tuple[int, float, object]:
    """Returns the changes of files and the seconds of the work, and its result."""
    folder.mkdir()
    counted = folder.parent / "changes"

    def act() -> None:
        arm(folder, How.COUNT)
        victim.work(folder)
        counted.write_text(str(seen()))

    start = time.perf_counter()
    status, said = in_child(act)
    seconds = time.perf_counter() - start
    left, why = result_of(victim, folder)
    shutil.rmtree(folder)
    if status or left is None:
        print(said, why, flush=True)
        return 0, seconds, None
    folder.mkdir()
    again, why = result_of(victim, folder)  # the work alone: finished twice is finished once
    shutil.rmtree(folder)
    if again != left:
        print("the work does not repeat:", again, left, why, flush=True)
        return 0, seconds, None
    return max(1, int(counted.read_text())), seconds, left


def struck(victim: Victim, folder: Path, how: How, number: int) -> tuple[int, str]:
    def act() -> None:
        arm(folder, how, number)
        victim.work(folder)

    return in_child(act)

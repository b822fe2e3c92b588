# SPDX-License-Identifier: MIT
"""Work that writes files, to be interrupted: its result must not depend on the interruption."""

import asyncio
import contextlib
import hashlib
import importlib
import io
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import site_texts
from killed_runs import TREES, left_of
from regretless import cli
from regretless.algorithms import ALGORITHMS, set_up_process
from regretless.bundles.bundle import open_bundle
from regretless.web.play.finished_hands import read_hands
from regretless.web.settings import Settings
from web_client import running

SPOT = ["--pot", "60", "--stack", "120", "--range-oop", "AA,KQs", "--range-ip", "99,AQs"]
SPOT += ["--bets", "50%", "--raises", "a"]
TORCH, SERVER = ("torch._dynamo",), ("regretless.web.app", "httpx")
OUTSIDE, BOT = {"kind": "outside", "name": "me"}, {"kind": "bot", "name": "caller"}
SERVED_HANDS = 6
CLOCKED = ("manifest.json", "README.md", "SHA256SUMS")


class CommandError(Exception):
    """A command ended with another status than 0."""


@dataclass(frozen=True)
class Victim:
    name: str
    work: Callable[[Path], None]
    """Begins the work in a folder, or continues what is there, as a user would."""
    left: Callable[[Path], Any]
    """All that must be the same whether the work was interrupted or not, as JSON."""
    needs: tuple[str, ...] = ()
    """Modules that are imported before, so that children need not."""
    is_command: bool = True
    """Whether a fault of the disk must end it with one line and status 2."""


def command(*arguments: object) -> None:
    """Runs a command; its errors go to stderr, and any status but 0 is an error."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            cli.main([str(each) for each in arguments])
    except SystemExit as end:
        if end.code:
            raise CommandError(f"status {end.code}: {said.getvalue()[-500:]}") from None


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def trained(name: str) -> Victim:
    """A run of one algorithm: `train`, or `resume` where there is a run."""

    def work(folder: Path) -> None:
        path, config = folder / "run", folder.parent / f"{name}.yaml"
        if not config.exists():
            text = json.dumps({**TREES[name], "output": str(path)})
            config.write_text(text, encoding="utf-8")
        if (path / "config.yaml").exists():
            command("resume", path)
        else:
            command("train", config)

    def left(folder: Path) -> Any:
        return left_of(folder / "run")

    needs = ("scipy.optimize",) if name == "sequence-form" else ()
    return Victim(f"train {name}", work, left, TORCH if ALGORITHMS[name].needs_torch else needs)


def _bundle_left(path: Path) -> Any:
    open_bundle(path).verify()
    beside = sorted(each.name for each in path.parent.iterdir())
    files = {each.name: digest(each) for each in path.iterdir() if each.name not in CLOCKED}
    return [beside, files]


def _solved(folder: Path) -> None:
    command("solve", "leduc", "--iterations", 20, "--force", "--bundle", folder / "bundle")


def _solved_spot(folder: Path) -> None:
    words = ["--board", "QsJh2h8d3c", *SPOT, "--iterations", 5]
    command("solve", "nlhe", *words, "--force", "--bundle", folder / "bundle")


def _flops(folder: Path) -> None:
    words = ["--output", folder / "flops.json", "--flops", "Td9d6h,AsKd2c"]
    command("flops", *words, *SPOT, "--iterations", 2, "--csv", folder / "flops.csv")


def _flops_left(folder: Path) -> Any:
    tree = json.loads((folder / "flops.json").read_bytes())
    return _without_clocks(tree)


def _without_clocks(tree: Any) -> Any:
    if isinstance(tree, dict):
        kept = {key: each for key, each in tree.items() if "seconds" not in key}
        return {key: _without_clocks(each) for key, each in kept.items()}
    return [_without_clocks(each) for each in tree] if isinstance(tree, list) else tree


def _swept(folder: Path) -> None:
    from in_process import InProcess

    before, subprocess.Popen = subprocess.Popen, InProcess  # type: ignore[assignment, misc]
    settings = ["algorithm.name=cfr,dcfr", "budget.steps=4", "evaluate.every_steps=2"]
    places = ["--output", folder / "runs", "--csv", folder / "sweep.csv"]
    try:
        command("sweep", "kuhn_cfr", *settings, *places)
    finally:
        subprocess.Popen = before  # type: ignore[misc]


def _swept_left(folder: Path) -> Any:
    runs = sorted(each.parent for each in folder.rglob("config.yaml"))
    return {str(each.relative_to(folder)): left_of(each) for each in runs}


def _imported(folder: Path) -> None:
    texts = folder.parent / "texts"
    if not texts.exists():
        texts.mkdir()
        for seed in range(0, 12, 3):
            hands = [
                site_texts.random_hand(each, site_texts.PLAIN) for each in range(seed, seed + 3)
            ]
            (texts / f"{seed}.txt").write_text("".join(map(site_texts.stars, hands)))
    command("import", texts, "--database", folder / "hands.db")


def _imported_left(folder: Path) -> Any:
    import sqlite3

    with contextlib.closing(sqlite3.connect(folder / "hands.db")) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchall()
        query = "SELECT h.key, s.seat, p.name, s.won, h.phh FROM hands h JOIN seats s"
        query += " ON s.hand = h.id JOIN players p ON p.id = s.player ORDER BY 1, 2"
        return [sound, connection.execute(query).fetchall()]


def _matched(folder: Path) -> None:
    path = folder / "hands.phhs"
    command("match", "random", "caller", "--hands", 60, "--seed", 3, "--phh", path)


def _matched_left(folder: Path) -> Any:
    return {each.name: digest(each) for each in sorted(folder.iterdir())}


def _converted(folder: Path) -> None:
    if not (texts := folder.parent / "texts.txt").exists():
        hands = [site_texts.random_hand(seed, site_texts.PLAIN) for seed in range(12)]
        texts.write_text("".join(map(site_texts.stars, hands)))
    command("convert", texts, folder / "hands.phhs")


def _served(folder: Path) -> None:
    """Tables of a server; what a player has heard of finished hands is kept beside them."""
    asyncio.run(_play_tables(folder))


async def _play_tables(folder: Path) -> None:
    body = {"players": [OUTSIDE, BOT], "game": "nlhe", "auto": True, "hands": SERVED_HANDS}
    async with running(Settings(data=folder / "web")) as client:
        for _ in range(2):
            row = (await client.post("/api/tables", json=body)).raise_for_status().json()
            address, mine = f"/api/tables/{row['table']}", {"X-Seat-Token": row["tokens"][0]}
            state = (await client.get(address, headers=mine)).json()
            while not state["is_done"]:
                action = {"slot": state["seen"]["choices"][-1]["slot"]}
                told = await client.post(f"{address}/actions", headers=mine, json=action)
                state = told.raise_for_status().json()
                with (folder / "heard").open("a") as heard:
                    heard.write(f"{row['table']} {state['num_finished']}\n")


def _served_left(folder: Path) -> Any:
    """Returns lost hands that were heard of, hands that are there twice, and two whole tables."""
    kept: dict[str, list[int]] = {}
    for row in read_hands(folder / "web"):
        if row["kind"] == "hand":
            kept.setdefault(row["table"], []).append(row["hand"])
    heard: dict[str, int] = {}
    for line in (folder / "heard").read_text().splitlines():
        table, _, number = line.partition(" ")
        if number.isdigit():
            heard[table] = max(heard.get(table, 0), int(number))
    lost = {table: number for table, number in heard.items() if len(kept.get(table, ())) < number}
    twice = {table: numbers for table, numbers in kept.items() if len({*numbers}) < len(numbers)}
    whole = sum(len(numbers) == SERVED_HANDS for numbers in kept.values()) >= 2
    return [lost, twice, whole]


def victims() -> list[Victim]:
    """All work that the campaign interrupts."""
    return [
        *(trained(name) for name in TREES),
        Victim("solve", _solved, lambda folder: _bundle_left(folder / "bundle")),
        Victim("solve a spot", _solved_spot, lambda folder: _bundle_left(folder / "bundle")),
        Victim("flops", _flops, _flops_left),
        Victim("sweep", _swept, _swept_left),
        Victim("import", _imported, _imported_left),
        Victim("match with histories", _matched, _matched_left),
        Victim("convert", _converted, _matched_left),
        Victim("a server with tables", _served, _served_left, SERVER, is_command=False),
    ]


def in_child(
    act: Callable[[], Any], seconds: float | None = None, most: float = 60
) -> tuple[int, str]:
    """Returns the status of a process that acts, and its error if there is one.

    It is killed after `seconds`, if given, or after `most`, which is an error.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            act()
            status = 0
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}"[:3000].encode(errors="replace"))
        finally:
            os._exit(status)
    os.close(writer)
    end = time.monotonic() + (most if seconds is None else seconds)
    ended, raw = 0, 0
    while not ended and time.monotonic() < end:
        ended, raw = os.waitpid(child, os.WNOHANG)
        time.sleep(0.002)
    if not ended:
        os.kill(child, signal.SIGKILL)
        raw = os.waitpid(child, 0)[1]
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    is_hang = not ended and seconds is None
    return os.waitstatus_to_exitcode(raw), f"no end within {most} s" if is_hang else said


def result_of(victim: Victim, folder: Path) -> tuple[Any, str]:
    """Finishes the work in a child; returns what is left, or None with the error."""
    out = folder.parent / "left.json"
    out.unlink(missing_ok=True)

    def act() -> None:
        victim.work(folder)
        out.write_text(json.dumps(victim.left(folder)))

    status, said = in_child(act)
    return (json.loads(out.read_text()), "") if status == 0 else (None, f"{status}: {said}")


def prepare(victim: Victim) -> None:
    """Imports what the work needs, so that children need not."""
    cli.register()
    if victim.needs == TORCH:
        set_up_process("nfsp")
    for name in victim.needs:
        importlib.import_module(name)

# SPDX-License-Identifier: MIT
"""Damaged files: every byte of small ones changed, large ones at random; seen or harmless.

What is played is compared: the probabilities of a strategy, the state and buffers of a run, the
hands that a server has on file.
"""

import hashlib
import itertools
import json
import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import site_texts
from killed_runs import TREES
from regretless import InputError, export_onnx, find_strategy, load_game, solve, train
from regretless.algorithms import make_algorithm
from regretless.buffers import buffers_of
from regretless.bundles.bundle import open_bundle
from regretless.database.hand_database import HandDatabase
from regretless.database.importing import import_hands
from regretless.games.spots import make_spot
from regretless.policies.asking import policy_table
from regretless.recipes.config import make_config
from regretless.runs import Run
from regretless.solving.flop_report import FlopReport, read_flops
from regretless.solving.spot_options import SpotOptions
from regretless.web.play.finished_hands import HandFile, read_hands
from turn import Turn

SMALL = 8192  # bytes of a file whose every byte is changed
MOST_SECONDS = 10
EXPECTED = ("seen", "harmless", "believed")


@dataclass(frozen=True)
class Subject:
    """Files, and a reader that returns what is played, or raises InputError."""

    files: list[Path]
    read: Callable[[], str]
    parts: bool = False
    """Whether what is left may be a part of what was there: rows that were left out."""
    sealed: bool = True
    """Whether changed contents must be seen; files without a seal must only be read or refused."""


class _TooLongError(Exception):
    pass


def _give_up(number: int, frame: FrameType | None) -> None:
    raise _TooLongError


def _digest(*parts: Any) -> str:
    found = hashlib.sha256()
    for part in parts:
        data = part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
        found.update(data)
    return found.hexdigest()


def played(path: Path) -> str:
    """The probabilities of a strategy at every infoset of a small game."""
    found = find_strategy(path)
    table = policy_table(found.game, found.policy)
    return _digest(table.keys, table.probabilities)


def spot_played(path: Path) -> str:
    """The columns of a solved spot: probabilities, values, boards."""
    bundle = open_bundle(path)
    bundle.verify()
    return _digest(*(each for _, each in sorted(vars(bundle.tree).items())))


def values_played(path: Path) -> str:
    bundle = open_bundle(path)
    bundle.verify()
    return _digest(*(each for _, each in sorted(bundle.values().parameters.items())))


def run_left(path: Path) -> str:
    """The state and buffers that `resume` would continue with; an older checkpoint is named."""
    run = Run.existing(path)
    config = run.config.algorithm
    game = load_game(run.config.game.name)
    algorithm = make_algorithm(config.name, game, seed=run.config.seed, **config.options)
    notes: list[str] = []
    buffers = buffers_of(algorithm)
    checkpoint = run.latest(notes.append, buffers)
    if notes or checkpoint is None:
        raise InputError(notes[0] if notes else "there is no checkpoint")
    rows = [each.get(np.arange(min(each.num_added, each.capacity))) for each in buffers.values()]
    state = [checkpoint.state[name] for name in sorted(checkpoint.state)]
    return _digest(checkpoint.record.step, *state, *rows)


def _train(name: str, folder: Path) -> Path:
    path = folder / name
    train(make_config({**TREES[name], "output": str(path)}, "test"))
    return path


def _plain(path: Path) -> list[Path]:
    return sorted(each for each in path.rglob("*") if each.is_file())


def strategies(folder: Path) -> dict[str, Callable[[], Subject]]:
    """Makers of bundles, networks and checkpoints."""

    def table() -> Subject:
        path = solve("leduc", iterations=5).write_bundle(folder / "table").path
        return Subject(_plain(path), lambda: played(path))

    def tree() -> Subject:
        spot = make_spot("QsJh2h8d3c", 100, 100, "AA,KQs", "99,AQs", {"all": {"open": "50%"}})
        path = solve(spot, iterations=3).write_bundle(folder / "tree").path
        return Subject(_plain(path), lambda: spot_played(path))

    def networks() -> Subject:
        path = _train("nfsp", folder) / "bundle"
        return Subject(_plain(path), lambda: played(path))

    def values() -> Subject:
        path = _train("rebel", folder) / "values"
        return Subject(_plain(path), lambda: values_played(path))

    def onnx() -> Subject:
        path = folder / "network.onnx"
        export_onnx(_train("nfsp", folder) / "bundle", path)
        return Subject([path], lambda: played(path))

    def checkpoints(name: str) -> Subject:
        path = _train(name, folder)
        newest = sorted((path / "checkpoints").glob("step_*"))[-1]
        manifest = json.loads((newest / "manifest.json").read_bytes())
        text = json.dumps(manifest)
        store = path / "checkpoints" / "segments"
        pieces = [each for each in _plain(store) if each.name in text] if store.exists() else []
        return Subject([*_plain(newest), *pieces], lambda: run_left(path))

    return {
        "table bundle": table,
        "spot bundle": tree,
        "network bundle": networks,
        "value bundle": values,
        "ONNX file": onnx,
        "checkpoint of mccfr": lambda: checkpoints("mccfr"),
        "checkpoint of nfsp": lambda: checkpoints("nfsp"),
    }


def records(folder: Path) -> dict[str, Callable[[], Subject]]:
    """Makers of what is written down: hands, reports, configs."""

    def hands() -> Subject:
        data = folder / "web"
        rows = [{"kind": "hand", "table": "x", "hand": number} for number in range(20)]
        file = HandFile(data)
        file.append(rows)
        file.close()
        return Subject(
            [data / "hands.jsonl"], lambda: json.dumps(list(read_hands(data))), parts=True
        )

    def report() -> Subject:
        options, flops = SpotOptions("", 100, 60, "QQ", "99", "a", "a"), read_flops("Td9d6h")
        rows = FlopReport(options, flops, folder / "flops.json", {"iterations": 2})
        rows.rows()
        return Subject([rows.path], lambda: json.dumps(rows.read()))

    def config() -> Subject:
        path = _train("mccfr", folder)
        return Subject([path / "config.yaml"], lambda: run_left(path))

    def database() -> Subject:
        (texts := folder / "hands.txt").write_text(
            "".join(
                site_texts.stars(site_texts.random_hand(seed, site_texts.PLAIN))
                for seed in range(6)
            )
        )
        path = folder / "hands.db"
        with HandDatabase(path, create=True) as made:
            import_hands(made, [texts])

        def read() -> str:
            with HandDatabase(path) as found:
                return json.dumps(
                    [(each.name, each.recorded.episode.payoffs) for each in found.hands()]
                )

        return Subject([path], read, sealed=False)

    return {
        "hands of a server": hands,
        "report over flops": report,
        "config of a run": config,
        "database of hands": database,
    }


def subjects(folder: Path) -> dict[str, Callable[[], Subject]]:
    """Makers of files of every kind, one of the strategies and one of the records in turn."""
    first, second = strategies(folder), records(folder)
    pairs = itertools.zip_longest(first.items(), second.items())
    return dict(each for pair in pairs for each in pair if each is not None)


def run(turn: Turn) -> None:
    makers = subjects(turn.folder)
    name = list(makers)[turn.number % len(makers)]
    subject, draw = makers[name](), turn.random()
    whole = subject.read()
    signal.signal(signal.SIGALRM, _give_up)
    for path, what, data in damages(subject.files, turn.number // len(makers), draw):
        if turn.left() < 0:
            return
        kept = path.read_bytes()
        if data == kept:
            continue
        path.write_bytes(data)
        outcome, detail = look(subject, whole)
        path.write_bytes(kept)
        turn.count("damages")
        turn.count(f"damages: {name}, {outcome}")
        turn.count(outcome if outcome in EXPECTED else "others")
        if outcome not in EXPECTED:
            turn.find(f"{name}: {outcome}", f"{path.name}: {what}: {detail}", (path.name, what))
    if subject.read() != whole:
        turn.find(f"{name}: not the same after all", "the files were put back", None)


def look(subject: Subject, whole: str) -> tuple[str, str]:
    """Reads a damaged file: seen, harmless, another strategy, or another kind of end."""
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        found = subject.read()
    except InputError as error:
        return ("seen", "") if str(error).isprintable() else ("not one line", str(error)[:200])
    except _TooLongError:
        return "no end", f"{MOST_SECONDS} s"
    except Exception as error:
        return f"{type(error).__name__}", str(error)[:200]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if found == whole:
        return "harmless", ""
    if subject.parts:
        rows, all_rows = json.loads(found), json.loads(whole)
        if all(row in all_rows for row in rows):
            return "seen", ""
    return ("another strategy", "") if subject.sealed else ("believed", "")


def damages(
    files: list[Path], round_number: int, draw: random.Random
) -> Iterator[tuple[Path, str, bytes]]:
    """Every byte of small files, each round another change of it, among random damages of all."""
    small = [
        (path, place)
        for path in files
        if path.stat().st_size <= SMALL
        for place in range(path.stat().st_size)
    ]
    if small:
        first = round_number * 10_007 % len(small)
        small = small[first:] + small[:first]
    places = iter(small)
    while True:
        for _ in range(3):
            if (next_one := next(places, None)) is not None:
                path, place = next_one
                data = bytearray(path.read_bytes())
                data[place] ^= 1 << (round_number + place) % 8
                yield path, f"bit of byte {place}", bytes(data)
        path = draw.choice(files)
        what, data = damaged(path.read_bytes(), draw)
        yield path, what, data


def damaged(data: bytes, draw: random.Random) -> tuple[str, bytes]:
    """One damage, such as disks and copies make."""
    at = draw.randrange(len(data) + 1)
    end = min(len(data), at + draw.choice((1, 4, 64, 512, 4096)))
    match draw.randrange(8):
        case 0:
            return f"cut at {at}", data[:at]
        case 1:
            return f"zeros from {at} to {end}", data[:at] + bytes(end - at) + data[end:]
        case 2:
            noise = draw.randbytes(end - at)
            return f"noise from {at} to {end}", data[:at] + noise + data[end:]
        case 3:
            return f"bytes {at} to {end} left out", data[:at] + data[end:]
        case 4:
            return f"bytes {at} to {end} twice", data[:end] + data[at:]
        case 5:
            return "noise at the end", data + draw.randbytes(draw.randint(1, 4096))
        case 6 if data:
            flipped = bytearray(data)
            flipped[at % len(data)] ^= 1 << draw.randrange(8)
            return f"bit of byte {at % len(data)}", bytes(flipped)
        case _:
            return "empty", b""
